"""Trees of groups as figures: merges of items, and groups within groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.core.numerics.partitions.linkage import Merges

MOST_NAMED = 400  # leaves with a name of their own


def merge_tree(merges: Merges, most: int) -> tuple[dict[str, Any], Ints]:
    """Return the last merges as `values` and `parents` of a figure, and the leaf of each item.

    A leaf stands for what was merged before, so there are at most `most` of them; numbered by
    their first items. Leaves have the height 0.

    >>> merges = Merges(np.array([1.0, 4.0]), edges=np.array([[0, 1], [1, 2]]))
    >>> parts, leaf = merge_tree(merges, 2)
    >>> parts["values"].tolist(), parts["parents"].tolist(), leaf.tolist()
    ([0.0, 0.0, 4.0], [2, 2, -1], [0, 0, 1])
    """
    n = len(merges.heights) + 1
    leaves = min(n, most)
    leaf = merges.labels(leaves)
    kept = merges.heights[n - leaves :]
    pairs = leaf[_ends(merges)[n - leaves :]]
    above = list(range(leaves))  # the branching that each leaf is part of by now, found by steps
    parents = np.full(leaves + len(kept), -1, dtype=np.int64)
    top = list(range(leaves))
    for step, (one, other) in enumerate(pairs.tolist()):
        node = leaves + step
        first, second = _find(above, one), _find(above, other)
        parents[top[first]] = parents[top[second]] = node
        above[second] = first
        top[first] = node
    heights = np.maximum.accumulate(np.maximum(kept, 0.0)) if len(kept) else kept
    return {"values": np.concatenate([np.zeros(leaves), heights]), "parents": parents}, leaf


def nested_tree(outer: Ints, heights: Floats, own: Sequence[Ints]) -> dict[str, Any]:
    """Return groups within groups as `values`, `parents`, `items` and `starts` of a figure.

    A group with others inside it is a branching, one without a leaf. Items that a branching has
    and none of the groups inside it are a leaf of their own below it.

    Parameters
    ----------
    outer : (c,) the group that each is part of, −1 for the outermost
    heights : (c,) at which each splits or, without groups inside it, begins
    own : for each group its items that are in no group inside it

    Examples
    --------
    >>> found = nested_tree(np.array([-1, 0, 0]), np.array([2.0, 1.0, 0.5]),
    ...     [np.array([4]), np.array([0, 1]), np.array([2, 3])])
    >>> found["values"].tolist(), found["parents"].tolist(), found["items"].tolist()
    ([2.0, 1.0, 0.5, 2.0], [3, 3, 3, -1], [4, 0, 1, 2, 3])
    """
    count = len(outer)
    inner = np.zeros(count, dtype=np.bool_)
    inner[outer[outer >= 0]] = True
    leaves = [group for group in range(count) if not inner[group] or len(own[group])]
    depth = _depths(outer)
    order = sorted(np.flatnonzero(inner).tolist(), key=lambda group: (-depth[group], group))
    number = {group: len(leaves) + place for place, group in enumerate(order)}

    def above(group: int) -> int:
        return number.get(int(outer[group]), -1)

    parents = [number[group] if inner[group] else above(group) for group in leaves]
    parents += [above(group) for group in order]
    items = [np.asarray(own[group], dtype=np.int64) for group in leaves]
    return {
        "values": heights[[*leaves, *order]],
        "parents": np.array(parents, dtype=np.int64),
        "items": np.concatenate([np.zeros(0, np.int64), *items]),
        "starts": np.concatenate([[0], np.cumsum([len(part) for part in items])]).astype(np.int64),
    }


def leaf_parts(leaf: Ints, data: Dataset | None) -> dict[str, Any]:
    """Return the items of each leaf, and a name for each, as parts of a figure."""
    order = np.argsort(leaf, kind="stable")
    sizes = np.bincount(leaf)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return {"items": order, "starts": starts, "rows": leaf_names(order, starts, data)}


def leaf_names(items: Ints, starts: Ints, data: Dataset | None) -> tuple[str, ...]:
    """Return the item's name where a leaf has one item, else how many; none of very many leaves."""
    sizes = np.diff(starts)
    if data is None or len(sizes) > MOST_NAMED:
        return ()
    names = data.item_names
    return tuple(
        names[int(items[start])] if size == 1 else f"{size:,} items"
        for start, size in zip(starts[:-1].tolist(), sizes.tolist(), strict=True)
    )


def leaf_groups(groups: Clustering | None, items: Ints, starts: Ints) -> dict[str, Any]:
    """Return the colour of each leaf: the group of its items, −1 where they are in several."""
    if groups is None:
        return {}
    labels = groups.labels[items]
    first = labels[np.minimum(starts[:-1], max(len(labels) - 1, 0))] if len(labels) else labels
    mixed = np.zeros(len(starts), dtype=np.int64)
    if len(labels):
        differs = labels != np.repeat(first, np.diff(starts))
        mixed[1:] = np.cumsum(np.bincount(_leaf_of(starts), differs, minlength=len(starts) - 1))
    alike = np.diff(mixed) == 0
    return {
        "groups": np.where(alike & (np.diff(starts) > 0), first, -1),
        "group_names": groups.group_names,
        "group_colours": groups.colours,
    }


def _leaf_of(starts: Ints) -> Ints:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _ends(merges: Merges) -> Ints:
    """An item of either side of each merge."""
    if merges.edges is not None:
        return merges.edges
    n = len(merges.heights) + 1
    if merges.tree is None:
        return np.zeros((0, 2), dtype=np.int64)
    first = list(range(n))
    pairs = merges.tree[:, :2].astype(np.int64)
    for one, _ in pairs.tolist():
        first.append(first[one])
    ends: Ints = np.asarray(first, dtype=np.int64)[pairs]
    return ends


def _find(above: list[int], one: int) -> int:
    while above[one] != one:
        above[one] = above[above[one]]
        one = above[one]
    return one


def _depths(outer: Ints) -> Ints:
    depth = np.zeros(len(outer), dtype=np.int64)
    here = np.array(outer)
    while (here >= 0).any():
        depth += here >= 0
        here = np.where(here >= 0, outer[here], -1)
    return depth
