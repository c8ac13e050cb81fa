"""Has the engine classify whole scenes with the models of a recipe, when it is not computing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.engine.classify_scene import CLASSIFY
from coterie.core.engine.messages import Failed, Finished, Order
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.catalogue import PluginsAtHand
from coterie.projects.jobs.job import Failure, Job
from coterie.projects.jobs.run_steps import Runs
from coterie.projects.jobs.scheduler import Scheduler
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.inputs import type_of
from coterie.projects.recipe.toml import is_sample
from coterie.projects.store.artefacts import Storage
from coterie.projects.store.results import Results

RASTER = well_known.READER_RASTER


@dataclass(frozen=True)
class MapRequest:
    """A scene to be classified.

    Attributes
    ----------
    scene : the file or folder to classify
    target : the map to write
    step : the classifier step; empty for the recipe's last one
    merge : each "class = group, group"
    colours : of classes by name, as "#rrggbb"
    truth : a mask to hold the map against; None for none
    truth_classes : what its values mean, as "4 = cloud, 1 = water"
    reader_params : how to open the scene, in place of what the recipe says
    errors : a raster to write of where the map is wrong; needs a truth
    errors_of : the known class whose errors; empty for all
    """

    scene: Path
    target: Path
    step: str = ""
    merge: tuple[str, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    truth: Path | None = None
    truth_classes: str = ""
    reader_params: Mapping[str, Any] | None = None
    errors: Path | None = None
    errors_of: str = ""

    @property
    def title(self) -> str:
        """What the list of jobs calls it."""
        return f"map of {self.scene.name}"


@dataclass(frozen=True)
class Chain:
    """The steps from a scene's bands to a class: transforms, and last the classifier.

    `learnt` is the step or source whose columns the first of them was fitted to, and `source` the
    data that all begins with.
    """

    steps: tuple[Step, ...]
    learnt: str
    source: Source


def chain_of(recipe: Recipe, catalogue: Catalogue, name: str = "") -> Chain:
    """Return the steps that lead to a classifier step, the recipe's last one unless it is named."""
    off = recipe.off()
    classifiers = [
        step.name
        for step in recipe.in_order()
        if type_of(recipe, catalogue, step.name) == "model" and step.name not in off
    ]
    if not name and not classifiers:
        raise RecipeError(
            "The recipe has no classifier, so that no scene can be classified by it. "
            f"Add one, such as {well_known.CLASSIFIER_NEAREST}, and run the recipe."
        )
    last = recipe.step(name or classifiers[-1])
    if last.name not in classifiers:
        raise RecipeError(
            f"Step '{last.name}' is no classifier. Classifiers: {', '.join(classifiers) or 'none'}."
        )
    steps: list[Step] = [last]
    part = recipe.find(last.of[0])
    while isinstance(part, Step):
        steps.insert(0, part)
        if not part.use.startswith("transform/") or not part.of:
            raise RecipeError(
                f"Step '{part.name}' ({part.use}) stands between the pixels and the classifier, "
                "and only transforms can be done to new pixels."
            )
        part = recipe.find(part.of[0])
    return Chain(tuple(steps), part.name, part)


def scene_params(
    chain: Chain, scene: Path, columns: Sequence[str], reader_params: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return what the engine must know to do the steps of a chain to a scene.

    Unless `reader_params` say otherwise, the scene is opened as the recipe opens its own, so that
    the same bands are read; but for the truth.
    """
    kept = ("bands", "grid", "resampling", "nodata", "array", "axes")
    own = {name: chain.source.params[name] for name in kept if name in chain.source.params}
    return {
        "scene": str(scene.absolute()),
        "reader": RASTER,
        "reader_params": own if reader_params is None else dict(reader_params),
        "uses": [step.use for step in chain.steps],
        "columns": list(columns),
    }


def truth_params(truth: Path, classes: str) -> dict[str, Any]:
    """Return what the engine must know of a mask. Of an .npz, one array is it: scene.npz:mask."""
    file, colon, array = str(truth.absolute()).rpartition(".npz:")
    return {
        "truth": f"{file}.npz" if colon else array,
        "truth_array": array if colon else "",
        "truth_classes": classes,
    }


def own_scene(source: Source) -> tuple[Path, Path | None, str]:
    """Return the file of a source, its mask if it has one, and what the mask's values mean."""
    if is_sample(source):
        raise RecipeError(f"'{source.open}' is no file. Write it as one first.")
    path = Path(source.open)
    mask = str(source.params.get("mask") or "")
    truth = None
    if mask:
        inside = path.suffix.lower() == ".npz"
        truth = path.with_name(f"{path.name}:{mask}") if inside else path.parent / mask
    return path, truth, str(source.params.get("mask_classes") or "")


def kept_place(path: Path, source: Source, place: Path | None) -> Path:
    """Return where a file of a source is read: of one that is kept in the project, there.

    Parameters
    ----------
    path : the file of the source, or one beside it such as its mask
    place : where the source's file was taken out of the project to; None when it was not
    """
    if place is None or path.absolute().parent != Path(source.open).absolute().parent:
        return path
    inside = place.with_name(path.name)
    file = inside.name.rpartition(":")[0] if ".npz:" in inside.name else inside.name
    return inside if inside.with_name(file).exists() else path


class Maps:
    """The scenes that wait to be classified. They are no steps: nothing depends on them.

    Asked of a session as `session.maps`. `mapped` tells the map and remarks on it when it is
    there, `failed` when there will be none.
    """

    mapped: ClassVar[Signal] = Signal(object, list)
    failed: ClassVar[Signal] = Signal(Failure)

    def __init__(
        self,
        scheduler: Scheduler,
        results: Results,
        storage: Storage,
        runs: Runs,
        edits: Edits,
        plugins: PluginsAtHand,
    ) -> None:
        self._scheduler, self._results, self._storage = scheduler, results, storage
        self._runs, self._edits, self._plugins = runs, edits, plugins
        self._waiting: list[tuple[MapRequest, Chain]] = []
        self._making: dict[int, MapRequest] = {}
        scheduler.finished.connect(self._on_finished)
        scheduler.failed.connect(self._on_failed)
        scheduler.cancelled.connect(self._on_cancelled)

    @property
    def pending(self) -> bool:
        """Whether scenes wait to be classified."""
        return bool(self._waiting)

    def add(self, request: MapRequest) -> None:
        """Have a whole scene classified by a classifier step, or say why it cannot be.

        The engine does the work, tile by tile. A cancelled run goes on where it stopped when it is
        asked for again.
        """
        chain = chain_of(self._edits.recipe, self._plugins.catalogue, request.step)
        last = chain.steps[-1].name
        if self._results.key(last) is None:
            raise RecipeError(f"Step '{last}' has no result yet. Run the recipe first.")
        self._waiting.append((request, chain))
        self.advance()

    def clear(self) -> None:
        """Let nothing wait any more."""
        self._waiting.clear()

    def advance(self) -> None:
        """Start the next scene, if the engine is free and the models are in the workspace."""
        if not self._waiting or self._scheduler.running is not None or self._runs.pending:
            return
        request, chain = self._waiting[0]
        keys = self._model_keys(chain)
        learnt = self._results.key(self._learnt(chain))
        needed = tuple(key for key in (*keys, learnt) if key)
        if absent := tuple(key for key in needed if key not in self._storage.workspace):
            self._results.bring(chain.steps[-1].name, absent)
            return
        self._waiting.pop(0)
        job = self._scheduler.run(request.title, self._order(request, chain, keys))
        if job.active:
            self._making[job.number] = request

    def _model_keys(self, chain: Chain) -> list[str]:
        """The key of each step's model; empty for one that has none, such as a sample."""
        keys = [self._results.key(step.name, "model") or "" for step in chain.steps[:-1]]
        return [*keys, self._results.key(chain.steps[-1].name) or ""]

    def _learnt(self, chain: Chain) -> str:
        """The data that the first model was fitted to: their columns are the scene's bands."""
        models = self._model_keys(chain)
        first = next(i for i, key in enumerate(models) if key)
        return chain.steps[first].of[0]

    def _order(self, request: MapRequest, chain: Chain, keys: list[str]) -> Order:
        known = self._results.key(self._learnt(chain))
        columns = self._results.noun(known).columns if known else ()
        params = {
            **scene_params(chain, request.scene, columns, request.reader_params),
            "merge": list(request.merge),
            "colours": dict(request.colours),
        }
        if request.truth is not None:
            params |= truth_params(request.truth, request.truth_classes)
        if request.errors is not None:
            params |= {"errors": str(request.errors.absolute()), "errors_of": request.errors_of}
        return Order(use=CLASSIFY, params=params, inputs=keys, path=str(request.target.absolute()))

    def _on_finished(self, job: Job, message: Finished) -> None:
        if (request := self._making.pop(job.number, None)) is not None:
            self.mapped.emit(request.target, list(message.notes))

    def _on_failed(self, job: Job, message: Failed) -> None:
        if (request := self._making.pop(job.number, None)) is not None:
            failure = Failure(request.title, message.error, message.traceback, job.component)
            self.failed.emit(failure)

    def _on_cancelled(self, job: Job) -> None:
        self._making.pop(job.number, None)
