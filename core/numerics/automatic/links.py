"""Items that belong together or apart, and groups made to keep to that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from coterie.core.api.ranking_scope import item_positions
from coterie.core.errors import ParameterError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.similarity.distances import Check
from coterie.core.numerics.similarity.neighbours import nearest_neighbours

JOINING: Final = 0.25  # share of what belongs together from which its groups become one

TOGETHER = "Items that belong in one group: each list, by names or positions from 0."
APART = "Items that belong in different groups: no two of a list, by names or positions from 0."


@dataclass(frozen=True, eq=False)
class Links:
    """What belongs together, and what does not.

    Attributes
    ----------
    n : number of items
    parts : of what belongs together, the items of each part; single items that belong apart too
    apart : (p, 2) pairs of parts that may not share a group
    """

    n: int
    parts: tuple[Ints, ...] = ()
    apart: Ints = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))

    def __bool__(self) -> bool:
        return bool(self.parts)

    def among(self, positions: Ints) -> Links:
        """Return what is known of some of the items, numbered by their places there."""
        place = np.full(self.n, -1, dtype=np.int64)
        place[positions] = np.arange(len(positions))
        some = [place[part][place[part] >= 0] for part in self.parts]
        kept = np.array([len(part) > 0 for part in some], dtype=np.bool_)
        number = np.cumsum(kept) - 1
        apart = number[self.apart[kept[self.apart].all(axis=1)]]
        return Links(len(positions), tuple(part for part in some if len(part)), apart)

    def broken(self, labels: Ints) -> float:
        """Return the share of the links that groups do not keep to: 0 where they keep to all."""
        if not self.parts:
            return 0.0
        scattered = sum(_scattered(labels[part]) for part in self.parts)
        one, other = self._main_groups(labels)[self.apart].T
        shared = np.count_nonzero((one == other) & (one >= 0))
        return float(scattered + shared) / (len(self.parts) + len(self.apart))

    def share_groups(self, labels: Ints, one: int, other: int) -> bool:
        """Return whether two groups hold what belongs apart."""
        low, high = np.sort(self._main_groups(labels)[self.apart], axis=1).T
        return bool(((low == min(one, other)) & (high == max(one, other))).any())

    def rivals(self, some: Ints) -> list[Ints]:
        """Return which of some parts each of them may not share a group with, by their places."""
        place = np.full(len(self.parts), -1, dtype=np.int64)
        place[some] = np.arange(len(some))
        here = place[self.apart]
        here = here[(here >= 0).all(axis=1)]
        here = np.concatenate([here, here[:, ::-1]])
        here = here[np.argsort(here[:, 0], kind="stable")]
        return np.split(here[:, 1], np.searchsorted(here[:, 0], np.arange(1, len(some))))

    def _main_groups(self, labels: Ints) -> Ints:
        return np.array([_main_group(labels[part]) for part in self.parts], dtype=np.int64)


def links_of(
    together: Sequence[Sequence[int | str]],
    apart: Sequence[Sequence[int | str]],
    n: int,
    data: Dataset | None = None,
    check: Check | None = None,
) -> Links:
    """Return what lists of items say, by their names or positions; refuse what contradicts itself.

    What belongs together with the same item belongs together.

    >>> links = links_of([[0, 1], [1, 2]], [[0, 4, 5]], 6)
    >>> [part.tolist() for part in links.parts], links.apart.tolist()
    ([[0, 1, 2], [4], [5]], [[0, 1], [0, 2], [1, 2]])
    """
    one = [item_positions(items, n, data) for items in together if len(items)]
    other = [item_positions(items, n, data) for items in apart if len(items)]
    root = np.arange(n)
    for items in one:
        for mentioned in items[1:].tolist():
            root[root == root[mentioned]] = root[items[0]]
    known = np.unique(np.concatenate([*one, *other, np.zeros(0, dtype=np.int64)]))
    roots, first = np.unique(root[known], return_index=True)
    roots = roots[np.argsort(first)]
    number = np.zeros(n, dtype=np.int64)
    number[roots] = np.arange(len(roots))
    own = number[root[known]]
    ends = np.cumsum(np.bincount(own, minlength=len(roots)))[:-1]
    parts = tuple(np.split(known[np.argsort(own, kind="stable")], ends)) if len(roots) else ()
    coded = [np.zeros(0, dtype=np.int64)]  # pairs, each as one number
    for items in other:
        if check is not None:
            check()
        among = number[root[items]]
        order = np.argsort(among, kind="stable")
        among = among[order]
        if len(twice := np.flatnonzero(np.diff(among) == 0)):
            a, b = items[np.sort(order[twice[0] : twice[0] + 2])].tolist()
            raise ParameterError(
                f"Items {_named(a, data)} and {_named(b, data)} are said to belong both "
                "together and apart. Take one of the two away.",
                code="contradiction",
            )
        first, second = np.triu_indices(len(among), 1)
        coded.append(among[first] * len(roots) + among[second])
    pairs = np.sort(np.concatenate(coded))
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]  # each once; np.unique is slow for so many
    return Links(n, parts, np.column_stack(np.divmod(pairs, max(1, len(roots)))))


def kept_to(links: Links, X: Floats, labels: Ints) -> Ints:
    """Return the groups, changed as little as possible, that keep to all links.

    Groups that each hold a quarter or more of what belongs together become one; fewer items move
    to where the others are. A group that holds what belongs apart is divided: each of its items
    goes with the nearest of those. Groups are numbered from 0; −1, no group, stays where no link
    says otherwise.

    >>> X = np.array([[0.0], [1.0], [5.0], [6.0], [9.0]])
    >>> labels = np.array([0, 0, 1, 1, 1])
    >>> kept_to(links_of([[0, 2]], [], 5), X, labels).tolist()
    [0, 0, 0, 0, 0]
    >>> kept_to(links_of([], [[2, 4]], 5), X, labels).tolist()
    [0, 0, 1, 1, 2]
    """
    found = np.array(labels)
    if not links.broken(found):
        return found
    for part in links.parts:
        _join(found, links, part)
    for group in np.unique(found[found >= 0]).tolist():
        _divide(found, links, X, group)
    for part in links.parts:  # of a part, none is left out
        if len(part) > 1 and (found[part] < 0).any():
            found[part] = found.max(initial=-1) + 1
    known = found >= 0
    found[known] = np.unique(found[known], return_inverse=True)[1]
    return found


def _join(labels: Ints, links: Links, part: Ints) -> None:
    """Bring a part into one group."""
    own = labels[part]
    groups, counts = np.unique(own[own >= 0], return_counts=True)
    if not len(groups):
        return
    main = int(groups[np.argmax(counts)])
    for group in groups[counts >= JOINING * len(part)].tolist():
        if group != main and not links.share_groups(labels, main, group):
            labels[labels == group] = main
    labels[part] = main


def _divide(labels: Ints, links: Links, X: Floats, group: int) -> None:
    """Divide a group that holds parts which belong apart."""
    first = np.array([part[0] for part in links.parts], dtype=np.int64)
    inside = np.flatnonzero(labels[first] == group)
    rivals = links.rivals(inside)
    counts = np.array([len(others) for others in rivals])
    if not counts.any():
        return
    # Those with most rivals first, each to the first division without a rival of it.
    given = np.full(len(inside), -1, dtype=np.int64)
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    for at in order.tolist():
        taken = np.unique(given[rivals[at]])
        given[at] = np.setdiff1d(np.arange(len(taken) + 1), taken, assume_unique=True)[0]
    division = dict(zip(inside[order].tolist(), given[order].tolist(), strict=True))
    seeds = np.concatenate([links.parts[j] for j in division])
    of_seed = np.repeat(list(division.values()), [len(links.parts[j]) for j in division])
    members = np.flatnonzero(labels == group)
    near = nearest_neighbours(X[members], 1, among=X[seeds]).indices[:, 0]
    found = of_seed[near]
    place = np.full(len(labels), -1, dtype=np.int64)
    place[members] = found
    place[seeds] = of_seed
    for j in inside:  # what belongs together stays so
        if j not in division:
            place[links.parts[j]] = _main_group(place[links.parts[j]])
    names = np.append(group, labels.max() + 1 + np.arange(max(division.values())))
    labels[members] = names[place[members]]


def _scattered(labels: Ints) -> float:
    """The share of these items that are not in the group of the first; in no group is apart."""
    return float(((labels != labels[0]) | (labels < 0)).mean()) if len(labels) > 1 else 0.0


def _main_group(labels: Ints) -> int:
    """The group of most of these items; −1 where they are in none."""
    known = labels[labels >= 0]
    return int(np.bincount(known).argmax()) if len(known) else -1


def _named(item: int, data: Dataset | None) -> str:
    return repr(data.items[item]) if data is not None and data.items else str(item)
