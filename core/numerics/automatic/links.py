"""Items that belong together or apart, and groups made to keep to that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from coterie.core.api.ranking_scope import item_positions
from coterie.core.errors import ParameterError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
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
    apart : pairs of parts that may not share a group
    """

    n: int
    parts: tuple[Ints, ...] = ()
    apart: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts)

    def among(self, positions: Ints) -> Links:
        """Return what is known of some of the items, numbered by their places there."""
        place = np.full(self.n, -1, dtype=np.int64)
        place[positions] = np.arange(len(positions))
        some = [place[part][place[part] >= 0] for part in self.parts]
        kept = {old: new for new, old in enumerate(j for j, part in enumerate(some) if len(part))}
        apart = tuple((kept[a], kept[b]) for a, b in self.apart if a in kept and b in kept)
        return Links(len(positions), tuple(part for part in some if len(part)), apart)

    def broken(self, labels: Ints) -> float:
        """Return the share of the links that groups do not keep to: 0 where they keep to all."""
        wrong = [_scattered(labels[part]) for part in self.parts]
        whole = [_main_group(labels[part]) for part in self.parts]
        wrong += [float(whole[a] == whole[b] >= 0) for a, b in self.apart]
        return float(np.mean(wrong)) if wrong else 0.0


def links_of(
    together: Sequence[Sequence[int | str]],
    apart: Sequence[Sequence[int | str]],
    n: int,
    data: Dataset | None = None,
) -> Links:
    """Return what lists of items say, by their names or positions; refuse what contradicts itself.

    What belongs together with the same item belongs together.

    >>> links = links_of([[0, 1], [1, 2]], [[0, 4, 5]], 6)
    >>> [part.tolist() for part in links.parts], links.apart
    ([[0, 1, 2], [4], [5]], ((0, 1), (0, 2), (1, 2)))
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
    number = {int(name): j for j, name in enumerate(roots)}
    parts = tuple(np.asarray(known[root[known] == name]) for name in roots)
    pairs = set()
    for items in other:
        for place, a in enumerate(items.tolist()):
            for b in items[place + 1 :].tolist():
                if root[a] == root[b]:
                    raise ParameterError(
                        f"Items {_named(a, data)} and {_named(b, data)} are said to belong both "
                        "together and apart. Take one of the two away.",
                        code="contradiction",
                    )
                i, j = sorted((number[int(root[a])], number[int(root[b])]))
                pairs.add((i, j))
    return Links(n, parts, tuple(sorted(pairs)))


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
        if group != main and not _kept_apart(labels, links, main, group):
            labels[labels == group] = main
    labels[part] = main


def _kept_apart(labels: Ints, links: Links, one: int, other: int) -> bool:
    """Whether two groups hold what belongs apart."""
    whole = [_main_group(labels[part]) for part in links.parts]
    return any({whole[a], whole[b]} == {one, other} for a, b in links.apart)


def _divide(labels: Ints, links: Links, X: Floats, group: int) -> None:
    """Divide a group that holds parts which belong apart."""
    inside = [j for j, part in enumerate(links.parts) if labels[part[0]] == group]
    rivals: dict[int, set[int]] = {j: set() for j in inside}
    for a, b in links.apart:
        if a in rivals and b in rivals:
            rivals[a].add(b)
            rivals[b].add(a)
    if not any(rivals.values()):
        return
    # Those with most rivals first, each to the first division without a rival of it.
    division: dict[int, int] = {}
    for j in sorted((j for j in inside if rivals[j]), key=lambda j: (-len(rivals[j]), j)):
        taken = {division[other] for other in rivals[j] if other in division}
        division[j] = next(k for k in range(len(inside)) if k not in taken)
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
