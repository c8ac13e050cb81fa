"""What a person hears of a failed step, with what would mend it. Knows no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coterie.core.errors import FIND_FILE
from coterie.gui.errors import Problem
from coterie.projects.rearranging import remedy_title

if TYPE_CHECKING:
    from coterie.projects.jobs import Failure
    from coterie.projects.session import Session


def problem_of(session: Session, failure: Failure) -> Problem:
    """Return the failure as a problem, with those of its offers that fit the recipe."""
    if failure.step not in session.recipe.names:
        return Problem.of_failure(failure)
    found = (
        (
            use,
            "Find file…"
            if use == FIND_FILE
            else remedy_title(session.recipe, session.catalogue, failure.step, use),
        )
        for use in failure.offer
    )
    return Problem.of_failure(failure, tuple((use, words) for use, words in found if words))
