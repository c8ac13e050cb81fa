"""The recipe to begin with: of a sample, a recipe file, or a data file."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.inputs import reader_of, with_reader
from coterie.projects.recipe.toml import is_plugin_sample, is_sample, read_recipe

TEXTS = well_known.READER_TEXTS
TRIPLETS = well_known.READER_TRIPLETS
# For readers that give similarities rather than features: what takes them as they are.
_KERNELS = {
    well_known.READER_SIMILARITY: well_known.KERNEL_PRECOMPUTED,
    well_known.READER_EDGES: well_known.KERNEL_PRECOMPUTED,
}
RASTER = well_known.READER_RASTER
# Files that are scenes, known before the catalogue is.
_SCENES = (
    *(".tif", ".tiff", ".jp2", ".nc", ".n1", ".img", ".hdr", ".dat", ".vrt", ".safe"),
    *(".zip", ".tar", ".tar.gz", ".tgz", "_mtl.txt", "_mtl.xml"),
)
SAMPLE_RECIPES = Path(__file__).parent / "shipped" / "samples"


def recipe_to_open(what: str, catalogue: Catalogue) -> Recipe:
    """Return the recipe for a sample's name, a recipe file, or a data file."""
    if is_plugin_sample(what) and not Path(what).exists():
        return plugin_sample_recipe(what, catalogue)
    if is_sample(Source(open=what)):
        return sample_recipe(what)
    path = Path(what).absolute()
    if path.suffix == ".toml":
        recipe = read_recipe(path)
        sources = tuple(with_reader(source, catalogue) for source in recipe.sources)
        return replace(recipe, sources=sources)
    if not path.exists():
        raise RecipeError(f"'{what}' does not exist. Check the path.", code="file-not-found")
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


def plugin_sample_recipe(name: str, catalogue: Catalogue) -> Recipe:
    """Return the recipe that comes with a plugin's sample, or that of any table."""
    reader = catalogue.get(f"reader/{name}")
    source = Source(open=name, reader=reader.name)
    if reader.recipe:
        return Recipe(title=reader.title, sources=(source,), steps=reader.recipe)
    return default_recipe(source, title=reader.title)


def default_recipe(source: Source, title: str, reader: str = "", kernel: str = "") -> Recipe:
    """Return a recipe that is sensible for any table: fill, scale, group, picture, rank.

    What the `reader` gives need not be a table: texts are compared by their words, or by the
    `kernel` named, counts of words are brought to a few meanings, given similarities are taken as
    they are, and of a scene a sample of the pixels is taken, from which a classifier learns what
    the rest of them are.

    Of a table, the groups and their number are those that the evidence speaks for: nothing has to
    be chosen. docs/quality.md says how good that answer is.
    """
    named = reader or source.reader
    if named == RASTER or (not named and source.open.lower().endswith(_SCENES)):
        return _scene_recipe(source, title)
    if named == TEXTS:
        return _texts_recipe(source, title, kernel or well_known.KERNEL_BAG_OF_WORDS)
    if named == TRIPLETS:
        # Counts of many words, most of them none: as they are, without a mean to take away.
        meanings = Step("main", well_known.TRANSFORM_SVD, (source.name,), {"components": 20})
        return Recipe(title=title, sources=(source,), steps=(meanings, *_answer("main")))
    if given := _KERNELS.get(named):
        return _relation_recipe(source, title, given)
    return Recipe(
        title=title,
        sources=(source,),
        steps=(
            Step("complete", well_known.TRANSFORM_IMPUTE, (source.name,)),
            Step("scaled", well_known.TRANSFORM_STANDARDISE, ("complete",)),
            *_answer("scaled"),
        ),
    )


def _answer(data: str) -> tuple[Step, ...]:
    """A picture of the data, the groups that the evidence supports, and their typical items.

    The picture comes first, as it is there at once. At the end, when nobody waits for it any more,
    comes the one in which groups are islands.
    """
    return (
        Step("picture", well_known.EMBEDDER_PCA, (data,)),
        Step("groups", well_known.CLUSTERER_AUTOMATIC, (data,)),
        Step("similarity", well_known.GRAPH_KNN, (data,), {"weights": "affinity"}),
        Step(
            "typical",
            well_known.RANKER_PERSONALISED_PAGERANK,
            ("similarity", "groups"),
            {"scope": "within-cluster"},
        ),
        *_islands(data),
    )


def _islands(data: str) -> tuple[Step, ...]:
    """A picture in which each item stays with its neighbours, where its library is installed."""
    if find_spec("openTSNE") is None:
        return ()
    return (Step("islands", well_known.EMBEDDER_TSNE, (data,)),)


def _relation_recipe(source: Source, title: str, kernel: str) -> Recipe:
    """Given similarities: their groups, a picture in which similar items are near, who is typical.

    A directed graph is looked at both ways, as most methods need.
    """
    return Recipe(
        title=title,
        sources=(source,),
        steps=(
            Step("given", kernel, (source.name,)),
            Step("similarity", well_known.GRAPH_SYMMETRISE, ("given",)),
            *_answer_of_graph("similarity"),
        ),
    )


def _answer_of_graph(graph: str) -> tuple[Step, ...]:
    """A picture of a graph, the groups that the evidence supports, and their typical items."""
    return (
        Step("picture", well_known.EMBEDDER_JOINT, (graph,), {"components": 3}),
        Step("groups", well_known.CLUSTERER_AUTOMATIC, (graph,)),
        # Exact, where the joint ranking would be as good as the three coordinates of the picture:
        # of a small group these keep too little to say who comes first.
        Step(
            "typical",
            well_known.RANKER_PERSONALISED_PAGERANK,
            (graph, "groups"),
            {"scope": "within-cluster"},
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
            *_answer_of_graph("similarity"),
            *_islands("similarity"),
        ),
    )


def _scene_recipe(source: Source, title: str) -> Recipe:
    """A sample, its groups, and a classifier for all other pixels.

    Pixels of cloud are three times as far apart as those of land, so the kernel's own width,
    .15 of the median distance, joins land and leaves cloud in pieces. At .7 of the median there are
    about thirty groups, and clouds and kinds of land are found no worse than by k-means with twenty
    (docs/reproductions.md); at three times there are ten, which are quicker to name and lose some
    cloud. The learned similarity of tables, cut where its spectrum says, gave two groups however
    many kinds there were.
    """
    return Recipe(
        title=title,
        sources=(source,),
        steps=(
            Step("pixels", well_known.TRANSFORM_SAMPLE, (source.name,), {"size": 1000}),
            Step("scaled", well_known.TRANSFORM_STANDARDISE, ("pixels",)),
            Step("similarity", well_known.KERNEL_GAUSSIAN, ("scaled",), {"auto_fraction": 0.7}),
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
