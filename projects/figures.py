"""The figures of a result: those that its step published, and those that plots draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.engine.messages import Finished, Order
from coterie.core.errors import CoterieError
from coterie.core.model.figures import Figure
from coterie.core.model.recipes import Recipe, Step
from coterie.core.model.result_types import RESULT_TYPES
from coterie.projects.jobs.catalogue import LoadedPlugins
from coterie.projects.jobs.figure_runs import FigureRuns
from coterie.projects.recipe.editor import Edits
from coterie.projects.recipe.inputs import type_of
from coterie.projects.recipe.keys import step_order
from coterie.projects.store.results import Results

FIGURE = Figure.encoding_type
_OTHER_PARTS = frozenset({"trace", "model", *RESULT_TYPES}) - {FIGURE}


@dataclass(frozen=True)
class Offer:
    """A figure that can be looked at.

    Attributes
    ----------
    title : what a list calls it
    summary : what it shows, in a sentence
    step, part : where it is published already; empty for one that a plot draws
    use, of, params : the plot, the steps whose results it draws, and its parameters
    """

    title: str
    summary: str = ""
    step: str = ""
    part: str = ""
    use: str = ""
    of: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What it is known by, while results come and go."""
        return self.use or f"{self.step}.{self.part}"


class Figures:
    """Looks figures up and has them drawn. Available as `session.figures`.

    `drawn` carries an offer, and its figure or a sentence that says why there is none.
    """

    drawn: ClassVar[Signal] = Signal(Offer, object)

    def __init__(
        self, figure_runs: FigureRuns, results: Results, edits: Edits, plugins: LoadedPlugins
    ) -> None:
        self._figure_runs, self._plugins = figure_runs, plugins
        self._results, self._edits = results, edits
        self._asked: tuple[Offer, Order] | None = None
        self._waiting: Offer | None = None
        figure_runs.answered.connect(self._on_answered)
        results.brought.connect(self._on_brought)

    @property
    def busy(self) -> bool:
        """Whether a figure that was asked for is still to come."""
        return self._asked is not None or self._waiting is not None

    def offers(self, chosen: str = "") -> tuple[Offer, ...]:
        """Return the figures of a step's result, those made for its method first.

        Without a choice, those of the newest groups.
        """
        recipe, catalogue = self._edits.recipe, self._plugins.catalogue
        names = _by_preference(recipe, catalogue, chosen)
        known = [name for name in names if self._results.is_computed(name)]
        plots = [
            offer
            for method in catalogue.of_kind("plot")
            if (offer := _offer(method, recipe, catalogue, known)) is not None
        ]
        uses = {step.use for name in known if isinstance(step := recipe.find(name), Step)}
        plots.sort(key=lambda offer: not uses.intersection(catalogue.get(offer.use).draws))
        return (*self._published(recipe, catalogue, known), *plots)

    def ask(self, offer: Offer) -> None:
        """Have a figure looked up or drawn; it comes by `drawn`, at once where it is there."""
        self._asked, self._waiting = None, None
        if offer.step:
            self._look_up(offer)
            return
        try:
            order = self._order(offer)
        except CoterieError as error:
            self.drawn.emit(offer, str(error))
            return
        missing = [key for key in order.inputs if not self._results.is_here(key)]
        if missing:
            self._waiting = offer
            self._results.bring(offer.of[0], tuple(missing))
        elif self._results.is_here(order.key):
            self._load(offer, order.key)
        else:
            self._asked = offer, order
            self._figure_runs.ask(order)

    def add_step(self, offer: Offer) -> str:
        """Keep a figure as a step of the recipe, as an edit that can be undone; return its name."""
        recipe, name = self._with_step(offer)
        if recipe is not self._edits.recipe:
            self._edits.replace(recipe, f"add {offer.title}")
        return name

    def add_cut(self, offer: Offer, height: float) -> str:
        """Make groups of the branches of a tree: one edit with the tree and the cut as steps."""
        recipe, tree = self._with_step(offer)
        name = recipe.free_name("cut")
        step = Step(name, well_known.CLUSTERER_CUT_TREE, (tree,), {"height": float(height)})
        self._edits.replace(recipe.with_step(step), f"cut {tree}")
        return name

    def can_be_cut(self, offer: Offer) -> bool:
        """Return whether a tree can be a step: a part of another step's result cannot."""
        cutting = well_known.CLUSTERER_CUT_TREE in self._plugins.catalogue
        return cutting and not offer.part

    def _with_step(self, offer: Offer) -> tuple[Recipe, str]:
        recipe = self._edits.recipe
        if offer.step:
            return recipe, offer.step
        same = (offer.use, offer.of, dict(offer.params))
        for step in recipe.steps:
            if (step.use, step.of, dict(step.params)) == same:
                return recipe, step.name
        name = recipe.free_name(offer.use.partition("/")[2].rpartition(":")[2])
        return recipe.with_step(Step(name, offer.use, offer.of, dict(offer.params))), name

    def _order(self, offer: Offer) -> Order:
        keys = [self._results.key(name) or "" for name in offer.of]
        method = self._plugins.catalogue.get(offer.use)
        return step_order(Step("", offer.use, offer.of, offer.params), method, keys)

    def _look_up(self, offer: Offer) -> None:
        found = self._results.artefact(offer.step, offer.part)
        if isinstance(found, Figure):
            self.drawn.emit(offer, found)
        else:
            self._waiting = offer  # until it is brought from the file

    def _load(self, offer: Offer, key: str) -> None:
        try:
            self.drawn.emit(offer, self._results.load(key))
        except CoterieError as error:
            self.drawn.emit(offer, str(error))

    def _on_answered(self, order: Order, answer: Finished | str) -> None:
        if self._asked is None or self._asked[1] != order:
            return
        offer, self._asked = self._asked[0], None
        if isinstance(answer, str):
            self.drawn.emit(offer, answer)
        else:
            self._load(offer, answer.key)

    def _on_brought(self, _names: tuple[str, ...]) -> None:
        if self._waiting is not None:
            self.ask(self._waiting)

    def _published(self, recipe: Recipe, catalogue: Catalogue, names: list[str]) -> list[Offer]:
        """The figures that are results, or parts of results, already."""
        found = []
        for name in names:
            if type_of(recipe, catalogue, name) == FIGURE:
                found.append(Offer(name, _about(recipe, catalogue, name), step=name))
            for part in self._results.parts(name):
                if part not in _OTHER_PARTS and self._is_figure(name, part):
                    title = f"{part.replace('-', ' ').replace('_', ' ').capitalize()} of {name}"
                    found.append(Offer(title, step=name, part=part))
        return found

    def _is_figure(self, name: str, part: str) -> bool:
        key = self._results.key(name, part)
        return key is not None and self._results.type_of(key) == FIGURE


def _offer(
    method: Descriptor, recipe: Recipe, catalogue: Catalogue, names: list[str]
) -> Offer | None:
    """A plot with the nearest results that it can draw; None when there are none."""
    chosen: list[str] = []
    for need in method.inputs:
        fitting = [n for n in names if need.accepts_type(type_of(recipe, catalogue, n))]
        # What may be left out is known to the result already, but for the groups that colour it.
        if fitting and (not need.optional or need.accepts == ("clustering",)):
            chosen.append(fitting[0])
        elif not need.optional:
            return None
        else:
            break
    steps = [step for name in names if isinstance(step := recipe.find(name), Step)]
    drawn = next((step for step in steps if step.name in chosen), None)
    if method.draws:
        drawn = next((step for step in steps if step.use in method.draws), None)
        if drawn is None:
            return None
        chosen = _of_that(chosen, drawn, method, recipe, catalogue)
    return Offer(
        method.title,
        method.summary,
        use=method.name,
        of=tuple(chosen),
        params=_shared(method, drawn, catalogue),
    )


def _of_that(
    chosen: list[str], drawn: Step, method: Descriptor, recipe: Recipe, catalogue: Catalogue
) -> list[str]:
    """The inputs of a plot made for one method: its result, or what that was made from."""
    near = [drawn.name, *drawn.of]
    for place, need in enumerate(method.inputs[: len(chosen)]):
        fitting = [n for n in near if need.accepts_type(type_of(recipe, catalogue, n))]
        chosen[place] = fitting[0] if fitting else chosen[place]
    return chosen


def _shared(method: Descriptor, step: Step | None, catalogue: Catalogue) -> dict[str, Any]:
    """The parameters of a step that its plot has too, with a meaning and values alike."""
    if step is None or step.use not in catalogue:
        return {}
    ours = method.params.get("properties", {})
    theirs = catalogue.get(step.use)
    values = theirs.with_defaults(step.params)
    shared = {}
    for name, value in values.items():
        mine, other = ours.get(name, {}), theirs.params.get("properties", {}).get(name, {})
        alike = mine.get("type") == other.get("type") and value in mine.get("enum", [value])
        if mine and alike and method.defaults.get(name) != value:
            shared[name] = value
    return shared


def _about(recipe: Recipe, catalogue: Catalogue, name: str) -> str:
    use = recipe.step(name).use
    return catalogue.get(use).summary if use in catalogue else ""


def _by_preference(recipe: Recipe, catalogue: Catalogue, chosen: str) -> list[str]:
    """All steps on the items of the chosen one: it, what it was made from, then the newest."""
    off = recipe.switched_off()
    newest = [step.name for step in reversed(recipe.in_order()) if step.name not in off]
    if chosen not in recipe.names:
        grouped = [n for n in newest if type_of(recipe, catalogue, n) == "clustering"]
        chosen = next(iter(grouped or newest), "")
    if not chosen:
        return [source.name for source in recipe.sources]
    root = _root(recipe, chosen)
    lineage = list(reversed(recipe.ancestors([chosen])))
    same = [name for name in newest if _root(recipe, name) == root]
    return list(dict.fromkeys([*lineage, *same]))


def _root(recipe: Recipe, name: str) -> str:
    part = recipe.find(name)
    while isinstance(part, Step) and part.of:
        part = recipe.find(part.of[0])
    return part.name
