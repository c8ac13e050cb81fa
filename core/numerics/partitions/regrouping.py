"""Groups put together, in another order, or divided, without losing who they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from coterie.core.errors import DataError, ParameterError
from coterie.core.model.arrays import Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering


def require_groups_of(groups: Clustering, data: Dataset, *, to: str) -> None:
    """Raise a clear error unless these are groups of the data that do not overlap.

    Parameters
    ----------
    to : what such groups are wanted for, such as "be split"
    """
    if groups.n != data.n:
        raise DataError(
            f"The groups have {groups.n} items, the data {data.n}. Use the data that the groups "
            "were found in.",
            code="items-mismatch",
        )
    if groups.group_starts is not None:
        raise DataError(
            f"Overlapping groups cannot {to}. Choose a method whose groups do not overlap.",
            code="input-mismatch",
        )


def regrouped(groups: Clustering, made_of: Sequence[Sequence[int]]) -> Clustering:
    """Return a clustering whose groups are made of others; each keeps its name and colour.

    Parameters
    ----------
    made_of : for each new group the 0-based numbers of the old ones in it; those that are in none
        follow in their order

    >>> three = Clustering(labels=np.array([0, 1, 2, -1]), names=("a", "b", "c"))
    >>> two = regrouped(three, [[2], [0, 1]])
    >>> two.labels.tolist(), two.names, two.colours
    ([1, 1, 0, -1], ('c', 'a and b'), ('3', '1'))
    """
    whole = _completed(made_of, groups.k)
    target = np.full(groups.k + 1, -1, dtype=np.int64)
    for new, old in enumerate(whole):
        target[list(old)] = new
    shares = groups.membership
    if shares is not None and shares.shape[1] == groups.k:
        shares = np.stack([shares[:, list(old)].sum(axis=1) for old in whole], axis=1)
    else:
        shares = None
    tight = groups.cohesiveness
    same = all(len(old) == 1 for old in whole)
    if tight is not None:
        # How tightly a merged group holds together is not known from its parts.
        tight = tight[[old[0] for old in whole]] if same and len(tight) == groups.k else None
    items, starts = _overlapping(groups, whole)
    return replace(
        groups,
        labels=target[groups.labels],
        membership=shares,
        cohesiveness=tight,
        group_items=items,
        group_starts=starts,
        names=_names(groups.names, whole),
        colours=tuple(_colour(groups.colours, old[0]) for old in whole),
    )


def with_identity(
    groups: Clustering, names: Mapping[int, str], colours: Mapping[int, str]
) -> Clustering:
    """Return a clustering in which some groups have another name or colour."""
    named = list(groups.names) + [""] * (groups.k - len(groups.names))
    coloured = list(groups.colours) + [""] * (groups.k - len(groups.colours))
    for group, name in names.items():
        named[group] = name
    for group, colour in colours.items():
        coloured[group] = colour
    return replace(
        groups,
        names=tuple(named) if any(named) else (),
        colours=tuple(coloured) if any(coloured) else (),
    )


def divided(groups: Clustering, group: int, inside: Ints) -> Clustering:
    """Return a clustering in which one group is divided.

    The first part keeps the number and colour of the group; the others come after all groups, so
    no other group becomes another number.

    Parameters
    ----------
    inside : (members,) the part of each member of the group, from 0; −1 is in no group

    >>> two = Clustering(labels=np.array([0, 0, 1]), names=("a", ""))
    >>> three = divided(two, 0, np.array([1, 0]))
    >>> three.labels.tolist(), three.names
    ([2, 0, 1], ('a (1)', '', 'a (2)'))
    """
    members = groups.members(group)
    parts = int(inside.max(initial=-1)) + 1
    targets = np.array([group, *range(groups.k, groups.k + max(0, parts - 1)), -1])
    labels = groups.labels.copy()
    labels[members] = targets[inside]
    names = list(groups.names) + [""] * (groups.k - len(groups.names))
    if parts > 1 and names[group]:
        stem = names[group]
        names[group] = f"{stem} (1)"
        names += [f"{stem} ({part + 1})" for part in range(1, parts)]
    return Clustering(
        title=groups.title,
        dataset=groups.dataset,
        labels=labels,
        names=tuple(names) if any(names) else (),
        colours=groups.colours,
    )


def _completed(made_of: Sequence[Sequence[int]], k: int) -> list[tuple[int, ...]]:
    seen: set[int] = set()
    for old in made_of:
        for group in old:
            if not 0 <= group < k:
                raise ParameterError(
                    f"There are groups 1 to {k}. Got group {group + 1}.", code="unknown-group"
                )
            if group in seen:
                raise ParameterError(
                    f"Group {group + 1} is listed twice. A group can be part of one only.",
                    code="invalid-parameters",
                )
            seen.add(group)
    named = [tuple(old) for old in made_of if old]
    return [*named, *((group,) for group in range(k) if group not in seen)]


def _names(names: Sequence[str], whole: Sequence[Sequence[int]]) -> tuple[str, ...]:
    found = []
    for old in whole:
        own = [names[group] for group in old if group < len(names) and names[group]]
        found.append(" and ".join(own))
    return tuple(found) if any(found) else ()


def _colour(colours: Sequence[str], group: int) -> str:
    return (colours[group] if group < len(colours) else "") or str(group + 1)


def _overlapping(
    groups: Clustering, whole: Sequence[Sequence[int]]
) -> tuple[Ints, Ints] | tuple[None, None]:
    if groups.group_starts is None:
        return None, None
    lists = [np.unique(np.concatenate([groups.members(group) for group in old])) for old in whole]
    starts = np.concatenate([[0], np.cumsum([len(items) for items in lists])]).astype(np.int64)
    return np.concatenate(lists).astype(np.int64), starts
