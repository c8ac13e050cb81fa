"""Certificates: what holds of a group by the definition of a dominant set, as data to check.

With zeros on the diagonal, a set S of m items and B the matrix [[0, 1ᵀ], [1, A_S]], the definition
(Pavan, Pelillo 2007) can be tested without its recursion over all subsets:

* W(S) = (−1)^m det B, and w_S(i) = W(S) xᵢ, where x solves A_S x = λ 1 and sums to 1;
* W(T) > 0 for every subset T of S exactly when yᵀA y < 0 for all y ≠ 0 among the members that sum
  to 0, as the bordered determinants of such a form alternate;
* w_{S ∪ i}(i) / W(S) = (A x)ᵢ − xᵀA x for every i outside.

So S is a dominant set exactly when that form is negative definite, all xᵢ are positive, and all
margins (A x)ᵢ − xᵀA x of the items outside are negative. Constrained dominant sets are the same
with −α on the diagonal of all items but the seeds (Zemene, Pelillo 2016), the groups of a hierarchy
with −α on the whole diagonal (Pavan, Pelillo 2003).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from coterie.core.errors import DataError, ParameterError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation
from coterie.core.numerics.dynamics.simplex import barycentre
from coterie.core.numerics.similarity.distances import Check, row_blocks

Verdict = Literal["holds", "fails", "undecided"]
MOST_MEMBERS = 2000  # the test by the definition takes O(members³); beyond, the conditions do
MOST_NAMED = 10  # items that would leave or join which a certificate names
MOST_STEPS, LEAST = 10_000, 1e-5  # of members that evolve among themselves, and a share that counts
EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class SetCertificate:
    """What holds of a set of items.

    Attributes
    ----------
    members : positions of the items in the set, rising
    excluded : positions of items that were taken away before it was looked for
    how : by the definition, or by the conditions of an equilibrium where the set is too large or
        the similarities are not symmetric
    shares : (m,) x, which is w_S(i) / W(S); by the conditions, the shares given
    cohesiveness : xᵀA x
    definite : whether W(T) > 0 for all subsets T; None where it was not tested
    spread : by how much payoffs differ among the members; 0 but for rounding by the definition
    least : smallest share of a member
    leaving : members whose share is not positive, that with the smallest first; of a set that is
        not definite, those who lose their share when the members evolve among themselves
    largest : largest margin (A x)ᵢ − xᵀA x of an item outside; −inf when there is none
    joining : items outside whose margin is not negative, that with the largest first
    nearest, margins : the items outside with the largest margins, that with the largest first
    rounding : margins up to this may be rounding
    alpha, seeds : price on the diagonal of all items but the seeds; 0 but for constrained sets and
        those of a hierarchy
    order : number of items compared at a time; of more than two, payoffs are those of that game
    game : what else there is to know of the game, as plain data: the weights of several affinities
        and the units these are in, or the width of similarities of more than two items
    astray : members that are not in the group of a hierarchy that the set is part of
    beaten_by : numbers of the sets that are at least as good in all affinities and better in one
    verdict : "undecided" when a margin is within rounding of 0
    """

    members: Ints
    excluded: Ints
    how: Literal["definition", "equilibrium"]
    shares: Floats
    cohesiveness: float
    definite: bool | None
    spread: float
    least: float
    leaving: Ints
    largest: float
    joining: Ints
    rounding: float
    verdict: Verdict
    nearest: Ints
    margins: Floats
    alpha: float = 0.0
    seeds: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    order: int = 2
    game: Mapping[str, Any] = field(default_factory=dict)
    astray: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    beaten_by: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data, positions counted from 0."""
        return {
            "kind": "dominant-set" if self.order == 2 else "hypergraph-equilibrium",
            "members": self.members.tolist(),
            "excluded": self.excluded.tolist(),
            "how": self.how,
            "shares": self.shares.tolist(),
            "cohesiveness": self.cohesiveness,
            "definite": self.definite,
            "spread": self.spread,
            "least_share": self.least,
            "would_leave": self.leaving[:MOST_NAMED].tolist(),
            "would_leave_in_all": len(self.leaving),
            "largest_margin": self.largest if np.isfinite(self.largest) else None,
            "would_join": self.joining[:MOST_NAMED].tolist(),
            "would_join_in_all": len(self.joining),
            "nearest_outside": self.nearest.tolist(),
            "margins": self.margins.tolist(),
            "rounding": self.rounding,
            "alpha": self.alpha,
            "seeds": self.seeds.tolist(),
            "order": self.order,
            "game": dict(self.game),
            "not_in_parent": self.astray.tolist(),
            "beaten_by": self.beaten_by.tolist(),
            "verdict": self.verdict,
        }


def certify_set(
    affinity: Affinity,
    members: Ints,
    *,
    excluded: Ints | None = None,
    shares: Floats | None = None,
    alpha: float = 0.0,
    seeds: Ints | None = None,
    check: Check | None = None,
) -> SetCertificate:
    """Say whether items are a dominant set of the similarities, and how clearly.

    Parameters
    ----------
    members : positions of the items
    excluded : positions of items to leave out of the comparison, such as sets found earlier
    shares : of the members in an equilibrium, used where the definition cannot be tested; found
        by letting them evolve among themselves unless given
    alpha, seeds : of a constrained set: the diagonal of all items but the seeds is −α

    Notes
    -----
    O(m³ + n m) time, O(n) memory besides blocks of rows.

    References
    ----------
    Pavan, Pelillo (2007). Dominant sets and pairwise clustering. IEEE PAMI 29(1).

    Examples
    --------
    >>> A = np.array([[0, 4, 3, 0], [4, 0, 3, 0], [3, 3, 0, 1], [0, 0, 1, 0.0]])
    >>> found = certify_set(Affinity(values=A), np.array([0, 1, 2]))
    >>> found.verdict, found.how
    ('holds', 'definition')
    >>> certify_set(Affinity(values=A), np.array([2, 3])).joining.tolist()
    [0, 1]
    """
    inside, aside = _checked(affinity, members, excluded)
    free = np.zeros(0, dtype=np.int64) if seeds is None else np.unique(seeds)
    priced = ~np.isin(inside, free)
    alike = not alpha or bool(priced.all())  # so the members can evolve among themselves
    inner = affinity.submatrix(inside)
    by_definition = len(inside) <= MOST_MEMBERS and affinity.symmetric
    definite: bool | None = None
    if by_definition:
        A = np.array(inner.to_dense(), dtype=np.float64)
        A[np.diag_indices(len(A))] = np.where(priced, -alpha, 0.0)
        scale = float(np.abs(A).max(initial=0.0))
        definite = _negative_definite(A, scale)
        x = _characteristic(A)
        payoffs = A @ x
    else:
        game = Game.of(inner, check=check)
        scale = max(game.scale, alpha)
        settled = shares is None and alike
        x = _settled(inner, alpha, check) if settled else given_shares(shares, len(inside))
        payoffs = game.payoffs(x) * game.scale - alpha * priced * x
    cohesiveness = float(x @ payoffs)
    margins, items = _margins(affinity, inside, aside, x, cohesiveness, check)
    outer = max(scale, float(np.abs(margins).max(initial=0.0)))
    rounding = 16 * EPSILON * (len(inside) + 2) * outer * max(1.0, float(np.abs(x).sum()))
    if not by_definition:
        # Shares that a dynamics ended with are known to its tolerance, not to rounding.
        rounding = max(rounding, 10 * float(np.abs(payoffs - cohesiveness).max()))
    weights = _settled(inner, alpha, check) if definite is False and alike else x
    leaving = np.argsort(weights, kind="stable")
    leaving = inside[leaving[weights[leaving] <= 0]]
    ahead = np.argsort(-margins, kind="stable")
    joining = items[ahead[margins[ahead] >= 0]]
    least, largest = float(x.min()), float(margins.max(initial=-np.inf))
    return SetCertificate(
        members=inside,
        excluded=aside,
        how="definition" if by_definition else "equilibrium",
        shares=x,
        cohesiveness=cohesiveness,
        definite=definite,
        spread=float(np.abs(payoffs - cohesiveness).max()),
        least=least,
        leaving=leaving,
        largest=largest,
        joining=joining,
        rounding=rounding,
        verdict=verdict_of(definite, least, largest, rounding),
        nearest=items[ahead[:MOST_NAMED]],
        margins=margins[ahead[:MOST_NAMED]],
        alpha=alpha,
        seeds=free,
    )


def _checked(affinity: Affinity, members: Ints, excluded: Ints | None) -> tuple[Ints, Ints]:
    inside = np.unique(np.asarray(members, dtype=np.int64))
    aside = np.unique(np.asarray(() if excluded is None else excluded, dtype=np.int64))
    both = np.concatenate([inside, aside])
    if not len(inside):
        raise ParameterError("Choose at least one item to certify.", code="empty-data")
    if both.min() < 0 or both.max() >= affinity.n:
        raise ParameterError(
            f"There are {affinity.n} items, so positions go from 0 to {affinity.n - 1}. "
            f"Got {both.min()} to {both.max()}.",
            code="unknown-item",
        )
    if len(np.intersect1d(inside, aside)):
        raise ParameterError(
            "An item cannot be in the set and excluded as well.", code="invalid-parameters"
        )
    affinity.require_finite()
    return inside, aside


def _characteristic(A: Floats) -> Floats:
    """The x with A x = λ 1 that sums to 1, or the nearest to it of a singular system."""
    m = len(A)
    B = np.zeros((m + 1, m + 1))
    B[0, 1:] = B[1:, 0] = 1.0
    B[1:, 1:] = A
    right = np.zeros(m + 1)
    right[0] = 1.0
    try:
        found = np.linalg.solve(B, right)
    except np.linalg.LinAlgError:
        found = np.linalg.lstsq(B, right, rcond=None)[0]
    return np.asarray(found[1:])


def _settled(inner: Affinity, alpha: float, check: Check | None) -> Floats:
    """The shares of an equilibrium of the members among themselves, from all alike."""
    game = Game.of(inner, own=-alpha, check=check)
    states = infection_immunisation(game, barycentre(inner.n), max_iterations=MOST_STEPS)
    state = deque(states, maxlen=1)[0]
    return np.where(state.x > LEAST * state.x.max(), state.x, 0.0)


def _negative_definite(A: Floats, scale: float) -> bool:
    """Whether yᵀA y < 0 for all y ≠ 0 that sum to 0, clearly beyond rounding."""
    m = len(A)
    if m == 1:
        return True  # there is no such y
    if scale == 0.0:
        return False
    units = A / scale
    means = units.mean(axis=1)
    projected = units - means[:, None] - means[None] + means.mean() - 1.0 / m
    falling = -projected
    falling[np.diag_indices(m)] -= 16 * EPSILON * m
    try:
        np.linalg.cholesky(falling)
    except np.linalg.LinAlgError:
        return False
    return True


def given_shares(shares: Floats | None, m: int) -> Floats:
    """Return the shares of m items, to sum to 1, or raise a clear error when there are none."""
    if shares is None or len(shares) != m or not float(np.sum(shares)) > 0:
        raise DataError(
            f"A set of {m} items needs as many shares, with a sum above 0. Certify a result that "
            "has memberships.",
            code="groups-needed",
        )
    return np.asarray(shares, dtype=np.float64) / float(np.sum(shares))


def _margins(
    affinity: Affinity,
    inside: Ints,
    aside: Ints,
    x: Floats,
    cohesiveness: float,
    check: Check | None,
) -> tuple[Floats, Ints]:
    """(A x)ᵢ − xᵀA x of the items outside, and which they are; by rows, so no product is lost."""
    outside = np.setdiff1d(np.arange(affinity.n), np.concatenate([inside, aside]))
    margins = np.zeros(len(outside))
    for block in row_blocks(len(outside), affinity.n):
        if check is not None:
            check()
        margins[block] = affinity.rows(outside[block])[:, inside] @ x - cohesiveness
    return margins, outside


def verdict_of(definite: bool | None, least: float, largest: float, rounding: float) -> Verdict:
    """Say what follows from the three conditions; a tie within rounding is undecided."""
    if definite is False or least < -rounding or largest > rounding:
        return "fails"
    if least <= 0 or largest >= -rounding:
        return "undecided"
    return "holds"
