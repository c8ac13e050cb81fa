"""Certificates of groups found by comparing more than two items at a time.

The game of k players has f(x) = Σ w_e Π_{i ∈ e} xᵢ, over sets e of k items. x on the simplex is an
equilibrium of it, and meets the conditions of Karush, Kuhn and Tucker for a maximum of f, when
∂ᵢf / k is the same for all items with a share, which is f(x) itself, and at most that for all
others (Baum, Eagon 1967; Rota Bulò, Pelillo 2013).
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.certificates.dominant_sets import (
    EPSILON,
    MOST_NAMED,
    MOST_STEPS,
    SetCertificate,
    given_shares,
    verdict_of,
)
from coterie.core.numerics.dynamics.baum_eagon import BOOST, baum_eagon
from coterie.core.numerics.similarity.hyperedges import Hyperedges
from coterie.core.numerics.similarity.triples import Triples

TIGHT = 1e-13  # gap to which the members evolve among themselves, relative to f
DYING = 1e-7  # of the largest share: who falls below it has none in the equilibrium


def certify_equilibrium(
    polynomial: Triples | Hyperedges,
    members: Ints,
    shares: Floats,
    *,
    excluded: Ints | None = None,
) -> SetCertificate:
    """Say whether items are the support of an equilibrium of a game of more than two players.

    Parameters
    ----------
    polynomial : f, by its sets of items and their similarities
    members, shares : the items, and a population of them close to the equilibrium
    excluded : positions of items to leave out of the comparison

    Notes
    -----
    The members evolve among themselves from the shares given, until payoffs differ by rounding.
    O(sets among the members) time for each step, O(sets) memory.

    Examples
    --------
    >>> from coterie.core.numerics.similarity.triples import all_triples
    >>> cube = Triples(4, all_triples(4), np.array([1.0, 0.2, 0.2, 0.2]))
    >>> found = certify_equilibrium(cube, np.arange(3), np.full(3, 1 / 3))
    >>> found.verdict, round(found.cohesiveness * 27, 12), found.order
    ('holds', 1.0, 3)
    >>> certify_equilibrium(cube, np.arange(1, 4), np.full(3, 1 / 3)).joining.tolist()
    [0]
    """
    aside = np.zeros(0, dtype=np.int64) if excluded is None else np.unique(excluded)
    x = _settled(polynomial, members, given_shares(shares, len(members)))
    whole = np.zeros(polynomial.n)
    whole[members] = x
    payoffs = polynomial.slopes(whole) / polynomial.degree
    f = float(payoffs @ whole)
    staying = x > 0
    spread = float(np.abs(payoffs[members[staying]] - f).max())
    outside = np.setdiff1d(np.arange(polynomial.n), np.concatenate([members, aside]))
    margins = payoffs[outside] - f
    outer = max(f, float(payoffs[outside].max(initial=0.0)))
    terms = int(np.isin(polynomial.items, members).all(axis=0).sum())
    # Sums of so many products; and shares are known to what is left of the gap, not to rounding.
    rounding = max(4 * EPSILON * (np.sqrt(terms) + 16) * outer, 10 * spread)
    ahead = np.argsort(-margins, kind="stable")
    least, largest = float(x.min()), float(margins.max(initial=-np.inf))
    leaving = members[~staying]
    verdict = verdict_of(None, least, largest, rounding)
    return SetCertificate(
        members=members,
        excluded=aside,
        how="equilibrium",
        shares=x,
        cohesiveness=f,
        definite=None,
        spread=spread,
        least=least,
        leaving=leaving,
        largest=largest,
        joining=outside[ahead[margins[ahead] >= 0]],
        rounding=rounding,
        verdict="fails" if len(leaving) or f <= 0 else verdict,
        nearest=outside[ahead[:MOST_NAMED]],
        margins=margins[ahead[:MOST_NAMED]],
        order=polynomial.degree,
    )


def _settled(polynomial: Triples | Hyperedges, members: Ints, shares: Floats) -> Floats:
    """The shares of an equilibrium of the members among themselves; 0 for those who lose theirs."""
    m = len(members)
    inside = polynomial.among(np.isin(np.arange(polynomial.n), members))
    scale = float(inside.weights.max(initial=0.0)) or 1.0
    alone = replace(
        inside,
        n=m,
        items=np.searchsorted(members, inside.items),
        weights=inside.weights / scale,
    )
    states = baum_eagon(
        alone, shares, tolerance=TIGHT, max_iterations=MOST_STEPS, support=DYING, boost=BOOST
    )
    state = deque(states, maxlen=1)[0]
    # Who has a small share but earns no less than the others is on the way up, not out.
    dying = (state.x < DYING * state.x.max()) & (state.payoffs < state.objective)
    x: Floats = np.where(dying, 0.0, state.x)
    return np.asarray(x / x.sum())
