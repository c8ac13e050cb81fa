"""Groups from a tree that is cut: the branches below a line."""

from __future__ import annotations

from coterie.core import Clusterer, Clustering, Context, Cost, Field, Figure
from coterie.core.numerics.partitions.tree_cut import height_for, items_of_cut
from coterie.core.wording import counted


class CutTree(Clusterer):
    """The branches of a dendrogram, or another tree that is drawn, below a height.

    Made by drawing a line through a tree in the window. Each branch under the line is a group;
    items that are in no branch at that height stay in no group.
    """

    id, title = "cut-tree", "Cut of a tree"
    needs = ("figure",)

    class Params(Clusterer.Params):
        """Where the tree is cut."""

        height: float = Field(
            0.0,
            ge=0,
            description="Height of the cut, in the units of the tree; 0: the height that leaves "
            "the number of groups below.",
        )
        k: int = Field(
            2,
            ge=1,
            description="Number of groups, when no height is given; if no height gives that "
            "many, the nearest number.",
            json_schema_extra={"slider": [1, 20], "only_if": {"height": [0]}},
        )

    def compute(self, tree: Figure, *, params: Params, context: Context) -> Clustering:
        """Return the groups."""
        context.check()
        height = params.height or height_for(tree, params.k)
        labels = items_of_cut(tree, height)
        k = int(labels.max(initial=-1)) + 1
        left = int((labels < 0).sum())
        notes = [f"Cut at {height:.4g}: {counted(k, 'group')}."]
        if not params.height and k != params.k:
            notes.append(f"No height gives {params.k} groups.")
        if left:
            notes.append(f"{counted(left, 'item')} in no branch there.")
        return Clustering(
            title=f"{tree.title or 'Tree'}, cut at {height:.4g}",
            dataset=tree.dataset,
            labels=labels,
            notes=tuple(notes),
            details={"height": height, "k": k},
        )

    def estimate(self, tree: Figure, *, params: Params) -> Cost:
        """Some arrays over the items."""
        return Cost(bytes=64 * (tree.n + len(tree.values)) + (1 << 16), seconds=1e-6 * tree.n)
