"""Where a tree is drawn: leaves side by side, each branching over what it joins."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.figures import Figure


def leaf_places(figure: Figure) -> Floats:
    """Return the place across of each leaf and branching: leaves at 0, 1, … without crossings.

    Of two branches the larger is to the left.

    >>> tree = Figure(form="tree", values=[0, 0, 0, 1, 2], parents=[3, 4, 3, 4, -1])
    >>> leaf_places(tree).tolist()
    [0.0, 2.0, 1.0, 0.5, 1.25]
    """
    parents = _parents(figure)
    m, count = figure.marks, len(parents)
    _, starts = figure.links
    own = np.diff(starts) if figure.linked else np.ones(m)
    weights = np.concatenate([own.astype(np.float64), np.zeros(count - m)])
    leaves = np.concatenate([np.ones(m), np.zeros(count - m)])
    for node in range(count):  # children come before their parents
        if parents[node] >= 0:
            weights[parents[node]] += weights[node]
            leaves[parents[node]] += leaves[node]
    below: list[list[int]] = [[] for _ in range(count + 1)]  # the last: those without a parent
    for node in np.lexsort((np.arange(count), -weights)).tolist():
        below[parents[node]].append(node)
    begins, places = np.zeros(count + 1), np.zeros(count)
    for above in (count, *range(count - 1, m - 1, -1)):  # parents come before their children
        children = below[above]
        widths = np.cumsum([0.0, *leaves[children]])[:-1]
        begins[children] = begins[above] + widths
    places[:m] = begins[:m]
    for node in range(m, count):
        places[node] = places[below[node]].mean()
    return places


def branches(figure: Figure) -> tuple[Floats, Floats, Ints]:
    """Return the lines of a tree: (l, 2) across, (l, 2) up, and the node each one belongs to.

    An upright line for each node from its height to that of its parent, and a level one for each
    branching from its first branch to its last.
    """
    parents, heights = _parents(figure), np.asarray(figure.values, dtype=np.float64)
    places = leaf_places(figure)
    below = np.flatnonzero(parents >= 0)
    up = np.column_stack([heights[below], heights[parents[below]]])
    across = np.column_stack([places[below], places[below]])
    inner = np.arange(figure.marks, len(parents))
    first, last = np.full(len(parents), np.inf), np.full(len(parents), -np.inf)
    np.minimum.at(first, parents[below], places[below])
    np.maximum.at(last, parents[below], places[below])
    level = np.column_stack([first[inner], last[inner]])
    return (
        np.concatenate([across, level]),
        np.concatenate([up, np.column_stack([heights[inner], heights[inner]])]),
        np.concatenate([below, inner]),
    )


def groups_of_branches(figure: Figure) -> Ints:
    """Return the group of each leaf and branching: that of all leaves below it, −1 if they differ.

    >>> tree = Figure(form="tree", values=[0, 0, 0, 1, 2], parents=[3, 4, 3, 4, -1],
    ...     groups=[0, 1, 0])
    >>> groups_of_branches(tree).tolist()
    [0, 1, 0, 0, -1]
    """
    parents = _parents(figure)
    unset = -2
    found = np.full(len(parents), unset, dtype=np.int64)
    found[: figure.marks] = -1 if figure.groups is None else figure.groups
    for node in range(len(parents)):
        above = parents[node]
        if above >= 0:
            alike = found[above] in (unset, found[node])
            found[above] = found[node] if alike else -1
    return found


def _parents(figure: Figure) -> Ints:
    assert figure.parents is not None  # of a tree
    return figure.parents
