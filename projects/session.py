"""The session: an open project with its recipe, artefacts, engine and selection.

The window, the command line and scripts all drive this one object. It belongs to one thread and
never blocks it: work happens in the engine process, file work on the storage's thread, and what
they report is taken in by `pump`, which the owner calls after `notify` was.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core import clock
from coterie.core.catalogue_cache import CatalogueCache
from coterie.core.components import Cost
from coterie.core.context import Frame
from coterie.core.descriptors import Catalogue
from coterie.core.engine.messages import (
    CatalogueMessage,
    EngineState,
    Estimated,
    Event,
    Failed,
    Finished,
    Order,
)
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import CoterieError, ProjectFileError, RecipeError, WorkspaceError
from coterie.core.folders import workspaces_folder
from coterie.core.recipes import Recipe, Source, Step
from coterie.projects.edits import Edits
from coterie.projects.jobs import Failure, Job, Status
from coterie.projects.planning import (
    Computed,
    check_inputs,
    default_recipe,
    fitting_inputs,
    implied_keys,
    reader_of,
    request_of,
    sample_recipe,
)
from coterie.projects.recipe_files import (
    is_sample,
    parse_recipe,
    read_recipe,
    with_absolute_paths,
    with_relative_paths,
    write_recipe,
)
from coterie.projects.scheduler import EngineKind, Scheduler
from coterie.projects.selection import Selection
from coterie.projects.storage import Opened, Storage


class Session:
    """An open project.

    Signals are emitted on the owner's thread, from `pump` or from the call that caused them.
    """

    recipe_changed: ClassVar[Signal] = Signal()
    step_changed: ClassVar[Signal] = Signal(str)
    job_changed: ClassVar[Signal] = Signal(Job)
    framed: ClassVar[Signal] = Signal(str, Frame)
    happened: ClassVar[Signal] = Signal(str, str, dict)
    failed: ClassVar[Signal] = Signal(Failure)
    logged: ClassVar[Signal] = Signal(str)
    catalogue_changed: ClassVar[Signal] = Signal()
    engine_changed: ClassVar[Signal] = Signal(str)
    estimated: ClassVar[Signal] = Signal(str, object)
    saved: ClassVar[Signal] = Signal(object)

    def __init__(
        self,
        *,
        engine: EngineKind = "process",
        options: EngineOptions | None = None,
        root: Path | None = None,
    ) -> None:
        options = options or EngineOptions()
        self._storage = Storage(root or workspaces_folder())
        self._scheduler = Scheduler(self._storage.folder, engine, options, self)
        self._cache = CatalogueCache(
            options.catalogue_file, options.plugin_folders, safe_mode=options.safe_mode
        )
        self.catalogue: Catalogue = self._cache.read() or Catalogue()
        self.selection = Selection()
        self.view: dict[str, Any] = {}
        self.path: Path | None = None
        self.modified = False
        self._created = clock.timestamp()
        self._edits = Edits(Recipe())
        self._computed: dict[str, Computed] = {}
        self._implied: dict[str, str] = {}
        self._failures: dict[str, Failure] = {}
        self._queue: list[str] = []
        self._reread: set[str] = set()
        self._unconfirmed: set[str] = set()
        self._nouns: dict[str, Any] = {}
        self._bringing: set[str] = set()
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake = threading.Event()
        self._notify: Callable[[], None] | None = None

    # Life ---------------------------------------------------------------------------------------

    def start(self, notify: Callable[[], None] | None = None) -> None:
        """Start the engine; `notify` is called from other threads when `pump` has work."""
        self._notify = notify
        self._scheduler.start(self._woken)

    def pump(self) -> None:
        """Take in what the engine and the file thread have to say."""
        self._wake.clear()
        self._scheduler.pump()
        while not self._calls.empty():
            self._calls.get()()
        self._advance()

    def wait(self, seconds: float | None = None) -> None:
        """Run until nothing is left to do, or for at most `seconds`; for scripts and tests."""
        until = None if seconds is None else clock.seconds() + seconds
        self.pump()
        while self.busy and (until is None or clock.seconds() < until):
            self._wake.wait(0.05)
            self.pump()

    def close(self, *, keep_work: bool = False) -> None:
        """End the engine and give up the workspace; `keep_work` leaves it for recovery."""
        self._scheduler.close()
        self._storage.close(remove=not keep_work)

    @property
    def busy(self) -> bool:
        """Whether anything is running or waiting to run."""
        return bool(self._queue or self._scheduler.running or self._bringing)

    # What is there ------------------------------------------------------------------------------

    @property
    def recipe(self) -> Recipe:
        """The recipe of the project."""
        return self._edits.recipe

    @property
    def title(self) -> str:
        """What the project is called."""
        return self.recipe.title or (self.path.name.split(".")[0] if self.path else "Untitled")

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All jobs, the newest last."""
        return tuple(self._scheduler.jobs.values())

    @property
    def running(self) -> Job | None:
        """The job that is running, or None."""
        return self._scheduler.running

    def status(self, name: str) -> Status:
        """Return how things stand with a step or source."""
        running = self._scheduler.running
        if running is not None and running.step == name:
            return Status.RUNNING
        if name in self._queue:
            return Status.WAITING
        if name in self._failures:
            return Status.FAILED
        part = self.recipe.find(name)
        if (
            isinstance(part, Step)
            and len(self.catalogue.methods)
            and part.use not in self.catalogue
        ):
            return Status.BROKEN
        computed = self._computed.get(name)
        if computed is None:
            return Status.MISSING
        return Status.FRESH if computed.key == self._implied.get(name) else Status.STALE

    def failure(self, name: str) -> Failure | None:
        """Return why a step failed, if it did."""
        return self._failures.get(name)

    def parts(self, name: str) -> tuple[str, ...]:
        """Return what a step published beside its main result."""
        computed = self._computed.get(name)
        return () if computed is None else tuple(computed.parts)

    def key(self, name: str, part: str = "") -> str | None:
        """Return the key of a step's newest artefact, or of a part of it."""
        computed = self._computed.get(name)
        if computed is None:
            return None
        return computed.parts.get(part) if part else computed.key

    def artefact(self, name: str, part: str = "") -> Any:
        """Return a step's newest artefact, fresh or stale, or None.

        One that is still in the project file is brought to the workspace first: then this returns
        None, and `step_changed` tells when it is there.
        """
        key = self.key(name, part)
        if key is None or key in self._nouns:
            return self._nouns.get(key or "")
        if key not in self._storage.workspace:
            self._bring(name, [key])
            return None
        try:
            self._nouns[key] = self._storage.workspace.load(key)
        except WorkspaceError as error:
            self._storage.workspace.discard(key)
            self._computed.pop(name, None)
            self.logged.emit(str(error))
            return None
        return self._nouns[key]

    def fetch(self, name: str, part: str = "") -> Any:
        """Return a step's newest artefact, waiting for the project file if need be."""
        noun = self.artefact(name, part)
        while noun is None and self._bringing:
            self._wake.wait(0.05)
            self.pump()
            noun = self.artefact(name, part)
        return noun

    def provenance(self, name: str) -> dict[str, Any]:
        """Return how a step's newest artefact came about; empty when it is not in reach."""
        key = self.key(name)
        if key is None or key not in self._storage.workspace:
            return {}
        return dict(self._storage.workspace.record(key)["provenance"])

    # Editing ------------------------------------------------------------------------------------

    def edit(self, recipe: Recipe, what: str) -> None:
        """Replace the recipe, as one step that can be undone."""
        recipe.check()
        self._edits.do(recipe, what)
        self._recipe_was_changed()

    @property
    def can_undo(self) -> str:
        """What would be undone; empty when nothing can."""
        return self._edits.can_undo

    @property
    def can_redo(self) -> str:
        """What would be done again; empty when nothing can."""
        return self._edits.can_redo

    def undo(self) -> None:
        """Take the last edit back; results that still exist are fresh again at once."""
        self._edits.undo()
        self._recipe_was_changed()

    def redo(self) -> None:
        """Do the last undone edit again."""
        self._edits.redo()
        self._recipe_was_changed()

    def add_step(self, use: str, of: tuple[str, ...] | None = None) -> str:
        """Add a step at the end, on the latest inputs that fit, and return its name."""
        method = self.catalogue.get(use)
        inputs = fitting_inputs(self.recipe, self.catalogue, method) if of is None else of
        name = self.recipe.free_name(method.id.rpartition(":")[2])
        self.edit(self.recipe.with_step(Step(name, use, inputs)), f"add {method.title}")
        return name

    def load_recipe(self, recipe: Recipe) -> None:
        """Begin a new project with this recipe."""
        recipe.check()
        self._begin(recipe, {}, path=None, created=clock.timestamp(), view={})
        self._storage.submit(self._storage.forget_file)
        self.modified = bool(recipe.sources)
        self._keep_state()

    def open(self, what: str | Path) -> Future[Any] | None:
        """Open a sample, a recipe, a project or a data file, by its name."""
        text = str(what)
        if is_sample(Source(open=text)):
            self.load_recipe(sample_recipe(text))
            return None
        path = Path(text).absolute()
        if path.suffix == ".toml":
            self.load_recipe(read_recipe(path))
            return None
        if path.name.endswith(".coterie.h5"):
            return self.open_project(path)
        if not path.exists():
            raise RecipeError(f"There is no file '{text}'. Check the path.")
        source = Source(open=str(path))
        if len(self.catalogue.methods):
            reader_of(source, self.catalogue)  # raises when no reader is known
        self.load_recipe(default_recipe(source, title=path.name.split(".")[0]))
        return None

    # Running ------------------------------------------------------------------------------------

    def run(self, *names: str, reread: bool = False) -> None:
        """Compute these steps (all, when none is named) and what they need, unless fresh.

        `reread` looks at the sources' files again, in case they have changed.
        """
        wanted = self.recipe.ancestors(names or self.recipe.names)
        for name in wanted:
            self._failures.pop(name, None)
        self._reread |= {s.name for s in self.recipe.sources if reread and s.name in wanted}
        self._queue += [name for name in wanted if name not in self._queue]
        self._announce(wanted)
        self._advance()

    def cancel(self) -> None:
        """Stop what runs and forget what waits."""
        waiting, self._queue = self._queue, []
        self._announce(waiting)
        self._scheduler.cancel()

    def pause(self) -> None:
        """Hold the running job."""
        self._scheduler.pause()

    def resume(self) -> None:
        """Let the held job go on."""
        self._scheduler.resume()

    def step_once(self) -> None:
        """Let the held job do one iteration."""
        self._scheduler.step_once()

    def set_speed(self, frames_per_second: float) -> None:
        """Slow the running job down to so many iterations a second; 0 is full speed."""
        self._scheduler.set_speed(frames_per_second)

    def estimate(self, name: str) -> None:
        """Ask what a step would take; the answer comes by `estimated`, once its inputs exist."""
        try:
            order = self._order(name)
        except CoterieError as error:
            self.estimated.emit(name, str(error))
            return
        if all(key in self._storage.workspace for key in order.inputs):
            self._scheduler.estimate(name, order)

    def unconfirmed(self, name: str) -> str:
        """Return the path outside the project's folder that a source wants to read, if any."""
        part = self.recipe.find(name)
        return part.open if isinstance(part, Source) and part.open in self._unconfirmed else ""

    def confirm(self, name: str) -> None:
        """Allow a source to read the path that `unconfirmed` returns."""
        self._unconfirmed.discard(self.unconfirmed(name))

    # Files --------------------------------------------------------------------------------------

    def open_project(self, path: Path, *, lock: bool = True) -> Future[Opened]:
        """Open a project file; the recipe is there when the future is done and `pump` was called.

        What is open stays open when the file turns out to be wrong.
        """
        future = self._storage.submit(lambda: self._storage.open(path, lock=lock))
        self._bringing.add(str(path))

        def done() -> None:
            self._bringing.discard(str(path))
            if future.exception() is None:
                self._take_over(future.result())

        future.add_done_callback(lambda _: self._call(done))
        return future

    def save(self, path: Path | None = None) -> Future[Opened]:
        """Save the project; `saved` tells when that is done."""
        target = path or self.path
        if target is None:
            raise ProjectFileError("The project has no file yet. Say where to save it.")
        target = Path(target).absolute()
        from coterie.projects.file.saving import Content

        content = Content(
            title=self.title,
            created=self._created,
            recipe=write_recipe(with_relative_paths(self.recipe, target.parent)),
            steps=self._steps_json(),
            view=dict(self.view),
        )
        saved_recipe = self.recipe
        future = self._storage.submit(lambda: self._storage.save(target, content))
        self._bringing.add(str(target))

        def done() -> None:
            self._bringing.discard(str(target))
            if future.exception() is None:
                self.path = target
                self.modified = self.recipe is not saved_recipe
                self._keep_state()
                self.saved.emit(target)
                self.recipe_changed.emit()

        future.add_done_callback(lambda _: self._call(done))
        return future

    def recover(self, folder: Path) -> None:
        """Restore the work of a session that ended without closing."""
        state = self._storage.adopt(folder)
        path = Path(state["path"]) if state.get("path") else None
        computed = {name: Computed.from_json(value) for name, value in state["steps"].items()}
        self._begin(
            parse_recipe(state["recipe"]),
            {name: known for name, known in computed.items() if self._storage.holds(known.key)},
            path=path,
            created=state["created"],
            view=state["view"],
        )
        self.modified = True
        self._keep_state()

    # What the scheduler reports -----------------------------------------------------------------

    def on_catalogue(self, message: CatalogueMessage) -> None:
        """Take in the engine's catalogue."""
        catalogue = Catalogue.from_json(message.catalogue)
        if catalogue != self.catalogue:
            self.catalogue = catalogue
            self._refresh()
            self.catalogue_changed.emit()
        self._cache.write(catalogue)

    def on_engine(self, message: EngineState) -> None:
        """Tell what became of the engine."""
        if message.reason:
            self.logged.emit(message.reason)
        self.engine_changed.emit(message.state)

    def on_job(self, job: Job) -> None:
        """Pass on that a job moved."""
        self.job_changed.emit(job)

    def on_frame(self, step: str, frame: Frame) -> None:
        """Pass on a live picture."""
        self.framed.emit(step, frame)

    def on_event(self, step: str, message: Event) -> None:
        """Pass on what must not be missed."""
        self.happened.emit(step, message.name, message.details)

    def on_log(self, text: str) -> None:
        """Pass on a printed line."""
        self.logged.emit(text)

    def on_estimated(self, step: str, answer: Estimated | Failed) -> None:
        """Pass on what a step would take."""
        if isinstance(answer, Failed):
            self.estimated.emit(step, answer.error)
        else:
            self.estimated.emit(
                step, Cost(answer.bytes, answer.seconds, tuple(answer.alternatives))
            )

    def on_finished(self, job: Job, message: Finished) -> None:
        """Take in a result."""
        part = self._find(job.step)
        if part is None:
            return  # the step was removed while it ran
        request = ""
        if isinstance(part, Source):
            request = request_of(part, reader_of(part, self.catalogue))
        known = self._computed.get(job.step)
        self._computed[job.step] = Computed(message.key, message.parts, request)
        self.modified = self.modified or known is None or known.key != message.key
        self._reread.discard(job.step)
        for note in message.notes:
            self.logged.emit(f"{job.step}: {note}")
        self._refresh()
        self._keep_state()
        self._announce([job.step])
        self._storage.submit(lambda: self._storage.workspace.evict(self._named_keys()))

    def on_failed(self, job: Job, message: Failed) -> None:
        """Take in a failure; what depends on the step is not run, the rest goes on."""
        origin = ""
        if job.component in self.catalogue:
            origin = self.catalogue.get(job.component).origin
        self._fail(Failure(job.step, message.error, message.traceback, job.component, origin))

    def on_cancelled(self, job: Job) -> None:
        """Take in that a job was stopped."""
        self._announce([job.step])

    # Inside -------------------------------------------------------------------------------------

    def _woken(self) -> None:
        self._wake.set()
        if self._notify is not None:
            self._notify()

    def _call(self, action: Callable[[], None]) -> None:
        """Have the owner's thread do something at its next `pump`."""
        self._calls.put(action)
        self._woken()

    def _find(self, name: str) -> Source | Step | None:
        return next((part for part in self.recipe.parts if part.name == name), None)

    def _begin(
        self,
        recipe: Recipe,
        computed: dict[str, Computed],
        *,
        path: Path | None,
        created: str,
        view: Mapping[str, Any],
    ) -> None:
        self.cancel()
        self._edits = Edits(recipe)
        self._computed = computed
        self._failures.clear()
        self._nouns.clear()
        self._unconfirmed.clear()
        self.path, self._created, self.view = path, created, dict(view)
        self.modified = False
        self.selection.set_size(0)
        self._refresh()
        self.recipe_changed.emit()

    def _take_over(self, opened: Opened) -> None:
        folder = opened.path.absolute().parent
        recipe = with_absolute_paths(parse_recipe(opened.recipe), folder)
        computed = {name: Computed.from_json(value) for name, value in opened.steps.items()}
        self._begin(
            recipe,
            computed,
            path=opened.path.absolute(),
            created=opened.header.created,
            view=opened.view,
        )
        self._unconfirmed = {
            source.open
            for source in recipe.sources
            if not is_sample(source) and not Path(source.open).is_relative_to(folder)
        }
        self._keep_state()

    def _recipe_was_changed(self) -> None:
        self.modified = True
        self._failures = {
            name: failure for name, failure in self._failures.items() if self._find(name)
        }
        self._refresh()
        self._keep_state()
        self.recipe_changed.emit()

    def _refresh(self) -> None:
        """Work out again what the recipe implies, and take up results that already exist."""
        self._implied = implied_keys(self.recipe, self.catalogue, self._computed)
        for name, key in self._implied.items():
            known = self._computed.get(name)
            if (known is None or known.key != key) and key in self._storage.workspace:
                record = self._storage.workspace.record(key)
                self._computed[name] = Computed(key, record["provenance"].get("parts", {}))
                self._failures.pop(name, None)
        kept = self._named_keys()
        self._nouns = {key: noun for key, noun in self._nouns.items() if key in kept}

    def _announce(self, names: Any) -> None:
        """Emit `step_changed` for these and for all that depends on them."""
        changed = dict.fromkeys(names)
        for name in tuple(changed):
            if self._find(name):
                changed |= dict.fromkeys(step.name for step in self.recipe.dependents(name))
        self._follow_size()
        for name in changed:
            if self._find(name):
                self.step_changed.emit(name)

    def _follow_size(self) -> None:
        if self.recipe.sources:
            dataset = self.artefact(self.recipe.sources[0].name)
            if dataset is not None:
                self.selection.set_size(dataset.n)

    def _advance(self) -> None:
        """Start the next step that waits, if the engine is free and knows its methods."""
        while self._queue and self._scheduler.running is None and not self._bringing:
            if not self.catalogue.methods:
                return
            name = self._queue[0]
            if self._find(name) is None or self._is_done(name):
                self._queue.remove(name)
                self._announce([name])
                continue
            try:
                order = self._order(name)
            except CoterieError as error:
                self._queue.remove(name)
                self._fail(Failure(name, str(error)))
                continue
            absent = [key for key in order.inputs if key not in self._storage.workspace]
            if absent:
                self._bring(name, absent)
                return
            self._queue.remove(name)
            self._scheduler.run(name, order)
            self._announce([name])
            self.engine_changed.emit("busy")

    def _is_done(self, name: str) -> bool:
        computed = self._computed.get(name)
        return (
            name not in self._reread
            and computed is not None
            and computed.key == self._implied.get(name)
            and self._storage.holds(computed.key)
        )

    def _order(self, name: str) -> Order:
        """Return what the engine is to do for a step, or say why it cannot be done."""
        part = self.recipe.find(name)
        if isinstance(part, Source):
            if part.open in self._unconfirmed:
                raise ProjectFileError(
                    f"The project wants to read '{part.open}', which lies outside its folder. "
                    "Allow that only if you trust the project."
                )
            reader = reader_of(part, self.catalogue)
            return Order(use=reader.name, params=dict(part.params), path=part.open)
        check_inputs(self.recipe, self.catalogue, part)
        inputs = []
        for of in part.of:
            computed = self._computed.get(of)
            if computed is None or computed.key != self._implied.get(of):
                raise RecipeError(f"Step '{name}' needs '{of}', which is not computed yet.")
            inputs.append(computed.key)
        return Order(use=part.use, params=dict(part.params), inputs=inputs, seed=part.seed)

    def _fail(self, failure: Failure) -> None:
        self._failures[failure.step] = failure
        if self._find(failure.step):
            blocked = {step.name for step in self.recipe.dependents(failure.step)}
            self._queue = [name for name in self._queue if name not in blocked]
        self._announce([failure.step])
        self.failed.emit(failure)

    def _bring(self, name: str, keys: list[str]) -> None:
        """Copy artefacts from the project file to the workspace, on the file thread."""
        keys = [key for key in keys if key not in self._bringing]
        if not keys:
            return
        self._bringing.update(keys)
        future = self._storage.submit(lambda: self._storage.bring(keys))

        def done() -> None:
            self._bringing.difference_update(keys)
            error = future.exception()
            if error is not None:
                self._computed.pop(name, None)
                self._refresh()
                self.logged.emit(f"{name}: {error}")
            self._announce([name])

        future.add_done_callback(lambda _: self._call(done))

    def _named_keys(self) -> set[str]:
        return set(self._all_keys())

    def _all_keys(self) -> Iterator[str]:
        for computed in self._computed.values():
            yield computed.key
            yield from computed.parts.values()

    def _steps_json(self) -> dict[str, Any]:
        return {
            name: computed.as_json()
            for name, computed in self._computed.items()
            if self._find(name) and self._storage.holds(computed.key)
        }

    def _keep_state(self) -> None:
        state = {
            "title": self.title,
            "path": str(self.path) if self.path else "",
            "created": self._created,
            "recipe": write_recipe(self.recipe),
            "steps": self._steps_json(),
            "view": self.view,
            "modified": self.modified,
        }
        try:
            self._storage.keep_state(state)
        except WorkspaceError as error:
            self.logged.emit(str(error))
