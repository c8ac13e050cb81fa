"""Runs a recipe, reusing the results in its project, and reports on each step."""

from __future__ import annotations

from pathlib import Path

from coterie.core.errors import CoterieError, ProjectFileError
from coterie.core.model.recipes import Recipe
from coterie.core.model.result_types import RESULT_TYPES
from coterie.core.wording import listed
from coterie.projects.cli.progress import StepLines
from coterie.projects.cli.session_runner import Work
from coterie.projects.formatting import summary_in_words, time_in_words
from coterie.projects.jobs.job import EngineJob, Failure, Status
from coterie.projects.recipe.inputs import type_of
from coterie.projects.store.target_file import require_place


def begin(work: Work, recipe: Recipe, target: Path, *, fresh: bool) -> None:
    """Give the session its recipe; results in `target` that are still right are kept.

    Anything that would stop the project from being written is found now, not after an hour.
    """
    session = work.session
    require_place(target)
    if fresh or not target.exists():
        session.project.load_recipe(recipe)
        work.result_of(session.project.reserve(target))
        return
    opening = session.project.open_file(target)
    work.finish()
    try:
        opened = opening.result()
    except ProjectFileError as error:
        raise ProjectFileError(
            f"{error} Use --fresh to overwrite it, or choose another file with -o.",
            code="file-exists",
        ) from error
    if opened.header.read_only:
        raise ProjectFileError(
            f"'{target.name}' was written by {opened.header.writer}, a newer version, "
            "and saving could lose some of its contents. Choose another file with -o.",
            code="newer-version",
        )
    session.edits.replace(recipe, "run the recipe")
    for source in recipe.sources:  # the recipe is the user's own and may name any file
        session.files.confirm(source.name)


class RecipeRun:
    """One run of all steps of the session's recipe."""

    def __init__(self, work: Work, lines: StepLines) -> None:
        self._work = work
        self._session = work.session
        self._lines = lines
        self._ended: list[EngineJob] = []
        self._told: set[str] = set()
        recipe = self._session.recipe
        self._names = recipe.ancestors(recipe.names)
        self._keys_before = {
            source.name: self._session.results.key(source.name) for source in recipe.sources
        }
        self._notes: set[str] = set()
        self.cancelled = False
        self.kept: list[str] = []
        self.computed: list[str] = []

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What went wrong, in the order of the steps."""
        found = (self._session.failure(name) for name in self._names)
        return tuple(failure for failure in found if failure is not None)

    def go(self) -> None:
        """Run all steps that can run, sources again, reporting each as it ends."""
        session = self._session
        self._work.await_engine()
        session.job_changed.connect(self._on_job)
        session.run(reread=True)
        lacking = session.results.all_left_out(session.recipe)
        if lacking and session.project.keep == "all":
            session.run(*lacking)

        def is_done() -> bool:
            self._tell_ended()
            return not session.busy

        self._work.until(is_done)
        self._tell_ended()
        self.cancelled = self._work.interrupted  # while writing, Ctrl-C comes too late to matter
        for name in self._names:
            self._tell_rest(name)

    def save(self, target: Path) -> bool:
        """Write the project, unless nothing at all could be computed."""
        session = self._session
        if not any(session.status(name) is Status.FRESH for name in self._names):
            return False
        saving = session.project.save(target)
        self._work.finish()
        try:
            saving.result()
        except CoterieError as error:
            if error.code == "saved-in-doubt":
                raise
            self._work.keep = True
            raise ProjectFileError(
                f"{error} The results are kept; Coterie offers to restore them at the next start.",
                code="project-not-saved",
            ) from error
        return True

    def _on_job(self, job: EngineJob) -> None:
        if job.active:
            self._lines.at_work(job)
        else:
            self._ended.append(job)

    def _tell_ended(self) -> None:
        while self._ended:
            job = self._ended.pop(0)
            self._lines.clear()
            for name in self._names[: self._names.index(job.step)]:
                self._tell_kept(name)
            self._tell_job(job)

    def _tell_job(self, job: EngineJob) -> None:
        self._told.add(job.step)
        if job.state != "finished":
            self._lines.line(job.step, job.state, "red")
            return
        noun = self._session.fetch(job.step)
        if self._keys_before.get(job.step) == self._session.results.key(job.step):
            self.kept.append(job.step)
            self._lines.line(job.step, f"{summary_in_words(noun)} (unchanged)", "green")
            return
        self.computed.append(job.step)
        self._lines.line(job.step, f"{summary_in_words(noun)} ({time_in_words(job.seconds)})")
        for note in noun.notes:
            if note not in self._notes:  # what is known of the data is handed on by transforms
                self._notes.add(note)
                self._lines.note(note)

    def _tell_kept(self, name: str) -> None:
        session = self._session
        if name in self._told or session.status(name) is not Status.FRESH:
            return
        self._told.add(name)
        self.kept.append(name)
        words = "from cache"
        known = RESULT_TYPES.get(type_of(session.recipe, session.catalogue, name))
        if known is not None and known.headline:  # others are not worth reading back for a word
            noun = session.fetch(name)
            words = f"{summary_in_words(noun)} ({words})" if noun is not None else words
        self._lines.line(name, words, "green")

    def _tell_rest(self, name: str) -> None:
        self._tell_kept(name)
        if name in self._told:
            return
        self._told.add(name)
        recipe = self._session.recipe
        if self._session.failure(name) is not None:
            self._lines.line(name, "failed", "red")
            return
        if self._session.status(name) is Status.LEFT_OUT:
            self.kept.append(name)
            self._lines.line(name, "not stored, and not needed", "green")
            return
        if (off := recipe.switched_off().get(name)) is not None:
            skipped = f"skipped: needs {off!r}, which is switched off"
            self._lines.line(name, "switched off" if off == name else skipped, "yellow")
            return
        needed = [above for above in recipe.ancestors([name]) if self._session.failure(above)]
        if needed:
            reason = f"skipped: needs {listed([repr(above) for above in needed])}"
        else:
            reason = "cancelled"
        self._lines.line(name, reason, "yellow")
