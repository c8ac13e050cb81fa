"""Cutting a tree that is drawn: the branches under a line are groups."""

from __future__ import annotations

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.figures import Figure


def cut_tree(tree: Figure, height: float) -> Ints:
    """Return the group of each leaf when the tree is cut at a height, −1 for none.

    A branch is a group where its own height is at most that of the cut, and that of its parent is
    not. Groups are numbered by their first leaves.

    >>> ends = [3, 3, 4, 4, -1]
    >>> tree = Figure(form="tree", values=[0, 0, 0, 1, 2], parents=ends, items=[0, 1, 2])
    >>> cut_tree(tree, 1.0).tolist(), cut_tree(tree, 2.0).tolist()
    ([0, 0, 1], [0, 0, 0])
    """
    require_tree(tree)
    heights, parents = _shape(tree)
    count = len(heights)
    higher = (parents >= 0) & (heights[parents] <= height)
    top = np.where(higher, parents, np.arange(count))
    while not np.array_equal(further := top[top], top):
        top = further
    of_leaf = np.where(heights[top] <= height, top, -1)[: tree.marks]
    return _numbered(of_leaf)


def items_of_cut(tree: Figure, height: float) -> Ints:
    """Return the group of each item of the tree's dataset when it is cut, −1 for none.

    Groups are numbered by their first items. A group of a density tree has lost the items whose
    own level is above the cut.
    """
    group = cut_tree(tree, height)
    items, starts = tree.links
    n = tree.n or int(items.max(initial=-1)) + 1
    labels = np.full(n, -1, dtype=np.int64)
    labels[items] = np.repeat(group, np.diff(starts))
    if tree.levels is not None:
        labels[items[tree.levels > height]] = -1
    return _numbered(labels)


def height_for(tree: Figure, k: int) -> float:
    """Return the height at which a tree has k groups, or of all heights as near to k as can be.

    It is in the middle of the range over which that holds, so a line drawn there is clear.

    >>> ends = [3, 3, 4, 4, -1]
    >>> tree = Figure(form="tree", values=[0, 0, 0, 1, 2], parents=ends, items=[0, 1, 2])
    >>> height_for(tree, 2)
    1.5
    """
    require_tree(tree)
    heights, counts = group_counts(tree)
    off = np.abs(counts - k)
    best = np.flatnonzero(off == off.min())
    ends = np.append(heights[1:], heights[-1])
    widest = best[int(np.argmax((ends - heights)[best]))]
    return float((heights[widest] + ends[widest]) / 2)


def group_counts(tree: Figure) -> tuple[Floats, Ints]:
    """Return the heights at which the number of groups changes, rising, and the number from each.

    >>> ends = [3, 3, 4, 4, -1]
    >>> tree = Figure(form="tree", values=[0, 0, 0, 1, 2], parents=ends, items=[0, 1, 2])
    >>> [found.tolist() for found in group_counts(tree)]
    [[0.0, 1.0, 2.0], [3, 2, 1]]
    """
    heights, parents = _shape(tree)
    levels = np.unique(heights)
    change = np.zeros(len(levels) + 1, dtype=np.int64)
    ends = np.where(parents >= 0, heights[parents], np.inf)
    lives = ends > heights
    np.add.at(change, np.searchsorted(levels, heights[lives]), 1)
    np.add.at(change, np.searchsorted(levels, ends[lives]), -1)
    return levels, np.cumsum(change)[:-1]


def require_tree(figure: Figure) -> None:
    """Raise a clear error unless a figure is a tree of items."""
    if figure.form != "tree" or not figure.marks:
        raise DataError(
            f"Only a tree can be cut into groups. Got a figure of form '{figure.form}'. "
            f"Use the result of a plot that gives a tree, such as {well_known.PLOT_DENDROGRAM}.",
            code="input-mismatch",
        )
    if not figure.linked:
        raise DataError(
            "The leaves of this tree do not say which items they stand for, so cutting it gives "
            "no groups.",
            code="input-mismatch",
        )


def _shape(tree: Figure) -> tuple[Floats, Ints]:
    assert tree.parents is not None  # of a tree
    return np.asarray(tree.values, dtype=np.float64), tree.parents


def _numbered(found: Ints) -> Ints:
    """Number what is not −1 by where it first occurs."""
    known = found >= 0
    labels = np.full(len(found), -1, dtype=np.int64)
    _, first, inverse = np.unique(found[known], return_index=True, return_inverse=True)
    labels[known] = np.argsort(np.argsort(first))[inverse]
    return labels
