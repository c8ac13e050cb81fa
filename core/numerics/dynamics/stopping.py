"""When a dynamics ends: at an equilibrium, or as in the textbooks once it hardly moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.dynamics.state import State
from coterie.core.wording import counted

Stop = Literal["gap", "movement"]
NEVER = 0.0  # as the tolerance of a dynamics that another rule ends


def until_still(states: Iterator[State], tolerance: float, most: int) -> Iterator[State]:
    """End a dynamics with the first step that moves x by at most `tolerance`: ‖Δx‖ ≤ tolerance.

    This says nothing about equilibrium: where steps are short, as among many items, it ends early.
    Give the dynamics itself the tolerance `NEVER`, and `most` iterations.

    >>> still, moved = np.array([0.5, 0.5]), np.array([0.4, 0.6])
    >>> walk = [State(i, x, x, 0.5, 0.0, 0.0) for i, x in enumerate([moved, still, still, moved])]
    >>> [(state.iteration, state.converged) for state in until_still(iter(walk), 1e-6, 9)]
    [(0, False), (1, False), (2, True)]
    """
    before: Floats | None = None
    iteration, still = -1, False
    for state in states:
        # A dynamics that looks again where it is shows the same iteration twice.
        moved = np.inf
        if before is not None and state.iteration > iteration:
            moved = float(np.linalg.norm(state.x - before))
        still = moved <= tolerance
        yield replace(state, converged=still)
        if still:
            return
        if state.iteration > iteration:
            before, iteration = state.x.copy(), state.iteration
    if before is not None and not still and iteration < most:
        # It ended by itself: rounding allows no further step.
        yield replace(state, converged=True)


def early_notes(gaps: Iterable[float], tolerance: float) -> Iterator[str]:
    """Say how far those that stopped moving are from equilibrium, if beyond the tolerance."""
    early = [gap for gap in gaps if gap > tolerance]
    if early:
        yield (
            f"{counted(len(early), 'set')} stopped moving with a relative gap of up to "
            f"{max(early):.2g}, which is not an equilibrium within the tolerance."
        )
