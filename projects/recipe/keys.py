"""What a recipe implies, without running any of it: keys, inputs that fit, default recipes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.engine.messages import Order
from coterie.core.errors import RecipeError, UnknownComponentError, no_file
from coterie.core.model.artefacts import canonical_json, step_key
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.toml import is_sample, read_recipe

TEXTS = well_known.READER_TEXTS
TRIPLETS = well_known.READER_TRIPLETS
# For readers that give similarities rather than features: what takes them as they are.
_KERNELS = {
    well_known.READER_SIMILARITY: well_known.KERNEL_PRECOMPUTED,
    well_known.READER_EDGES: well_known.KERNEL_PRECOMPUTED,
}
RASTER = well_known.READER_RASTER
# Files that are scenes, known before the catalogue is.
_SCENES = (".tif", ".tiff", ".jp2", ".nc", ".n1", ".img", ".hdr", ".dat", ".safe", "_mtl.txt")
# The number of groups is read off the spectrum of the similarities.
_JOINT = (
    Step("groups", well_known.CLUSTERER_JOINT, ("similarity",), {"k": 0}),
    Step("picture", well_known.EMBEDDER_JOINT, ("similarity",), {"components": 3}),
    # Exact, where the joint ranking would be as good as the three coordinates of the picture: of a
    # small group these keep too little to say who comes first.
    Step(
        "typical",
        well_known.RANKER_PERSONALISED_PAGERANK,
        ("similarity", "groups"),
        {"scope": "within-cluster"},
    ),
)
_LEARNED = (
    Step(
        "similarity",
        well_known.KERNEL_PROBABILISTIC_CLUSTER,
        ("main",),
        {"initialisations": 20, "max_components": 10},
    ),
    *_JOINT,
)
SAMPLE_RECIPES = Path(__file__).parent / "shipped" / "samples"


@dataclass(frozen=True)
class Computed:
    """What a step or source was last computed to.

    `request` is what was asked of a reader; its key depends on the file's bytes, which only the
    engine reads, so the request tells whether the key is still the right one.
    """

    key: str
    parts: Mapping[str, str] = field(default_factory=dict)
    request: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as it stands in the project file."""
        value: dict[str, Any] = {"key": self.key, "parts": dict(self.parts)}
        if self.request:
            value["request"] = self.request
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Computed:
        """Build it again from `as_json`."""
        return cls(value["key"], dict(value.get("parts", {})), value.get("request", ""))


def reader_of(source: Source, catalogue: Catalogue) -> Descriptor:
    """Return the reader of a source: the one it names, or the one for a file of its name.

    Nothing on disk is looked at: a project may name places that a person has not allowed.
    """
    if source.reader:
        return catalogue.get(source.reader)
    if is_sample(source):
        return catalogue.get(well_known.READER_SAMPLE)
    reader = catalogue.reader_for(Path(source.open).name)
    if reader is None:
        endings = sorted({e for d in catalogue.of_kind("reader") for e in d.extensions})
        known = f"Files that end in {', '.join(endings)} can be opened."
        raise RecipeError(
            f"No reader is known for '{Path(source.open).name}'. "
            + (known if endings else "All readers are broken: 'coterie methods' says why.")
        )
    return reader


def with_reader(source: Source, catalogue: Catalogue) -> Source:
    """Return a source naming its reader, if only a look into its folder tells which that is.

    Ask only for a source that may be read. What it names is known also when the folder is gone.
    """
    if source.reader or is_sample(source) or catalogue.reader_for(Path(source.open).name):
        return source
    found = catalogue.reader_of(Path(source.open))
    return source if found is None else replace(source, reader=found.name)


def request_of(source: Source, reader: Descriptor) -> str:
    """Return a text that is the same as long as a source asks for the same thing.

    Only the file's name counts, not its folder: a project that was moved asks for the same.
    """
    opened = source.open if not reader.extensions else Path(source.open).name
    asked = [opened, reader.name, reader.version, reader.fingerprint, _filled(source, reader)]
    return hashlib.sha256(canonical_json(asked).encode()).hexdigest()


def implied_keys(
    recipe: Recipe, catalogue: Catalogue, computed: Mapping[str, Computed]
) -> dict[str, str]:
    """Return the key that the recipe now implies for each name; unknown ones are left out."""
    keys: dict[str, str] = {}
    for source in recipe.sources:
        known = computed.get(source.name)
        readers = _possible_readers(source, catalogue) if known is not None else ()
        if known is not None and known.request in {request_of(source, r) for r in readers}:
            keys[source.name] = known.key
    for step in recipe.in_order():
        if step.use in catalogue and all(of in keys for of in step.of):
            method = catalogue.get(step.use)
            keys[step.name] = step_key(
                component=method.name,
                version=method.version,
                fingerprint=method.fingerprint,
                params=_filled(step, method),
                inputs=[keys[of] for of in step.of],
                seed=step.seed,
            )
    return keys


def _possible_readers(source: Source, catalogue: Catalogue) -> tuple[Descriptor, ...]:
    """The reader of a source; of a folder whose name tells none, any that may have read it."""
    try:
        return (reader_of(source, catalogue),)
    except UnknownComponentError:
        return ()
    except RecipeError:
        return tuple(reader for reader in catalogue.of_kind("reader") if reader.extensions)


def type_of(recipe: Recipe, catalogue: Catalogue, name: str) -> str:
    """Return the type of artefact that a step gives; empty when its method is not known."""
    part = recipe.find(name)
    if isinstance(part, Source):
        return "dataset"
    return catalogue.get(part.use).gives if part.use in catalogue else ""


def check_inputs(recipe: Recipe, catalogue: Catalogue, step: Step) -> None:
    """Raise a clear error when the inputs of a step are not what its method needs."""
    given = [type_of(recipe, catalogue, of) for of in step.of]
    refusal = catalogue.get(step.use).refusal(given)
    if refusal and all(given):  # of a method that is not known, the type is not known either
        raise RecipeError(refusal)


def refuse_off(recipe: Recipe, name: str) -> None:
    """Raise a clear error when a step is switched off, or needs one that is."""
    off = recipe.off().get(name)
    if off == name:
        raise RecipeError(f"Step '{name}' is switched off. Switch it on to run it.")
    if off is not None:
        raise RecipeError(f"Step '{name}' needs '{off}', which is switched off. Switch it on.")


def order_for(
    name: str, recipe: Recipe, catalogue: Catalogue, fresh: Callable[[str], str | None]
) -> Order:
    """Return what an engine is to do for a step, or say why it cannot be done.

    The folder of a source is looked into if need be: ask only for one that may be read.
    `fresh` gives the key of a step's artefact, or None while it is not what the recipe implies.
    """
    part = recipe.find(name)
    if isinstance(part, Source):
        reader = _reader_now(part, catalogue)
        return Order(use=reader.name, params=dict(part.params), path=part.open)
    refuse_off(recipe, name)
    check_inputs(recipe, catalogue, part)
    inputs = []
    for of in part.of:
        key = fresh(of)
        if key is None:
            raise RecipeError(f"Step '{name}' needs '{of}', which is not computed yet.")
        inputs.append(key)
    return Order(use=part.use, params=dict(part.params), inputs=inputs, seed=part.seed)


def _reader_now(source: Source, catalogue: Catalogue) -> Descriptor:
    """The reader of a source that is about to be read."""
    try:
        return reader_of(with_reader(source, catalogue), catalogue)
    except RecipeError:
        if not Path(source.open).exists():
            raise no_file(source.open) from None
        raise


def fitting_inputs(
    recipe: Recipe, catalogue: Catalogue, method: Descriptor, before: str | None = None
) -> tuple[str, ...]:
    """Return, for each input a method requires, the latest earlier step that fits."""
    names = list(recipe.names)
    if before is not None:
        names = names[: names.index(before)]
    chosen = []
    for need in method.inputs:
        fits = [name for name in names if need.takes(type_of(recipe, catalogue, name))]
        if fits:
            chosen.append(fits[-1])
        elif not need.optional:
            raise RecipeError(
                f"{method.title} works on {' or '.join(need.accepts)}, and there is none yet. "
                "Add a step that gives one first."
            )
        else:
            break
    return tuple(chosen)


def recipe_to_open(what: str, catalogue: Catalogue) -> Recipe:
    """Return the recipe for a sample's name, a recipe file, or a data file."""
    if is_sample(Source(open=what)):
        return sample_recipe(what)
    path = Path(what).absolute()
    if path.suffix == ".toml":
        recipe = read_recipe(path)
        sources = tuple(with_reader(source, catalogue) for source in recipe.sources)
        return replace(recipe, sources=sources)
    if not path.exists():
        raise RecipeError(f"There is no file '{what}'. Check the path.")
    source = with_reader(Source(open=str(path)), catalogue)
    reader = ""
    if catalogue.methods:
        reader = reader_of(source, catalogue).name  # raises when no reader is known
    return default_recipe(source, path.name.split(".")[0], reader)


def sample_recipe(name: str) -> Recipe:
    """Return the recipe that comes with a sample."""
    path = SAMPLE_RECIPES / f"{name}.toml"
    if not path.exists():
        return default_recipe(Source(open=name, reader=well_known.READER_SAMPLE), title=name)
    return read_recipe(path)


def default_recipe(source: Source, title: str, reader: str = "", kernel: str = "") -> Recipe:
    """Return a recipe that is sensible for any table: fill, scale, relate, group, picture, rank.

    What the `reader` gives may be no table: texts are related by their words, or by the `kernel`
    named, counts of words are brought to a few meanings, given similarities are taken as they are,
    and of a scene a sample of the pixels is taken, from which a classifier learns what the rest of
    them are.

    Of a table the similarity is learned, and the number of groups is read off its spectrum: no
    width and no number has to be guessed. Ten components and 20 starts give one to five groups on
    the tables we know, in a second or so; a Gaussian of any one width gave one group on some of
    them and dozens on others.
    """
    named = reader or source.reader
    if named == RASTER or (not named and source.open.lower().endswith(_SCENES)):
        return _scene_recipe(source, title)
    if named == TEXTS:
        return _texts_recipe(source, title, kernel or well_known.KERNEL_BAG_OF_WORDS)
    if named == TRIPLETS:
        # Counts of many words, most of them none: as they are, without a mean to take away.
        meanings = Step("main", well_known.TRANSFORM_SVD, (source.name,), {"components": 20})
        return Recipe(title=title, sources=(source,), steps=(meanings, *_LEARNED))
    if given := _KERNELS.get(named):
        return Recipe(
            title=title,
            sources=(source,),
            steps=(
                Step("similarity", given, (source.name,)),
                Step(
                    "groups", well_known.CLUSTERER_DOMINANT_SETS, ("similarity",), {"min_size": 3}
                ),
                Step("typical", well_known.RANKER_MEMBERSHIP, ("groups",)),
            ),
        )
    return Recipe(
        title=title,
        sources=(source,),
        steps=(
            Step("complete", well_known.TRANSFORM_IMPUTE, (source.name,)),
            Step("scaled", well_known.TRANSFORM_STANDARDISE, ("complete",)),
            # Covariances of more columns are slow to learn and poorly known: 20, as for pictures
            # and texts, gave better groups of digits in a quarter of the time.
            Step("main", well_known.TRANSFORM_PCA, ("scaled",), {"energy": 0.9, "at_most": 20}),
            *_LEARNED,
        ),
    )


def _texts_recipe(source: Source, title: str, kernel: str) -> Recipe:
    """What texts share, whatever their length; each with its nearest, then as for a table.

    Nearly all texts share some words, the commonest, and a few share none with any other: among
    all pairs these would be groups of one. Among the nearest, four languages are four groups.
    """
    params = {"length": 3} if kernel == well_known.KERNEL_SPECTRUM else {}
    return Recipe(
        title=title,
        sources=(source,),
        steps=(
            Step("shared", kernel, (source.name,), params),
            Step("comparable", well_known.GRAPH_NORMALISE_KERNEL, ("shared",)),
            Step("similarity", well_known.GRAPH_KNN, ("comparable",), {"weights": "affinity"}),
            *_JOINT,
        ),
    )


def _scene_recipe(source: Source, title: str) -> Recipe:
    """A sample, its groups, and a classifier for all other pixels.

    Pixels of cloud lie three times as far apart as those of land, so that the kernel's own width,
    .15 of the median distance, joins land and leaves cloud in pieces. Three times the median gives
    eight to eleven groups on the scenes we know, as many as a person can name; at the median itself
    there are twice as many and the map is no better. The learned similarity of tables, cut where
    its spectrum says, gave two groups however many kinds there were.
    """
    return Recipe(
        title=title,
        sources=(source,),
        steps=(
            Step("pixels", well_known.TRANSFORM_SAMPLE, (source.name,), {"size": 1000}),
            Step("scaled", well_known.TRANSFORM_STANDARDISE, ("pixels",)),
            Step("similarity", well_known.KERNEL_GAUSSIAN, ("scaled",), {"auto_fraction": 3.0}),
            Step(
                "groups",
                well_known.CLUSTERER_DOMINANT_SETS,
                ("similarity",),
                {"min_size": 10, "rest": "nearest"},
            ),
            Step("picture", well_known.EMBEDDER_PCA, ("scaled",)),
            Step("typical", well_known.RANKER_MEMBERSHIP, ("groups",), {"scope": "within-cluster"}),
            Step("classes", well_known.CLASSIFIER_NEAREST, ("scaled", "groups", "typical")),
        ),
    )


def _filled(part: Step | Source, method: Descriptor) -> dict[str, Any]:
    """Return parameters with defaults filled in, as the engine will."""
    return {**method.defaults, **part.params}
