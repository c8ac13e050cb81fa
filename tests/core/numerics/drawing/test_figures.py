"""Each result has a figure, which shows what the result holds."""

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

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
from coterie.core.numerics.drawing.page import as_png, as_svg
from coterie.core.numerics.drawing.palette import group_colour
from tests.refusals import refuses

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
    "trace": Trace(iterations=STEPS, values={"objective": STEPS / 5, "residual": 1 / (1 + STEPS)}),
    "score": Score(value=0.5, title="nmi"),
    "table": Score(value=0.5, table=np.eye(3)),
    "labelling": Labelling(classes=np.array([[0, 1], [255, 1]], dtype=np.uint8)),
}


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text)]


def pixels(figure: Figure) -> Any:
    (image,) = figure.axes[0].get_images()
    return image.get_array()


@pytest.mark.parametrize("name", NOUNS)
def test_every_result_can_be_drawn_both_ways(name: str) -> None:
    figure = figure_of(NOUNS[name], title="a < b & \x00 c")
    root = ElementTree.fromstring(as_svg(figure))
    assert root.tag.endswith("svg")
    assert "a < b & \ufffd c" in [text.strip() for text in root.itertext()]
    assert as_png(figure, 0.5).startswith(b"\x89PNG")


def test_a_model_has_no_figure() -> None:
    with refuses("not-exportable", DataError):
        figure_of(Model())


def test_points_have_the_colours_and_counts_of_their_classes() -> None:
    figure = figure_of(NOUNS["embedding"])
    dots = figure.axes[0].collections
    assert [len(group.get_offsets()) for group in dots] == [50, 50, 50]  # type: ignore[arg-type]
    colours = [to_hex(np.asarray(group.get_facecolor())[0]) for group in dots]
    assert colours == [group_colour(group, dark=False) for group in range(3)]
    assert {"setosa (50)", "versicolor (50)", "virginica (50)"} <= set(words(figure))
    assert "in no group (50)" in words(figure_of(NOUNS["clustering"]))


def test_other_axes_can_be_chosen() -> None:
    assert {"axis 3", "axis 1"} <= set(words(figure_of(NOUNS["embedding"], axes=(3, 1))))
    with refuses("invalid-axes", DataError):
        figure_of(NOUNS["embedding"], axes=(4, 1))


def test_similarities_are_ordered_by_known_class_and_thinned() -> None:
    order = RNG.permutation(150)
    mixed = Affinity(values=A[np.ix_(order, order)], dataset=IRIS.take(order))
    shown = pixels(figure_of(mixed))
    assert shown[:50, :50].mean() > 5 * shown[:50, 100:].mean()
    large = Affinity(factor=RNG.normal(size=(2000, 2)), title="large")
    assert pixels(figure_of(large)).shape == (800, 800)


def test_groups_of_pixels_are_a_map() -> None:
    scene = SAMPLES["cloud-scene"].make()
    assert scene.truth is not None
    groups = Clustering(labels=scene.truth, names=scene.truth_names, dataset=scene)
    figure = figure_of(groups)
    shown = pixels(figure)
    assert shown.shape == (120, 120, 3)
    assert len(np.unique(shown.reshape(-1, 3), axis=0)) == 6
    assert any(text.startswith("water (") for text in words(figure))


def test_the_first_of_a_ranking_come_first() -> None:
    figure = figure_of(Ranking(scores=np.array([1.0, 3.0, -1.0])))
    plot = figure.axes[0]
    assert [bar.get_width() for bar in plot.patches] == [3.0, 1.0, -1.0]  # type: ignore[attr-defined]
    assert [label.get_text() for label in plot.get_yticklabels()] == ["2", "1", "3"]
    bottom, top = plot.get_ylim()
    assert bottom > top  # the first is above


def test_a_small_table_has_its_numbers_and_names_written_into_it() -> None:
    table = Score(value=0.5, table=np.diag([50, 7]), rows=("a", "b"), columns=("x", "y"))
    assert {"50", "7", "a", "b", "x", "y"} <= set(words(figure_of(table)))


def test_groups_without_data_cannot_be_placed() -> None:
    with refuses("not-exportable"):
        figure_of(Clustering(labels=np.zeros(3, int)))
    with refuses("features-needed", DataError):
        figure_of(Dataset(title="r", kind="relation", relation=np.eye(3)))
