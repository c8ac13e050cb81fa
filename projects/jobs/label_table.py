"""Has the engine label the rows of another table with the models of a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from psygnal import Signal

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.engine.messages import Finished, Label
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.catalogue import LoadedPlugins
from coterie.projects.jobs.job import Failure
from coterie.projects.jobs.queue import FileTask, Needs, Queue
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.inputs import reader_of
from coterie.projects.store.results import Results

# Readers to which a folder is one data set, each file an item.
OF_FOLDERS = (well_known.READER_TEXTS, well_known.READER_IMAGES)
BETWEEN = ("transform", "embedder")  # kinds that may stand between the items and their groups
SIMILAR = ("kernel", "graph")  # embedders of these have a model for the items themselves


@dataclass(frozen=True)
class LabelRequest:
    """A table whose rows are to be labelled.

    Attributes
    ----------
    path : the table, or a folder of tables
    target : the CSV file to write
    step : the classifier or clusterer; empty for the last one that has a model
    all_columns : whether the columns of the table are written as well
    """

    path: Path
    target: Path
    step: str = ""
    all_columns: bool = False

    @property
    def title(self) -> str:
        """What the list of jobs calls it."""
        return f"groups of {self.path.name}"


@dataclass(frozen=True)
class LabelChain:
    """The steps from the data to groups, all of which can be applied to new items."""

    steps: tuple[Step, ...]
    source: Source


def labelling_steps(recipe: Recipe, catalogue: Catalogue, results: Results) -> list[str]:
    """Return the steps whose models can label new items, the best to use last."""
    off = recipe.switched_off()
    kinds: dict[str, list[str]] = {"clusterer": [], "classifier": []}
    for step in recipe.in_order():
        kind = step.use.partition("/")[0]
        has_model = kind == "classifier" or "model" in results.parts(step.name)
        if kind in kinds and step.name not in off and step.use in catalogue and has_model:
            kinds[kind].append(step.name)
    return [*kinds["clusterer"], *kinds["classifier"]]


def label_chain(
    recipe: Recipe, catalogue: Catalogue, results: Results, name: str = ""
) -> LabelChain:
    """Return the steps that lead to the groups of a step, or say why they cannot be applied."""
    able = labelling_steps(recipe, catalogue, results)
    if name:
        recipe.step(name)  # says which there are
    if not (able if not name else name in able):
        named = f"Step '{name}' has no model" if name else "No step of the recipe has a model"
        raise RecipeError(
            f"{named} that can label new items. Add a classifier, such as "
            f"{well_known.CLASSIFIER_NEAREST} of the data and the groups, and run the recipe.",
            code="classifier-needed",
        )
    last = recipe.step(name or able[-1])
    steps = [last]
    part = recipe.find(last.of[0])
    while isinstance(part, Step):
        embeds = steps[0].use.startswith("embedder/") and "model" in results.parts(steps[0].name)
        if embeds and part.use.partition("/")[0] in SIMILAR and part.of:
            part = recipe.find(part.of[0])
            continue
        steps.insert(0, part)
        if part.use.partition("/")[0] not in BETWEEN or not part.of:
            raise RecipeError(
                f"Step '{part.name}' ({part.use}) is between the data and the groups. Only "
                "transforms and embedders can be applied to new items. Add a classifier of the "
                "data and the groups.",
                code="no-model",
            )
        part = recipe.find(part.of[0])
    return LabelChain(tuple(steps), part)


class LabelTable(FileTask):
    """Labels one table with the models of a chain of steps."""

    def __init__(self, request: LabelRequest, chain: LabelChain, reader: str, labels: Labels):
        super().__init__(request.title, labels.failed.emit, Label.use)
        self._request, self._chain, self._reader = request, chain, reader
        self._labels = labels

    def next(self, results: Results) -> Label | Needs:
        """Return the order, once the models are in the workspace."""
        steps, request = self._chain.steps, self._request
        last = steps[-1]
        teaches = last.use.startswith("classifier/")
        models = [results.key(step.name, "model") or "" for step in steps[:-1]]
        models.append((results.key(last.name, "" if teaches else "model")) or "")
        source = results.key(self._chain.source.name) or ""
        groups = "" if teaches else results.key(last.name) or ""
        if not models[-1] or not source:
            raise RecipeError(
                f"The result of step '{last.name}' is missing. Run it again.",
                code="result-missing",
            )
        needed = [key for key in (*models, source, groups) if key]
        if absent := tuple(key for key in needed if not results.is_here(key)):
            return Needs(keys=absent, name=last.name)
        return Label(
            path=str(request.path.absolute()),
            reader=self._reader,
            reader_params=dict(self._chain.source.params),
            whole_folder=request.path.is_dir() and self._reader in OF_FOLDERS,
            methods=[step.use for step in steps],
            models=models,
            source=source,
            groups=groups,
            target=str(request.target.absolute()),
            columns="all" if request.all_columns else "",
        )

    def written(self, answer: Finished) -> None:
        """Report the file."""
        self._labels.written.emit(self._request.target, list(answer.notes))

    def hear(self, event: str, details: Mapping[str, object]) -> None:
        """Nothing happens on the way that anybody follows."""


class Labels:
    """Labels the rows of other tables. Available as `session.labels`.

    `written` is emitted with the path of the file and remarks on it, `failed` when there is none.
    """

    written: ClassVar[Signal] = Signal(object, list)
    failed: ClassVar[Signal] = Signal(Failure)

    def __init__(
        self, queue: Queue, results: Results, edits: Edits, plugins: LoadedPlugins
    ) -> None:
        self._queue, self._results = queue, results
        self._edits, self._plugins = edits, plugins

    def steps(self) -> list[str]:
        """Return the steps whose models can label new items, the best to use last."""
        return labelling_steps(self._edits.recipe, self._plugins.catalogue, self._results)

    def add(self, request: LabelRequest) -> None:
        """Have the rows of a table labelled, or say why they cannot be."""
        catalogue = self._plugins.catalogue
        chain = label_chain(self._edits.recipe, catalogue, self._results, request.step)
        last = chain.steps[-1].name
        if self._results.key(last) is None:
            raise RecipeError(
                f"Step '{last}' has no result yet. Run the recipe first.", code="not-computed"
            )
        reader = reader_of(chain.source, catalogue).name
        self._queue.add(LabelTable(request, chain, reader, self))
        self._queue.advance()
