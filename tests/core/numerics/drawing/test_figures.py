"""Each result has a figure, in SVG that is well-formed and in PNG."""

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from coterie.core import (
    Affinity,
    Clustering,
    DataError,
    Dataset,
    Embedding,
    Labelling,
    Model,
    Ranking,
    Score,
    Spectrum,
    Trace,
)
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.drawing.figures import figure_of
from coterie.core.numerics.drawing.plots import MOST_BENDS, MOST_POINTS, curve, scatter
from coterie.core.numerics.drawing.png import as_pixels
from coterie.core.numerics.drawing.shapes import Box, Dots, Drawing, Path, Picture, Text
from coterie.core.numerics.drawing.svg import as_svg

IRIS = SAMPLES["iris"].make()
RNG = np.random.default_rng(0)
A = np.exp(-((IRIS.dense_features()[:, None] - IRIS.dense_features()[None]) ** 2).sum(2))
STEPS = np.arange(5)
NOUNS: dict[str, Any] = {
    "dataset": IRIS,
    "affinity": Affinity(values=A, dataset=IRIS),
    "clustering": Clustering(labels=np.arange(150) % 3 - 1, dataset=IRIS),
    "embedding": Embedding(coordinates=RNG.normal(size=(150, 3)), dataset=IRIS),
    "line": Embedding(coordinates=RNG.normal(size=(150, 1)), dataset=IRIS),
    "ranking": Ranking(scores=RNG.normal(size=150), dataset=IRIS),
    "spectrum": Spectrum(eigenvalues=np.array([1 + 1j, 0.5, 0.1])),
    "trace": Trace(iterations=STEPS, objective=STEPS / 5, residual=1 / (1 + STEPS), support=STEPS),
    "score": Score(value=0.5, title="nmi"),
    "table": Score(value=0.5, table=np.eye(3)),
    "labelling": Labelling(classes=np.array([[0, 1], [255, 1]], dtype=np.uint8)),
}


def words(drawing: Drawing) -> list[str]:
    return [shape.words for shape in drawing.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("name", NOUNS)
def test_every_result_can_be_drawn_both_ways(name: str) -> None:
    drawing = figure_of(NOUNS[name], title="a < b & \x00 c")
    root = ElementTree.fromstring(as_svg(drawing))
    assert root.tag.endswith("svg")
    page = as_pixels(drawing, 0.5)
    assert (page < 250).any()


def test_a_model_has_no_figure() -> None:
    with pytest.raises(DataError, match=r"no figure of a model\. Write it as CSV"):
        figure_of(Model())


def test_points_have_the_colours_and_counts_of_their_classes() -> None:
    drawing = figure_of(NOUNS["embedding"])
    dots = [shape for shape in drawing.shapes if isinstance(shape, Dots)]
    assert [len(shape.places) for shape in dots] == [50, 50, 50, 1, 1, 1]  # and the legend
    assert len({shape.colour for shape in dots[:3]}) == 3
    assert {"setosa (50)", "versicolor (50)", "virginica (50)"} <= set(words(drawing))
    assert "in no group (50)" in words(figure_of(NOUNS["clustering"]))


def test_other_axes_can_be_chosen() -> None:
    assert {"axis 3", "axis 1"} <= set(words(figure_of(NOUNS["embedding"], axes=(3, 1))))
    with pytest.raises(DataError, match=r"There are 3 axes\. Got 4 and 1"):
        figure_of(NOUNS["embedding"], axes=(4, 1))


def test_similarities_are_ordered_by_known_class_and_thinned() -> None:
    order = RNG.permutation(150)
    mixed = Affinity(values=A[np.ix_(order, order)], dataset=IRIS.take(order))
    (image, *_) = [s for s in figure_of(mixed).shapes if isinstance(s, Picture)]
    shade = 255 - image.pixels[..., 0].astype(float)
    assert shade[:50, :50].mean() > 5 * shade[:50, 100:].mean()
    large = Affinity(factor=RNG.normal(size=(2000, 2)), title="large")
    (image, *_) = [s for s in figure_of(large).shapes if isinstance(s, Picture)]
    assert image.pixels.shape == (800, 800, 3)


def test_groups_of_pixels_are_a_map() -> None:
    scene = SAMPLES["cloud-scene"].make()
    assert scene.truth is not None
    groups = Clustering(labels=scene.truth, names=scene.truth_names, dataset=scene)
    drawing = figure_of(groups)
    (image,) = [shape for shape in drawing.shapes if isinstance(shape, Picture)]
    assert image.pixels.shape == (120, 120, 3)
    assert len(np.unique(image.pixels.reshape(-1, 3), axis=0)) == 6
    assert any(text.startswith("water (") for text in words(drawing))


def test_the_first_of_a_ranking_come_first() -> None:
    ranking = Ranking(scores=np.array([1.0, 3.0, -1.0]))
    drawing = figure_of(ranking)
    bars = [shape for shape in drawing.shapes if isinstance(shape, Box)]
    assert [bar.y for bar in bars] == sorted(bar.y for bar in bars)
    np.testing.assert_allclose(bars[0].width / bars[1].width, 3)
    assert bars[2].x < bars[0].x  # a negative one goes the other way
    assert [w for w in words(drawing) if w in "123"][-3:] == ["2", "1", "3"]


def test_what_is_too_much_to_show_is_thinned_and_said() -> None:
    n = MOST_POINTS + 5
    drawing = scatter(RNG.normal(size=(n, 2)), np.zeros(n, int), title="many", axes=("x", "y"))
    assert words(drawing)[0] == f"many ({MOST_POINTS:,} of {n:,} items)"
    values = np.zeros(100_000)
    values[77_777] = 1.0
    (line,) = [
        shape
        for shape in curve(np.arange(100_000), values, title="", axes=("", "")).shapes
        if isinstance(shape, Path) and shape.width == 2
    ]
    assert len(line.places) <= MOST_BENDS + 2
    assert np.ptp(line.places[:, 1]) > 300  # the peak is not lost


def test_groups_without_data_cannot_be_placed() -> None:
    with pytest.raises(DataError, match="of no known data"):
        figure_of(Clustering(labels=np.zeros(3, int)))
    with pytest.raises(DataError, match="has no features"):
        figure_of(Dataset(title="r", kind="relation", relation=np.eye(3)))
