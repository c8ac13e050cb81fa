"""What a cross-validation repeats, on which subsets, and how it is tested. Values only."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.jobs.classify_scene import SceneChain, chain_of, own_scene
from coterie.projects.recipe.toml import is_sample

SAMPLE = well_known.TRANSFORM_SAMPLE
TOP = "top_per_cluster"
SIZE = "size"
ALL = 0  # of the best-ranked: all pixels of the sample
MOST_TRIALS = 10_000

Place = tuple[int, int, int]  # repetition, size, top: numbers of the plan's entries


@dataclass(frozen=True)
class CrossValidationPlan:
    """A classifier that is learnt again and again, from other samples of a scene.

    In repetition r every step from the sample to the classifier has its own seed + r, so
    repetition 0 is the recipe as it is.

    Attributes
    ----------
    scene : what is classified
    truth : a mask with the known classes of its pixels
    truth_classes : what its values mean, as "4 = cloud, 1 = water"
    step : the classifier step; empty for the recipe's last one
    sizes : numbers of pixels in the sample
    tops : how many best-ranked pixels of each group are learnt from; 0 for all
    times : repetitions
    at_most : pixels to judge by, drawn at random in each repetition; 0 for all that are known
    own : whether `scene` is the one the sample comes from: then the sample is not judged by
    reader_params : how to open the scene, in place of what the recipe says
    """

    scene: Path
    truth: Path
    truth_classes: str = ""
    step: str = ""
    sizes: tuple[int, ...] = ()
    tops: tuple[int, ...] = (ALL,)
    times: int = 10
    at_most: int = 0
    own: bool = True
    reader_params: Mapping[str, Any] | None = None

    @property
    def count(self) -> int:
        """Number of trials."""
        return self.times * len(self.sizes) * len(self.tops)

    def places(self) -> Iterator[Place]:
        """Yield every trial; repetitions first, so all means grow together."""
        return itertools.product(range(self.times), range(len(self.sizes)), range(len(self.tops)))

    def check(self, recipe: Recipe, catalogue: Catalogue) -> SceneChain:
        """Return the steps from the scene to the classifier, or say why it cannot be repeated."""
        chain = chain_of(recipe, catalogue, self.step)
        sample_of(chain)
        classifier = chain.steps[-1]
        if self.times < 1:
            raise RecipeError(
                f"The number of runs must be 1 or more. Got {self.times}.", code="invalid-sweep"
            )
        if not self.sizes or min(self.sizes) < 1:
            raise RecipeError(
                "Subset sizes must be whole numbers, 1 or more.", code="invalid-sweep"
            )
        if not self.tops or min(self.tops) < 0:
            raise RecipeError(
                "The number of top-ranked pixels must be 1 or more, or 0 for all.",
                code="invalid-sweep",
            )
        if len(set(self.sizes)) < len(self.sizes) or len(set(self.tops)) < len(self.tops):
            raise RecipeError(
                "A subset size or number of top-ranked pixels appears twice. Give each once.",
                code="invalid-sweep",
            )
        if max(self.tops) > 0 and len(classifier.of) < 3:
            raise RecipeError(
                "Training on top-ranked pixels needs a ranking, but "
                f"'{classifier.name}' has none. Add a ranking as its third input, or "
                "train on all pixels.",
                code="ranking-needed",
            )
        if self.count > MOST_TRIALS:
            raise RecipeError(
                f"At most {MOST_TRIALS:,} runs are possible. Got {self.count:,}.",
                code="too-many-runs",
            )
        return chain


def sample_of(chain: SceneChain) -> Step:
    """Return the step that draws the sample, or say that there is none."""
    for step in chain.steps:
        if step.use == SAMPLE:
            return step
    raise RecipeError(
        "The recipe takes no random subset of the pixels, so every run would be the "
        f"same. Add {well_known.TRANSFORM_SAMPLE} as the first step.",
        code="subset-needed",
    )


def plan_for(
    recipe: Recipe,
    catalogue: Catalogue,
    *,
    step: str = "",
    scene: Path | None = None,
    truth: Path | None = None,
    truth_classes: str = "",
    sizes: tuple[int, ...] = (),
    tops: tuple[int, ...] = (),
    times: int = 10,
    at_most: int = 0,
    reader_params: Mapping[str, Any] | None = None,
) -> CrossValidationPlan:
    """Return a plan in which what is not said is as in the recipe: scene, mask, size and top."""
    chain = chain_of(recipe, catalogue, step)
    sample, classifier = sample_of(chain), chain.steps[-1]
    own = True
    if not is_sample(chain.source):
        path, mask, meant = own_scene(chain.source)
        own = scene is None or scene.absolute() == path.absolute()
        if truth is None and own:
            truth, truth_classes = mask, truth_classes or meant
        scene = scene or path
    if scene is None:
        raise RecipeError(
            f"'{chain.source.open}' is not a file. Give a scene to test on.", code="no-data-file"
        )
    if truth is None:
        raise RecipeError(
            "The test pixels have no known classes. Give a mask of the scene.",
            code="known-classes-needed",
        )
    size = {**catalogue.get(sample.use).defaults, **sample.params}[SIZE]
    top = {**catalogue.get(classifier.use).defaults, **classifier.params}.get(TOP, ALL)
    plan = CrossValidationPlan(
        scene=scene,
        truth=truth,
        truth_classes=truth_classes,
        step=classifier.name,
        sizes=tuple(sizes) or (int(size),),
        tops=tuple(tops) or (int(top or ALL),),
        times=times,
        at_most=at_most,
        own=own,
        reader_params=reader_params,
    )
    plan.check(recipe, catalogue)
    return plan


def parse_numbers(text: str, what: str) -> tuple[int, ...]:
    """Return whole numbers from "50, 100, 200"; "all" is 0.

    >>> parse_numbers("all, 30, 60", "numbers")
    (0, 30, 60)
    """
    found = []
    for entry in text.replace(";", ",").split(","):
        word = entry.strip().lower()
        if not word:
            continue
        if word != "all" and not word.isdigit():
            raise RecipeError(
                f"The {what} must be whole numbers separated by commas. Got '{text}'.",
                code="invalid-sweep",
            )
        found.append(ALL if word == "all" else int(word))
    return tuple(found)
