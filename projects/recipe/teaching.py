"""The steps by which a scene is taught: pixels of drawn regions, their classes, a classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from coterie.core import well_known
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Step

FOREST, SEGMENTS = well_known.CLASSIFIER_RANDOM_FOREST, well_known.TRANSFORM_SEGMENTS
MOST_PIXELS = 2000  # of all regions together
# What is learned from and classified: pixels, or segments of so many pixels.
ITEMS = (("Pixels", 0), ("Small segments", 30), ("Segments", 100), ("Large segments", 300))
OTHERS = 1000  # pixels outside the regions, along which labels spread


@dataclass(frozen=True)
class Teacher:
    """A way to learn from regions.

    Attributes
    ----------
    use : the classifier
    spread_by : a clusterer that first gives the classes of the regions to other pixels; or nothing
    scaled : whether features must be brought to one scale before
    spreading : parameters of that clusterer
    """

    title: str
    use: str
    spread_by: str = ""
    scaled: bool = False
    spreading: Mapping[str, Any] = field(default_factory=dict)

    @property
    def holds_out(self) -> bool:
        """Whether it measures its accuracy on pixels held out.

        Where labels spread first, the classifier learns from what they reached, not from regions.
        """
        return not self.spread_by


TEACHERS = (
    Teacher("Random forest", FOREST),
    Teacher("Support vectors", well_known.CLASSIFIER_SUPPORT_VECTORS),
    Teacher("Nearest neighbour", well_known.CLASSIFIER_NEAREST, scaled=True),
    Teacher("Maximum likelihood", well_known.CLASSIFIER_MAXIMUM_LIKELIHOOD),
    Teacher("Spectral angle", well_known.CLASSIFIER_SPECTRAL_ANGLE),
    Teacher(
        "Graph transduction",
        well_known.CLASSIFIER_NEAREST,
        well_known.CLUSTERER_TRANSDUCTION,
        scaled=True,
    ),
    Teacher(
        "Constrained dominant sets",
        well_known.CLASSIFIER_NEAREST,
        well_known.CLUSTERER_DOMINANT_CONSTRAINED,
        scaled=True,
        spreading={"every_seed": True},  # what was painted keeps its class
    ),
)


@dataclass(frozen=True)
class TaughtRecipe:
    """A recipe that learns from regions: its classifier, and the step of the classes it learns."""

    recipe: Recipe
    classifier: str
    classes: str


def teach(
    recipe: Recipe,
    source: str,
    regions: str,
    teacher: Teacher,
    *,
    held_out: float = 0.25,
    segment_size: int = 0,
) -> TaughtRecipe:
    """Return the recipe with the steps that learn from regions, in place of those it had.

    Parameters
    ----------
    source : name of the scene
    regions : GeoJSON in the coordinates of the scene; a polygon's name is its class
    held_out : share of the pixels that measure the accuracy, for teachers that hold out
    segment_size : learn from segments of so many pixels; 0: from pixels

    The steps are called *examples*, *taught*, and so on; steps of these names that do something
    else are left alone.
    """
    wanted = _steps(source, regions, teacher, held_out)
    if segment_size:
        cut = Step("segments", SEGMENTS, (source,), {"size": segment_size})
        wanted = [cut, replace(wanted[0], of=("segments",)), *wanted[1:]]
    called = {step.name: _name_for(recipe, step) for step in wanted}
    steps = [
        replace(step, name=called[step.name], of=tuple(called.get(of, of) for of in step.of))
        for step in wanted
    ]
    for role, use in _ROLES.items():  # what another teacher needed, unless something else uses it
        old = next((s for s in recipe.steps if s.name == role and s.use in use), None)
        if old is not None and role not in called and _is_free(recipe, role):
            recipe = recipe.without(role)
    for step in steps:
        if step.name in recipe.names:
            recipe = recipe.changed(step.name, use=step.use, of=step.of, params=step.params)
        else:
            recipe = recipe.with_step(step, _place(recipe, steps, step))
    last = steps[-1]
    if not recipe.dependents(last.name):  # the last classifier is the one that classifies scenes
        others = tuple(step for step in recipe.steps if step.name != last.name)
        recipe = replace(recipe, steps=(*others, recipe.step(last.name)))
    recipe.check()
    return TaughtRecipe(recipe, last.name, last.of[1])


_ROLES = {
    "segments": (SEGMENTS,),
    "examples": (well_known.TRANSFORM_SAMPLE,),
    "example classes": (well_known.CLUSTERER_KNOWN_CLASSES,),
    "examples scaled": (well_known.TRANSFORM_STANDARDISE,),
    "examples similar": (well_known.GRAPH_KNN,),
    "spread classes": tuple(teacher.spread_by for teacher in TEACHERS if teacher.spread_by),
    "taught": tuple({teacher.use for teacher in TEACHERS}),
}


def _steps(source: str, regions: str, teacher: Teacher, held_out: float) -> list[Step]:
    sampled: dict[str, Any] = {"size": MOST_PIXELS, "balanced_by": "regions", "regions": regions}
    if teacher.spread_by:
        sampled["others"] = OTHERS
    steps = [
        Step("examples", well_known.TRANSFORM_SAMPLE, (source,), sampled),
        Step("example classes", well_known.CLUSTERER_KNOWN_CLASSES, ("examples",)),
    ]
    learnt, classes = "examples", "example classes"
    if teacher.scaled:
        learnt = "examples scaled"
        steps.append(Step(learnt, well_known.TRANSFORM_STANDARDISE, ("examples",)))
    if teacher.spread_by:
        near, classes = "examples similar", "spread classes"
        steps.append(Step(near, well_known.GRAPH_KNN, (learnt,), {"weights": "affinity"}))
        steps.append(
            Step(classes, teacher.spread_by, (near, "example classes"), dict(teacher.spreading))
        )
    params = {"held_out": held_out} if teacher.holds_out else {}
    steps.append(Step("taught", teacher.use, (learnt, classes), params))
    return steps


def _place(recipe: Recipe, steps: Sequence[Step], step: Step) -> int:
    """Where a new step goes: before those of the same lesson that are there and follow it."""
    later = {other.name for other in steps[steps.index(step) + 1 :]}
    places = [at for at, other in enumerate(recipe.steps) if other.name in later]
    return min(places, default=len(recipe.steps))


def _name_for(recipe: Recipe, step: Step) -> str:
    known = next((part for part in recipe.parts if part.name == step.name), None)
    ours = isinstance(known, Step) and known.use in _ROLES[step.name]
    return step.name if known is None or ours else recipe.free_name(step.name)


def _is_free(recipe: Recipe, name: str) -> bool:
    return all(step.name in _ROLES for step in recipe.dependents(name))


def require_classes(names: Sequence[str]) -> None:
    """Refuse regions that nothing can be learnt from."""
    if not names:
        raise RecipeError(
            "There are no regions to train on. Draw some, or import them.", code="too-few-groups"
        )
    if len(set(names)) < 2:
        raise RecipeError(
            f"All regions are of the class '{names[0]}'. Draw regions of at least two classes.",
            code="too-few-groups",
        )
