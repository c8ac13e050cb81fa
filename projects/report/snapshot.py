"""A project at one moment, so a report can be written on another thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coterie.core.model.recipes import Recipe, Source

if TYPE_CHECKING:
    from coterie.projects.session import Session


@dataclass(frozen=True, eq=False)
class StepSnapshot:
    """What is known of one source or step.

    Attributes
    ----------
    noun, trace : its newest result and how it converged; None when not computed, or not in reach
    failure : why it could not be computed
    """

    title: str
    noun: Any = None
    trace: Any = None
    stale: bool = False
    failure: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A project: its title, recipe, and what each step gave."""

    title: str
    recipe: Recipe
    steps: Mapping[str, StepSnapshot]


def take(session: Session, artefact: Callable[..., Any] | None = None) -> Snapshot:
    """Take down how the project stands; `artefact` fetches a result, by default without waiting."""
    fetch = artefact or session.results.artefact
    steps = {}
    for name in session.recipe.names:
        failure = session.failure(name)
        steps[name] = StepSnapshot(
            title=_title(session, name),
            noun=fetch(name),
            trace=fetch(name, "trace") if "trace" in session.results.parts(name) else None,
            stale=str(session.status(name)) == "stale",
            failure="" if failure is None else failure.message,
            provenance=session.results.provenance(name),
        )
    return Snapshot(session.project.title, session.recipe, steps)


def _title(session: Session, name: str) -> str:
    part = session.recipe.find(name)
    if isinstance(part, Source):
        return part.open.replace("\\", "/").rsplit("/", 1)[-1]
    if part.use in session.catalogue:
        return session.catalogue.get(part.use).title
    return str(session.results.provenance(name).get("title") or part.use)
