"""Runs whole recipes, and saves projects, through a session as the window does."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from coterie.core import errors
from coterie.core.io import clock
from coterie.core.model.recipes import Recipe
from coterie.jobs import Job
from coterie.projects.jobs.job import EngineJob, Failure
from coterie.projects.recipe.inputs import with_reader
from coterie.projects.store.target_file import require_place
from coterie.scratch import ScratchFolder

if TYPE_CHECKING:
    from coterie.projects.session import Session

_GLANCE = 0.05
_PATIENCE = 180.0  # seconds for an engine to load its plugins
SUFFIX = ".coterie.h5"


class Ran(NamedTuple):
    """A recipe that ran: its file, what failed, and the folder that goes away with it."""

    path: Path
    failures: dict[str, Failure]
    folder: ScratchFolder | None


def run_recipe(
    recipe: Recipe,
    job: Job,
    *,
    save: str | PathLike[str] | None,
    strict: bool,
    attach_from: Sequence[Path] = (),
) -> Ran:
    """Compute all steps of a recipe and write them to a project file.

    Parameters
    ----------
    attach_from : folders whose files are kept inside the project, as they will be gone
    """
    folder = None if save is not None else ScratchFolder("project")
    target = folder.path / f"project{SUFFIX}" if folder is not None else _target(save)
    with started(job) as session:
        sources = tuple(with_reader(source, session.catalogue) for source in recipe.sources)
        session.project.load_recipe(replace(recipe, sources=sources))
        _follow(session, job)
        failures = _failures(session)
        if strict and failures:
            raise _error_of(next(iter(failures.values())))
        for source in recipe.sources:
            if any(Path(source.open).is_relative_to(place) for place in attach_from):
                _finish(session, session.files.attach(source.name))
        # A file that goes away with the results has all of them; one that stays is kept small.
        session.project.keep = "all" if save is None else "quick"
        _finish(session, session.project.save(target))
    return Ran(target, failures, folder)


def _target(save: str | PathLike[str] | None) -> Path:
    """Where a project is to be written; nothing is computed for a place that cannot be."""
    target = Path(save or "").absolute()
    require_place(target, "choose another place")
    return target


def save_as(path: Path, target: Path) -> None:
    """Write a project to another file, with its references to data as they are right from there."""
    require_place(target, "choose another place")
    with started(Job()) as session:
        _finish(session, session.project.open_file(path, lock=False))
        _finish(session, session.project.save(target))


def write_whole(path: Path, target: Path) -> None:
    """Write a project to another file with the results that it does without, computed again."""
    with started(Job()) as session:
        _finish(session, session.project.open_file(path, lock=False))
        if left_out := session.results.all_left_out(session.recipe):
            session.run(*left_out)
            session.wait()
        if failures := _failures(session):
            raise _error_of(next(iter(failures.values())))
        session.project.keep = "all"
        _finish(session, session.project.save(target))


@contextmanager
def started(job: Job) -> Iterator[Session]:
    """Start a session, wait until it knows its methods, and close it whatever happens."""
    from coterie.projects.session import Session

    session = Session(engine=job.engine, options=job.options)
    try:
        session.start()
        began = clock.seconds()
        while not session.catalogue.methods:
            time.sleep(_GLANCE)
            session.pump()
            if clock.seconds() - began > _PATIENCE:
                raise errors.EngineError("The engine did not start.", code="engine-start")
        yield session
    finally:
        session.close()


def _follow(session: Session, job: Job) -> None:
    """Run all steps, telling of the progress; stop when that is asked for."""
    total = len(session.recipe.names)
    ended: set[str] = set()

    def on_job(news: EngineJob) -> None:
        if not news.active:
            ended.add(news.step)
        if job.tell is not None:
            share = (len(ended) + (news.done if news.active else 0.0)) / max(1, total)
            job.tell(min(share, 1.0), f"{news.title} {news.message}".strip())

    session.job_changed.connect(on_job)
    session.run(reread=True)
    session.pump()
    while session.busy:
        if job.is_cancelled():
            session.cancel()
            session.wait()
            raise errors.Cancelled
        session.wait(_GLANCE)


def _failures(session: Session) -> dict[str, Failure]:
    found = {name: session.failure(name) for name in session.recipe.names}
    return {name: failure for name, failure in found.items() if failure is not None}


def _error_of(failure: Failure) -> errors.CoterieError:
    error = errors.RecipeError(
        f"{failure.title}: {failure.message}", code=failure.code or "method-failed"
    )
    if failure.traceback:
        error.add_note(failure.traceback)
    return error


def _finish(session: Session, asked: object) -> None:
    """Let the session work until nothing is left to do, and raise what went wrong."""
    session.wait()
    result = getattr(asked, "result", None)
    if result is not None:
        result()
