"""Messages about failed steps, with the actions that would fix them. Knows no widgets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from coterie.core.errors import FIND_FILE
from coterie.core.model.recipes import Source, Step
from coterie.gui.toolkit.problems import PLUGINS, Problem
from coterie.projects.jobs.job import Status
from coterie.projects.recipe.edits import remedy_title

if TYPE_CHECKING:
    from coterie.projects.jobs.job import Failure
    from coterie.projects.session import Session

_RELINK = (FIND_FILE, "Locate file…")
_PLUGINS = (PLUGINS, "Plugins…")


def problem_of(session: Session, failure: Failure) -> Problem:
    """Return the failure as a problem, with those of its offers that fit the recipe."""
    if failure.step not in session.recipe.names:
        return Problem.of_failure(failure)
    found = (
        (
            use,
            "Locate file…"
            if use == FIND_FILE
            else remedy_title(session.recipe, session.catalogue, failure.step, use),
        )
        for use in failure.offer
    )
    offered = tuple((use, words) for use, words in found if words)
    part = session.recipe.find(failure.step)
    if isinstance(part, Step) and part.use not in session.catalogue:
        offered = (*offered, _PLUGINS)
    return Problem.of_failure(failure, offered)


def standing_problem(session: Session, name: str, *, lost: bool) -> Problem | None:
    """Return what is wrong with a step before it is run: its plugin or its file is not here.

    Parameters
    ----------
    lost : whether the file that a source reads was looked for and is gone
    """
    part = session.recipe.find(name)
    if isinstance(part, Source):
        return Problem(lost_file(part), step=name, remedies=(_RELINK,)) if lost else None
    if session.status(name) is not Status.BROKEN or not session.catalogue.methods:
        return None
    plugin = part.use.partition("/")[2].rpartition(":")[0]
    which = "A file in the plugin folder" if plugin == "local" else f"The plugin '{plugin}'"
    which = which if plugin else "A newer Coterie"
    return Problem(
        f"{which} provides '{part.use}', but it is missing, switched off or broken. "
        "Earlier results are kept. Fix the plugin, or choose another method.",
        step=name,
        remedies=(_PLUGINS,),
    )


def lost_file(source: Source) -> str:
    """Say that the file of a source is gone, and what that means."""
    place = Path(source.open)
    where = f"in the folder '{place.parent.name}'" if place.parent.name else "where it was"
    return (
        f"'{place.name}' is no longer {where}. The data already read are kept. Locate "
        "the file, or move it back."
    )
