"""What a ranking is relative to: the whole set, groups, or chosen items; and whom it lists.

Every ranker with a scope takes its parameters from `ScopedParams`, asks `find_scope` what they
mean for its inputs, scores all items once for each seed, and lets the scope put them in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from coterie.core.api.parameters import Field, Params
from coterie.core.errors import DataError, ParameterError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Ranking

ScopeName = Literal["global", "within-cluster", "across-cluster", "items"]

MOST_NAMED = 3  # items that `relative_to` names


class ScopedParams(Params):
    """What a ranking is relative to."""

    scope: ScopeName = Field(
        "global",
        description="Rank relative to the whole set, to a group among its own members, to a "
        "group among all other items, or to chosen items.",
    )
    cluster: int = Field(
        -1,
        ge=-1,
        description="The group that the ranking is relative to, by its label: 0 is the first; "
        "-1: each group separately.",
        json_schema_extra={"only_if": {"scope": ["within-cluster", "across-cluster"]}},
    )
    of_cluster: int = Field(
        -1,
        ge=-1,
        description="The label of the group whose members are listed; -1: all items that are not "
        "in 'cluster'.",
        json_schema_extra={"only_if": {"scope": ["across-cluster"]}},
    )
    items: list[int | str] = Field(
        default_factory=list,
        description="The items that the ranking is relative to: names, or positions from 0.",
        json_schema_extra={"only_if": {"scope": ["items"]}},
    )


@dataclass(frozen=True, eq=False)
class Scope:
    """Who seeds, who is listed, and how to say it.

    Attributes
    ----------
    name : the scope's name, such as "global"
    n : number of items
    seeds : positions of the items that seed each scoring, one entry for each
    listed : (m,) positions that the order lists
    turn : (n,) which scoring counts for each item, −1 for none
    relative_to : in words, what the scores are relative to
    """

    name: ScopeName
    n: int
    seeds: tuple[Ints, ...]
    listed: Ints
    turn: Ints
    relative_to: str

    def seed_vectors(self, weights: Floats | None = None) -> Floats:
        """Return (n, r), for each scoring a column of shares that sum to one over its seeds.

        The seeds share alike, or by their `weights` where these are given and not all 0.
        """
        vectors = np.zeros((self.n, len(self.seeds)))
        for column, members in enumerate(self.seeds):
            total = 0.0 if weights is None else float(weights[members].sum())
            if weights is None or total == 0:
                vectors[members, column] = 1.0 / len(members)
            else:
                vectors[members, column] = weights[members] / total
        return vectors

    def ranking(
        self,
        scores: Floats,
        *,
        title: str,
        dataset: Dataset | None,
        nothing: float = 0.0,
        **more: Any,
    ) -> Ranking:
        """Return the ranking by (n, r) scores, one column for each scoring, or (n,) for one.

        Groups that are ranked each on its own are listed one after another. `nothing` is the score
        of items that no scoring counts for: those in no group.
        """
        columns = scores[:, None] if scores.ndim == 1 else scores
        if columns.shape[1] == 0:
            own = np.full(self.n, nothing)
        else:
            own = columns[np.arange(self.n), np.clip(self.turn, 0, None)]
            own = np.where(self.turn >= 0, own, nothing)
        # Stable, so equal scores keep the order of the items.
        order = np.lexsort((-own[self.listed], self.turn[self.listed]))
        return Ranking(
            title=title,
            dataset=dataset,
            scores=own,
            order=self.listed[order],
            scope=self.name,
            relative_to=self.relative_to,
            **more,
        )


def find_scope(
    params: ScopedParams, n: int, clustering: Clustering | None, dataset: Dataset | None
) -> Scope:
    """Return what the parameters mean for n items and their groups.

    Parameters
    ----------
    params : scope, cluster, of_cluster and items
    clustering : the groups; needed for the scopes that speak of them
    dataset : whose item names `items` may use

    Examples
    --------
    >>> groups = Clustering(labels=np.array([0, 1, 0, 1]))
    >>> scope = find_scope(ScopedParams(scope="across-cluster", cluster=0), 4, groups, None)
    >>> scope.seeds[0].tolist(), scope.listed.tolist(), scope.relative_to
    ([0, 2], [1, 3], 'group 1 (label 0)')
    """
    everyone = np.arange(n)
    first = np.zeros(n, dtype=np.int64)
    if n == 0:
        raise DataError(
            "There are no items to rank. Open a file with at least one item.", code="empty-data"
        )
    if clustering is not None and clustering.n != n:
        raise DataError(
            f"A clustering of {clustering.n} items does not fit {n} items. "
            "Give the groups of the same items.",
            code="items-mismatch",
        )
    if params.scope == "global":
        return Scope("global", n, (everyone,), everyone, first, "the whole set")
    if params.scope == "items":
        chosen = item_positions(params.items, n, dataset)
        return Scope("items", n, (chosen,), everyone, first, _named(chosen, dataset))
    if clustering is None:
        raise ParameterError(
            f"The scope '{params.scope}' needs groups. Give a clustering as a further input, or "
            "set the scope to global or items.",
            code="groups-needed",
        )
    if params.scope == "within-cluster" and params.cluster < 0:
        return _every_group(clustering)
    if params.cluster < 0:
        raise ParameterError(
            "The scope 'across-cluster' needs the group that it is relative to. "
            f"Set 'cluster' to one of {_range(clustering)}.",
            code="invalid-scope",
        )
    members = _members(clustering, params.cluster, "cluster")
    listed = members
    if params.scope == "across-cluster":
        listed = (
            np.setdiff1d(everyone, members)
            if params.of_cluster < 0
            else _members(clustering, params.of_cluster, "of_cluster")
        )
        if not len(listed):
            raise ParameterError(
                f"All {n} items are in the group that the ranking is relative to, so there is no "
                f"other item to list. Find more groups, or set the scope to within-cluster.",
                code="invalid-scope",
            )
    relative_to = _group_name(clustering, params.cluster)
    return Scope(params.scope, n, (members,), listed, first, relative_to)


def item_positions(items: Sequence[int | str], n: int, dataset: Dataset | None) -> Ints:
    """Return the positions of items given by name or by 0-based position, each once.

    >>> item_positions([2, "Oslo"], 3, Dataset(items=("Bergen", "Oslo", "Bodø"))).tolist()
    [1, 2]
    """
    if not items:
        raise ParameterError(
            "The scope 'items' needs at least one item. Name some in 'items', or give their "
            "positions from 0.",
            code="invalid-scope",
        )
    names = dataset.items if dataset is not None else ()
    place: dict[str, int] = {}
    for position, name in enumerate(names):
        place.setdefault(name, position)
    found = set()
    for item in items:
        if isinstance(item, str):
            if item not in place:
                raise ParameterError(_unknown(item, names, n), code="unknown-item")
            found.add(place[item])
        elif 0 <= item < n:
            found.add(int(item))
        else:
            raise ParameterError(
                f"There is no item at position {item}. Give 0 to {n - 1}.", code="unknown-item"
            )
    return np.array(sorted(found), dtype=np.int64)


def _every_group(clustering: Clustering) -> Scope:
    labels = clustering.labels
    groups = np.unique(labels[labels >= 0])
    turn = np.searchsorted(groups, labels).astype(np.int64)
    turn[labels < 0] = -1
    seeds = tuple(np.flatnonzero(labels == group) for group in groups)
    listed = np.flatnonzero(labels >= 0)
    return Scope("within-cluster", clustering.n, seeds, listed, turn, "each group on its own")


def _members(clustering: Clustering, group: int, parameter: str) -> Ints:
    if group >= clustering.k:
        said = f"The groups are {_range(clustering)}" if clustering.k else "There are no groups"
        raise ParameterError(
            f"There is no group {group} for '{parameter}'. {said}.", code="unknown-group"
        )
    members = np.asarray(clustering.members(group), dtype=np.int64)
    if not len(members):
        raise ParameterError(
            f"Group {group} has no members. Choose another '{parameter}'.", code="empty-group"
        )
    return members


def _range(clustering: Clustering) -> str:
    return f"0 to {clustering.k - 1}"


def _group_name(clustering: Clustering, group: int) -> str:
    """Count from 1, as the groups are counted where a person sees them, and say what to type."""
    name = clustering.names[group] if group < len(clustering.names) else ""
    return f"{name or f'group {group + 1}'} (label {group})"


def _named(chosen: Ints, dataset: Dataset | None) -> str:
    names = dataset.items if dataset is not None else ()
    shown = [names[i] if names else f"item {i + 1}" for i in chosen[:MOST_NAMED]]
    more = len(chosen) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _unknown(item: str, names: Sequence[str], n: int) -> str:
    if not names:
        return (
            f"These items have no names, so '{item}' is unknown. Give positions from 0 to {n - 1}."
        )
    from difflib import get_close_matches

    # A first look at the beginnings: "Korea" is "Korea, Rep." to a person, not to a measure.
    near = [name for name in names if name.lower().startswith(item.lower()[:40])][:MOST_NAMED]
    near = near or get_close_matches(item, names, MOST_NAMED, 0.6)
    hint = f"Did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
    return f"There is no item '{item}'. {hint or f'The first is {names[0]!r}.'}"
