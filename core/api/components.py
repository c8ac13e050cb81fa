"""What a plugin author writes: a class with an id, parameters and `compute`.

A component is created without arguments for each run and keeps no state between runs. `compute`
takes its inputs by position, `params` and `context` by keyword, and returns the noun of its kind,
a bare array (which is wrapped), or an `Output` when it publishes parts beside the main result.
"""

from __future__ import annotations

import inspect
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from coterie.core.api.curves import Curve
from coterie.core.api.parameters import Field
from coterie.core.api.parameters import Params as _Params
from coterie.core.model.encoding import Noun
from coterie.core.model.recipes import Step

if TYPE_CHECKING:
    from coterie.core.formats.files.tabular import TablePreview


SIDE_EFFECTS = frozenset({"prints", "threads", "files", "folder", "environment", "numpy-seed"})
"""What a run may leave behind, if it says so."""

_SHORTEST_GZIP = 18
_USUAL_PACKING, _MOST_PACKING = 6, 1032


@dataclass(frozen=True)
class Cost:
    """What a step will take, said before it runs.

    Attributes
    ----------
    bytes : working memory beyond the inputs, result included
    seconds : rough time on one ordinary core
    alternatives : what to do instead when it does not fit, each as half a sentence; a subset of the
        items is always offered
    """

    bytes: int = 0
    seconds: float = 0.0
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Output:
    """A main result with parts beside it.

    Attributes
    ----------
    main : the noun of the kind
    parts : by name, such as "trace", "spectrum", "model" or "embedding"
    """

    main: Noun
    parts: Mapping[str, Noun] = field(default_factory=dict)


class Component(ABC):
    """A method that a plugin offers. Subclass one of the kinds below, not this.

    Class attributes
    ----------------
    id : short name in kebab-case, unique within the kind and the distribution
    title : what menus show
    version : raise it when the same parameters give another result
    reference : where the method is described
    curves : a `Curve` for each value of its frames, the most telling first; or, as in version 0.1,
        three titles for objective, residual and support, empty for none
    needs : the inputs in order; "affinity", "dataset|affinity" (either), "clustering?" (may be
        left out, last only), "affinity+" (one or more, last only)
    interruptible : False where the work is one call of a library that cannot be stopped; the
        window says so, and cancelling ends the engine after 2 s
    warms_up : whether the first run in a process takes longer, as of code that is compiled then;
        the checks then judge the second
    side_effects : what a library leaves behind that cannot be helped, of "prints", "threads",
        "files", "folder" (the working folder), "environment" and "numpy-seed"
    """

    kind: ClassVar[str]
    gives: ClassVar[str]
    id: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[str] = "1"
    reference: ClassVar[str] = ""
    curves: ClassVar[tuple[str, str, str] | tuple[Curve, ...]] = (
        "objective", "residual", "support size",
    )  # fmt: skip
    needs: ClassVar[tuple[str, ...]] = ()
    interruptible: ClassVar[bool] = True
    warms_up: ClassVar[bool] = False
    side_effects: ClassVar[tuple[str, ...]] = ()

    class Params(_Params):
        """No parameters."""

    @abstractmethod
    def compute(self, *args: Any, **kwargs: Any) -> Any:
        """Do the work: `compute(self, *inputs, params, context)`."""

    def estimate(self, *args: Any, **kwargs: Any) -> Cost:
        """Say what `compute` with these inputs would take: `estimate(self, *inputs, params)`."""
        return Cost()

    def apply(self, *args: Any, **kwargs: Any) -> Any:
        """Apply a fitted model to new items: `apply(self, model, data, context)`."""
        raise TypeError(f"{self.kind}/{self.id} cannot be applied to new items.")

    @classmethod
    def summary(cls) -> str:
        """Return the first line of the docstring."""
        return (inspect.getdoc(cls) or "").split("\n", 1)[0]


class Reader(Component):
    """From a path to a dataset.

    Class attributes
    ----------------
    extensions : the file endings it reads, such as ".csv"
    default_for : those of them for which it is taken when no reader is named; None for all
    reads_windows : whether the data stay in their file, from which windows are read later; very
        large ones are then identified by size, time and some of their bytes
    """

    kind, gives = "reader", "dataset"
    needs: ClassVar[tuple[str, ...]] = ("path",)
    extensions: ClassVar[tuple[str, ...]] = ()
    default_for: ClassVar[tuple[str, ...] | None] = None
    reads_windows: ClassVar[bool] = False

    class Params(_Params):
        """What every reader understands."""

        truth: str = Field(
            "",
            title="Labels",
            description="Column that holds the known class of each item; empty for none.",
        )
        items: str = Field(
            "",
            title="Names",
            description="Column that holds the name of each item; empty for none.",
        )

    def estimate(self, *args: Any, **kwargs: Any) -> Cost:
        """A few times the size of what is read; compressed files unfold to several times that."""
        path = Path(args[0])
        files = path.rglob("*") if path.is_dir() else [path]
        unfolded = sum(_unfolded_size(file) for file in files if file.is_file())
        return Cost(bytes=3 * unfolded + (8 << 20), seconds=unfolded / 2e7)

    def companions(self, *args: Any, **kwargs: Any) -> tuple[Path, ...]:
        """Return the other files that belong to one: `companions(self, path, *, params)`."""
        return ()

    def preview(self, *args: Any, **kwargs: Any) -> TablePreview | None:
        """Show how a file would be read: `preview(self, path, *, params, context)`.

        None where it has none of its own; the file is then read for its first rows.
        """
        raise TypeError(f"{self.kind}/{self.id} has no preview.")


class Sample(Reader):
    """Data to try things on, which a plugin makes or brings along; the start page offers it.

    Write `make(self, *, params, context)`, which gives a Dataset. It is opened by its name, such as
    "mylab:galaxies", in place of a path.

    Class attributes
    ----------------
    recipe : the steps that it opens with, each a `Step(name, use, of, params)`, the data being
        "data"; by default those of any table
    """

    recipe: ClassVar[tuple[Step, ...]] = ()

    class Params(_Params):
        """No parameters."""

    @abstractmethod
    def make(self, *args: Any, **kwargs: Any) -> Any:
        """Make the data: `make(self, *, params, context)`."""

    def compute(self, *args: Any, params: Any, context: Any) -> Any:
        """Make the data; the path is no more than their name."""
        context.check()
        return self.make(params=params, context=context)

    def estimate(self, *args: Any, **kwargs: Any) -> Cost:
        """Nothing, unless it says more."""
        return Cost()


def _unfolded_size(file: Path) -> int:
    """The bytes of a file; of a compressed one, several times those, or what it says at its end."""
    size = file.stat().st_size
    if file.suffix != ".gz" or size < _SHORTEST_GZIP:
        return size
    stated = 0
    # An unreadable one is left to the reader, which may not need it.
    with suppress(OSError), file.open("rb") as stream:
        stream.seek(-4, os.SEEK_END)
        stated = int.from_bytes(stream.read(4), "little")
    return max(_USUAL_PACKING * size, min(stated, _MOST_PACKING * size))


class Transform(Component):
    """From a dataset to a dataset of the same items, or some of them.

    Class attributes
    ----------------
    chooses_items : whether it leaves the columns as they are and takes some of the items; when new
        items are classified, such a step is passed over
    by_window : whether `apply` needs all pixels of a window at their places, with its height and
        width, even where it looks at no neighbours
    """

    kind, gives = "transform", "dataset"
    needs: ClassVar[tuple[str, ...]] = ("dataset",)
    chooses_items: ClassVar[bool] = False
    by_window: ClassVar[bool] = False

    def reach(self, model: Any) -> int:
        """Return how many pixels around a pixel `apply` looks at: `reach(self, model)`."""
        return 0


class Kernel(Component):
    """From a dataset to the similarities of its items."""

    kind, gives = "kernel", "affinity"
    needs: ClassVar[tuple[str, ...]] = ("dataset",)


class Graph(Component):
    """From a dataset or an affinity to a graph."""

    kind, gives = "graph", "affinity"
    needs: ClassVar[tuple[str, ...]] = ("dataset|affinity",)


class Clusterer(Component):
    """From similarities, or features, to groups.

    Class attributes
    ----------------
    proposes : parameters with which `clusterer/automatic` asks it for groups, as one of its
        candidates, such as `({"k": 2}, {"k": 3})`; by default it is not asked
    weighs_items : whether it heeds a column of weights, or weights do not matter to it; data with
        one are refused otherwise
    """

    kind, gives = "clusterer", "clustering"
    needs: ClassVar[tuple[str, ...]] = ("affinity",)
    proposes: ClassVar[tuple[Mapping[str, Any], ...]] = ()
    weighs_items: ClassVar[bool] = False


class Embedder(Component):
    """From similarities, or features, to coordinates."""

    kind, gives = "embedder", "embedding"
    needs: ClassVar[tuple[str, ...]] = ("dataset|affinity",)


class Ranker(Component):
    """From similarities, and perhaps groups, to an order of the items.

    Class attributes
    ----------------
    weighs_items : as of a clusterer
    """

    kind, gives = "ranker", "ranking"
    needs: ClassVar[tuple[str, ...]] = ("affinity", "clustering?")
    weighs_items: ClassVar[bool] = False


class Classifier(Component):
    """From a labelled sample to a model that labels any item.

    `apply(self, model, data, context)` gives a Clustering of new items, −1 for those that belong
    to no group; `coterie.core.numerics.partitions.training` chooses the items to learn from.
    """

    kind, gives = "classifier", "model"
    needs: ClassVar[tuple[str, ...]] = ("dataset", "clustering", "ranking?")

    class Params(_Params):
        """What every classifier understands."""

        top_per_cluster: int = Field(
            0,
            ge=0,
            title="Best of each group",
            description="Train on this many top-ranked items of each group; 0: on all.",
        )


class Metric(Component):
    """From a clustering, and what to compare it with (the known classes by default), to a score."""

    kind, gives = "metric", "metric"
    needs: ClassVar[tuple[str, ...]] = ("clustering", "clustering|dataset?")


class Plot(Component):
    """From a result to a figure as data, which the window draws with linked selection.

    Class attributes
    ----------------
    draws : the methods whose results it is made for, as "clusterer/hdbscan"; empty for all
    """

    kind, gives = "plot", "figure"
    needs: ClassVar[tuple[str, ...]] = ("clustering",)
    draws: ClassVar[tuple[str, ...]] = ()


class Writer(Component):
    """From an artefact and a path to a file: `compute(self, artefact, path, *, params, …)`.

    The path is that of a new file, which takes its place when all of it is written. `extensions`
    and `default_for` are as a reader's.
    """

    kind, gives = "writer", "file"
    needs: ClassVar[tuple[str, ...]] = ("any", "path")
    extensions: ClassVar[tuple[str, ...]] = ()
    default_for: ClassVar[tuple[str, ...] | None] = None
