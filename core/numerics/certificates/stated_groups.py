"""What results say of their groups: each one as a claim that can be tested."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Ints
from coterie.core.model.results import Clustering
from coterie.core.numerics.certificates.claims import Claim
from coterie.core.numerics.dynamics.constrained import seeds_of

Params = Mapping[str, Any]
Inputs = Sequence[Any]


def claims_of(use: str, params: Params, result: Clustering, inputs: Inputs) -> list[Claim]:
    """Return what a result says of each of its groups, or raise a clear error.

    Parameters
    ----------
    use : the method, as kind/id
    params : its parameters, defaults filled in or not
    result : what it gave
    inputs : what it was given, in order
    """
    return _CLAIMS[use][0](params, result, inputs)


def remark_on(use: str) -> str:
    """Return what each group of a method is compared with, as a sentence."""
    return _CLAIMS[use][1]


def _peeled(params: Params, result: Clustering, _inputs: Inputs) -> list[Claim]:
    if params.get("clique"):
        raise DataError(
            "Maximal cliques have ½ on the diagonal and are not dominant sets by the definition, "
            "so they have no certificate. Compute the sets with clique = false.",
            code="wrong-type",
        )
    claims, before = [], np.zeros(0, dtype=np.int64)
    for members, shares in _supports(result):
        claims.append(_claim(members, excluded=_plain(before), shares=shares))
        before = np.union1d(before, members)
    return claims


def _overlapping(_params: Params, result: Clustering, _inputs: Inputs) -> list[Claim]:
    return [_claim(members, shares=shares) for members, shares in _supports(result)]


def _constrained(params: Params, result: Clustering, inputs: Inputs) -> list[Claim]:
    if params.get("every_seed"):
        raise DataError(
            "With 'every_seed' a group is several sets together, which have no certificate. "
            "Compute the sets without it.",
            code="wrong-type",
        )
    affinity = next(one for one in inputs if isinstance(one, Affinity))
    groups = next((one for one in inputs if isinstance(one, Clustering)), None)
    found = seeds_of(params.get("items", ()), groups, affinity)
    return [
        _claim(members, shares=shares, alpha=float(about["alpha"]), seeds=_plain(seeds))
        for (members, shares), seeds, about in zip(
            _supports(result), found, result.details["sets"], strict=True
        )
    ]


def _nested(_params: Params, result: Clustering, _inputs: Inputs) -> list[Claim]:
    """The sets of a tree: among the items of their parent that were left when each was found."""
    tree = _about_sets(result, "tree", "turn")
    everybody = np.arange(result.n)
    members = [result.members(group) for group in range(result.k)]
    gone: dict[int, Any] = {}
    claims: dict[int, Claim] = {}
    for group in sorted(range(len(tree)), key=lambda one: int(tree[one]["turn"])):
        about = tree[group]
        parent = int(about["parent"])
        inside = everybody if parent < 0 else members[parent]
        before = gone.get(parent, np.setdiff1d(everybody, inside))
        before = np.union1d(before, about["set_aside"])
        claims[group] = _claim(
            members[group],
            excluded=_plain(before),
            shares=_column(result, group),
            alpha=float(about["alpha"]),
            parent=() if parent < 0 else _plain(inside),
        )
        gone[parent] = np.union1d(before, members[group])
    return [claims[group] for group in range(len(tree))]


def _weighed(_params: Params, result: Clustering, _inputs: Inputs) -> list[Claim]:
    """Sets of several affinities: among the items that were left when their round began."""
    sets = _about_sets(result, "sets", "round")
    claims = []
    for group, about in enumerate(sets):
        before = [
            result.members(other) for other, one in enumerate(sets) if one["round"] < about["round"]
        ]
        aside = [one["set_aside"] for one in sets if one["round"] <= about["round"]]
        claims.append(
            _claim(
                result.members(group),
                excluded=_plain(_together(*before, *aside)),
                shares=_column(result, group),
                weights=tuple(map(float, about["weights"])),
            )
        )
    return claims


def _of_more(params: Params, result: Clustering, _inputs: Inputs) -> list[Claim]:
    """Groups of items that are compared more than two at a time, each among those left."""
    sets = _about_sets(result, "sets", "set_aside")
    drawn = result.details.get("drawn_items", ())
    if result.membership is None:
        raise DataError(
            "This result has no memberships, so its groups have no certificate. Compute it with "
            "more memory, or of fewer items.",
            code="groups-needed",
        )
    claims, before = [], np.zeros(0, dtype=np.int64)
    for about, (members, shares) in zip(sets, _supports(result), strict=True):
        before = _together(before, about["set_aside"])
        claims.append(
            _claim(
                members,
                excluded=_plain(before),
                shares=shares,
                order=int(params.get("order", 3)),
                flat=int(params.get("flat", 1)),
                sigma=float(result.details.get("sigma", 0.0)),
                drawn=_plain(drawn),
            )
        )
        before = np.union1d(before, members)
    return claims


def _about_sets(result: Clustering, name: str, needed: str) -> list[Mapping[str, Any]]:
    """What the details say of each set; results of before say too little."""
    sets = result.details.get(name)
    count = 0 if result.cohesiveness is None else len(result.cohesiveness)
    if not isinstance(sets, list) or any(needed not in one for one in sets) or len(sets) != count:
        raise DataError(
            "This result does not say which items its sets were compared with, as those of before "
            "did not. Compute it again to certify it.",
            code="groups-needed",
        )
    return sets


def _supports(result: Clustering) -> Iterator[tuple[Any, Any]]:
    """Yield the members of each set and their shares in it."""
    if result.membership is not None:
        for column in np.asarray(result.membership).T:
            members = np.flatnonzero(column > 0)
            yield members, column[members]
    elif result.details.get("in_sets", -1) == int((result.labels >= 0).sum()):
        for group in range(result.k):
            yield np.flatnonzero(result.labels == group), None
    else:
        raise DataError(
            "This result also labels items outside its sets and has no memberships, so the sets "
            "cannot be recovered. "
            'Compute it with rest = "none".',
            code="groups-needed",
        )


def _column(result: Clustering, group: int) -> Any:
    """The shares of a group, where they were stored."""
    if result.membership is None or group >= result.membership.shape[1]:
        return None
    return np.asarray(result.membership)[result.members(group), group]


def _claim(members: Any, *, shares: Any = None, **what: Any) -> Claim:
    known = () if shares is None else np.asarray(shares, dtype=np.float64)
    return Claim(_plain(members), shares=known, **what)


def _together(*items: Any) -> Any:
    return np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *items]).astype(np.int64))


def _plain(items: Any) -> Ints:
    return np.asarray(items, dtype=np.int64)


_CLAIMS: dict[str, tuple[Callable[[Params, Clustering, Inputs], list[Claim]], str]] = {
    well_known.CLUSTERER_DOMINANT_SETS: (
        _peeled,
        "Each set is compared with the items that were left when it was found.",
    ),
    well_known.CLUSTERER_DOMINANT_OVERLAPPING: (
        _overlapping,
        "Each set is compared with all other items.",
    ),
    well_known.CLUSTERER_DOMINANT_CONSTRAINED: (
        _constrained,
        "Each set is compared with all other items; who is not a seed has −α on the diagonal.",
    ),
    well_known.CLUSTERER_DOMINANT_HIERARCHY: (
        _nested,
        "Each set has −α on the diagonal and is compared with the items of the group it is part "
        "of that were left when it was found.",
    ),
    well_known.CLUSTERER_MULTI_AFFINITY: (
        _weighed,
        "Each set is one of the sum of the affinities with its weights. It is compared with the "
        "items that were left when its round began, and with the other sets of that round.",
    ),
    well_known.CLUSTERER_HYPERGRAPH: (
        _of_more,
        "Each group is an equilibrium of the game that so many items play, compared with the "
        "items that were left when it was found. Items that joined later are not tested.",
    ),
}

CLAIMING = tuple(_CLAIMS)  # methods whose groups are sets by a definition that can be tested
