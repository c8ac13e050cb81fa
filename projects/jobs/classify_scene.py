"""Has the engine classify whole scenes with the models of a recipe, after the steps that wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.engine.messages import Classify, Finished
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.catalogue import LoadedPlugins
from coterie.projects.jobs.job import Failure
from coterie.projects.jobs.queue import FileTask, Needs, Queue
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.inputs import type_of
from coterie.projects.recipe.toml import is_sample
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
    truth : a mask to compare the map with, or None
    truth_classes : what its values mean, as "4 = cloud, 1 = water"
    reader_params : how to open the scene, in place of what the recipe says
    errors : a raster to write of where the map is wrong; needs a truth
    errors_of : the known class whose errors; empty for all
    uncertainty : whether a second map says how uncertain each pixel is, if the classifier can
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
    uncertainty: bool = True

    @property
    def title(self) -> str:
        """What the list of jobs calls it."""
        return f"map of {self.scene.name}"


@dataclass(frozen=True)
class SceneChain:
    """The steps from a scene's bands to a class: transforms, and last the classifier.

    `learnt` is the step or source whose columns the first of them was fitted to, and `source` the
    data that all begins with.
    """

    steps: tuple[Step, ...]
    learnt: str
    source: Source


def chain_of(recipe: Recipe, catalogue: Catalogue, name: str = "") -> SceneChain:
    """Return the steps that lead to a classifier step, the recipe's last one unless it is named."""
    off = recipe.switched_off()
    classifiers = [
        step.name
        for step in recipe.steps
        if type_of(recipe, catalogue, step.name) == "model" and step.name not in off
    ]
    if not name and not classifiers:
        raise RecipeError(
            "The recipe has no classifier, so it cannot classify a scene. Add one, "
            f"such as {well_known.CLASSIFIER_NEAREST}, and run the recipe.",
            code="classifier-needed",
        )
    last = recipe.step(name or classifiers[-1])
    if last.name not in classifiers:
        raise RecipeError(
            f"Step '{last.name}' is not a classifier. Classifiers: "
            f"{', '.join(classifiers) or 'none'}.",
            code="classifier-needed",
        )
    steps: list[Step] = [last]
    part = recipe.find(last.of[0])
    while isinstance(part, Step):
        steps.insert(0, part)
        if not part.use.startswith("transform/") or not part.of:
            raise RecipeError(
                f"Step '{part.name}' ({part.use}) is between the pixels and the "
                "classifier. Only transforms can be applied to new pixels.",
                code="no-model",
            )
        part = recipe.find(part.of[0])
    return SceneChain(tuple(steps), part.name, part)


def scene_fields(
    chain: SceneChain, scene: Path, columns: Sequence[str], reader_params: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the fields of a `SceneRequest` that say how a chain is applied to a scene.

    Unless `reader_params` say otherwise, the scene is opened as the recipe opens its own, so
    the same bands are read; but for the truth.
    """
    kept = ("bands", "grid", "resampling", "nodata", "array", "axes")
    own = {name: chain.source.params[name] for name in kept if name in chain.source.params}
    return {
        "scene": str(scene.absolute()),
        "reader": RASTER,
        "reader_params": own if reader_params is None else dict(reader_params),
        "methods": [step.use for step in chain.steps],
        "columns": list(columns),
    }


def truth_fields(truth: Path, classes: str) -> dict[str, Any]:
    """Return the fields of a `SceneRequest` that name a mask; one in an .npz is scene.npz:mask."""
    file, colon, array = str(truth.absolute()).rpartition(".npz:")
    return {
        "truth": f"{file}.npz" if colon else array,
        "truth_array": array if colon else "",
        "truth_classes": classes,
    }


def own_scene(source: Source) -> tuple[Path, Path | None, str]:
    """Return the file of a source, its mask if it has one, and what the mask's values mean."""
    if is_sample(source):
        raise RecipeError(
            f"'{source.open}' is not a file. Write it to a file first.", code="no-data-file"
        )
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


class ClassifyWholeScene(FileTask):
    """Classifies one scene with the models of a chain of steps."""

    def __init__(self, request: MapRequest, chain: SceneChain, maps: Maps) -> None:
        super().__init__(request.title, maps.failed.emit, Classify.use)
        self._request, self._chain, self._maps = request, chain, maps

    def next(self, results: Results) -> Classify | Needs:
        """Return the order, once the models are in the workspace."""
        steps = self._chain.steps
        keys = [results.key(step.name, "model") or "" for step in steps[:-1]]
        keys.append(results.key(steps[-1].name) or "")
        if not keys[-1]:
            raise RecipeError(
                f"The result of step '{steps[-1].name}' is missing. Run it again.",
                code="result-missing",
            )
        # The columns of what the first model was fitted to are the scene's bands.
        first = next(i for i, key in enumerate(keys) if key)
        fitted = results.key(steps[first].of[0]) or ""
        needed = (key for key in (*keys, fitted) if key)
        if absent := tuple(key for key in needed if not results.is_here(key)):
            return Needs(keys=absent, name=steps[-1].name)
        return self._order(keys, results.noun(fitted).columns if fitted else ())

    def _order(self, keys: list[str], columns: Sequence[str]) -> Classify:
        request = self._request
        mask = {} if request.truth is None else truth_fields(request.truth, request.truth_classes)
        return Classify(
            **scene_fields(self._chain, request.scene, columns, request.reader_params),
            **mask,
            models=keys,
            target=str(request.target.absolute()),
            merge=list(request.merge),
            colours=dict(request.colours),
            errors="" if request.errors is None else str(request.errors.absolute()),
            errors_of=request.errors_of,
            uncertainty=request.uncertainty,
        )

    def written(self, answer: Finished) -> None:
        """Report the map."""
        self._maps.mapped.emit(self._request.target, list(answer.notes))

    def hear(self, event: str, details: Mapping[str, Any]) -> None:
        """Report a tile that is done."""
        self._maps.happened.emit(self._request.target, event, details)


class Maps:
    """Classifies whole scenes. Available as `session.maps`.

    `mapped` is emitted with the path of a map and remarks on it, `failed` when there will be none,
    `happened` with the path of a map and what happens while it is made.
    """

    mapped: ClassVar[Signal] = Signal(object, list)
    failed: ClassVar[Signal] = Signal(Failure)
    happened: ClassVar[Signal] = Signal(object, str, dict)

    def __init__(
        self, queue: Queue, results: Results, edits: Edits, plugins: LoadedPlugins
    ) -> None:
        self._queue, self._results = queue, results
        self._edits, self._plugins = edits, plugins

    def add(self, request: MapRequest) -> None:
        """Have a whole scene classified by a classifier step, or say why it cannot be.

        The engine does the work, tile by tile. A cancelled run goes on where it stopped when it is
        asked for again.
        """
        chain = chain_of(self._edits.recipe, self._plugins.catalogue, request.step)
        last = chain.steps[-1].name
        if self._results.key(last) is None:
            raise RecipeError(
                f"Step '{last}' has no result yet. Run the recipe first.", code="not-computed"
            )
        self._queue.add(ClassifyWholeScene(request, chain, self))
        self._queue.advance()
