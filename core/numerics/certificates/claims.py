"""What a method says of a group, and the test of it against the similarities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.certificates.dominant_sets import SetCertificate, certify_set
from coterie.core.numerics.certificates.hypergraph_groups import certify_equilibrium
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.pareto import weighted_sum
from coterie.core.numerics.similarity.sampled_triples import OnLines, Similar

if TYPE_CHECKING:
    from coterie.core.api.context import Context

Numbers = Sequence[int] | Ints
ALL = 1 << 62  # sets of items: which are compared is known by the items that were drawn


@dataclass(frozen=True, eq=False)
class Claim:
    """A group and the game in which it is said to be one.

    Attributes
    ----------
    members : positions of its items
    excluded : positions of the items it is not compared with
    shares : of the members, where they are known
    alpha, seeds : price on the diagonal of all items but the seeds
    parent : the group that it is part of; empty for none
    weights : of several affinities
    order, flat, sigma, drawn : number of items compared at a time, the dimension of the shape that
        fits them and its width, and the items that were compared; empty for all
    """

    members: Numbers
    excluded: Numbers = ()
    shares: Sequence[float] | Floats = ()
    alpha: float = 0.0
    seeds: Numbers = ()
    parent: Numbers = ()
    weights: tuple[float, ...] = ()
    order: int = 2
    flat: int = 1
    sigma: float = 0.0
    drawn: Numbers = ()


def certify_claims(
    claims: Sequence[Claim], inputs: Sequence[Any], context: Context
) -> list[SetCertificate]:
    """Test groups of one result against the similarities, or the features, that it came from.

    >>> from coterie.core import Context
    >>> A = Affinity(values=np.array([[0, 4, 1], [4, 0, 1], [1, 1, 0.0]]))
    >>> whole = Claim((0, 1, 2), alpha=5.0)
    >>> certify_claims([whole, Claim((0, 1, 2))], [A], Context())[0].verdict
    'holds'
    """
    if not claims:
        return []
    if claims[0].order > 2:
        return _of_more(claims, inputs, context)
    affinities = [one for one in inputs if isinstance(one, Affinity)]
    if claims[0].weights:
        return _of_several(claims, affinities, context)
    return [_of_one(claim, affinities[0], context) for claim in claims]


def _of_one(claim: Claim, affinity: Affinity, context: Context) -> SetCertificate:
    context.check()
    members = _positions(claim.members)
    astray = np.setdiff1d(members, claim.parent) if len(claim.parent) else members[:0]
    found = certify_set(
        affinity,
        members,
        excluded=np.setdiff1d(claim.excluded, members).astype(np.int64),
        shares=np.array(claim.shares) if len(claim.shares) else None,
        alpha=claim.alpha,
        seeds=_positions(claim.seeds),
        check=context.check,
    )
    return replace(found, astray=astray, verdict="fails" if len(astray) else found.verdict)


def _of_several(
    claims: Sequence[Claim], affinities: Sequence[Affinity], context: Context
) -> list[SetCertificate]:
    """Sets of weighted sums; those of the same weights one after another, as a sum is large."""
    games = [Game.of(affinity, check=context.check) for affinity in affinities]
    units = [game.scale for game in games]
    found: dict[int, SetCertificate] = {}
    for weights in dict.fromkeys(claim.weights for claim in claims):
        total = weighted_sum(games, np.array(weights))
        for number, claim in enumerate(claims):
            if claim.weights == weights:
                one = _of_one(claim, total, context)
                found[number] = replace(one, game={"weights": list(weights), "units": units})
    return [found[number] for number in range(len(claims))]


def _of_more(
    claims: Sequence[Claim], inputs: Sequence[Any], context: Context
) -> list[SetCertificate]:
    """Groups of items that are compared more than two at a time."""
    about, data = claims[0], inputs[0]
    drawn = _positions(about.drawn) if len(about.drawn) else np.arange(data.n)
    source: Similar | OnLines
    game: dict[str, Any] = {"compared": len(drawn)}
    if isinstance(data, Affinity):
        source = Similar.of(data, ALL, context, order=about.order, drawn=drawn)
        game["from"] = "similarities"
    elif isinstance(data, Dataset):
        source = OnLines.of(
            data,
            about.sigma,
            ALL,
            context,
            fraction=1.0,
            order=about.order,
            flat=about.flat,
            drawn=drawn,
        )
        game |= {"from": "features", "sigma": about.sigma, "flat": about.flat}
    else:
        raise DataError("Groups are tested against similarities or features.", code="wrong-type")
    apart = np.setdiff1d(np.arange(data.n), drawn)
    found = []
    for claim in claims:
        context.check()
        one = certify_equilibrium(
            source.triples,
            _positions(claim.members),
            np.array(claim.shares),
            excluded=np.union1d(apart, _positions(claim.excluded)),
        )
        found.append(replace(one, game=game))
    return found


def _positions(items: Numbers) -> Ints:
    return np.array(items, dtype=np.int64)
