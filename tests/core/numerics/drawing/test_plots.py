"""Points, curves, bars and means on a page."""

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from coterie.core.model.arrays import Floats
from coterie.core.numerics.drawing.page import as_png, as_svg
from coterie.core.numerics.drawing.plots import (
    MOST_IN_LEGEND,
    MOST_POINTS,
    MeanCurve,
    bars,
    curve,
    legend_pixels,
    matrix,
    means,
    scatter,
)

NAN = float("nan")
AXES = ("x", "y")


def legend(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def line(mean: list[float], deviation: list[float]) -> MeanCurve:
    middle, spread = np.array(mean), np.array(deviation)
    across = np.arange(len(mean), dtype=float)
    return MeanCurve("all", across, middle, spread, middle - spread / 2, middle + spread / 2)


def test_too_many_points_are_thinned_and_said() -> None:
    n = MOST_POINTS + 5
    figure = scatter(np.random.default_rng(0).random((n, 2)), np.zeros(n, int), title="many",
                     axes=AXES)  # fmt: skip
    (dots,) = figure.axes[0].collections
    assert len(dots.get_offsets()) == MOST_POINTS  # type: ignore[arg-type]
    assert figure.axes[0].get_title("left") == f"many ({MOST_POINTS:,} of {n:,} items)"
    assert legend(figure) == [f"group 1 ({n:,})"]
    assert len(as_svg(figure)) < 1_000_000  # as pixels


def test_names_are_shown_as_they_are() -> None:
    names = ("_hidden", "$not a formula$", "two\nlines", "x" * 60, "水")
    figure = scatter(np.zeros((5, 2)), np.arange(5), title="$t$", axes=AXES, names=names)
    found = legend(figure)
    assert found[:3] == ["_hidden (1)", "$not a formula$ (1)", "two lines (1)"]
    assert len(found[3]) < 40
    svg = as_svg(figure)
    assert all(name in svg for name in ("_hidden (1)", "$not a formula$ (1)", "水 (1)", "$t$"))
    as_png(figure, 1)  # the font of pixels has no such letter, which is no reason to warn


def test_a_long_legend_ends_with_how_many_more() -> None:
    n = MOST_IN_LEGEND + 3
    figure = scatter(np.zeros((n, 2)), np.arange(n) - 1, title="", axes=AXES)
    assert len(legend(figure)) == MOST_IN_LEGEND + 1
    assert legend(figure)[-1] == "… 3 more"


@pytest.mark.parametrize("points", [np.ones((3, 2)), np.empty((0, 2)), np.full((3, 2), NAN),
                                    np.array([[-1e308, 0], [1e308, np.inf], [0, 1]])])  # fmt: skip
def test_degenerate_points_are_a_page_too(points: Floats) -> None:
    figure = scatter(points, np.zeros(len(points), dtype=np.int64), title="t", axes=AXES)
    assert as_png(figure, 0.5).startswith(b"\x89PNG")


@pytest.mark.parametrize("values", [[np.inf, 1.0, 1.0], [], [NAN, NAN]])
def test_degenerate_curves_and_bars_are_a_page_too(values: list[float]) -> None:
    figure = curve(np.arange(len(values)), np.array(values), title="c", axes=AXES)
    assert as_png(figure, 0.5).startswith(b"\x89PNG")
    figure = bars(["a"] * len(values), np.array(values), title="c", axis="x")
    assert as_png(figure, 0.5).startswith(b"\x89PNG")


def test_white_stands_for_zero_between_values_of_both_signs() -> None:
    (image,) = matrix(np.array([[-1.0, 4.0]]), title="", axes=AXES).axes[0].get_images()
    assert (image.norm.vmin, image.norm.vmax) == (-4.0, 4.0)
    assert image.to_rgba(np.array([0.0]))[0, :3].min() > 0.95


def test_a_mean_without_scatter_has_a_dot_alone() -> None:
    whole = means([line([0.5, 0.6, 0.7], [0.1, 0.1, 0.1])], title="t", axes=AXES).axes[0]
    lone = means([line([0.5, NAN, 0.7], [NAN, NAN, NAN])], title="t", axes=AXES).axes[0]

    def band(plot: object) -> float:
        assert hasattr(plot, "collections")
        bands = [one for one in plot.collections if isinstance(one, PolyCollection)]
        return float(
            sum(np.ptp(np.asarray(path.vertices)[:, 1]) for b in bands for path in b.get_paths())
        )

    assert band(whole) > 0
    assert band(lone) == 0
    assert len(np.asarray(lone.lines[0].get_xdata())) == 2


def test_nothing_measured_is_an_empty_frame() -> None:
    assert "<svg" in as_svg(means([line([NAN], [NAN])], title="", axes=AXES))


def test_a_legend_alone_has_the_colours_and_room_for_the_names() -> None:
    colours = np.array([[200, 0, 0], [0, 0, 200]], dtype=np.uint8)
    short = legend_pixels(["a", "b"], colours)
    long = legend_pixels(["a rather long name", "b"], colours)
    for colour in colours:
        assert (short == colour).all(axis=2).any()
    assert long.shape[1] > short.shape[1]
    assert long.shape[0] == short.shape[0]
    assert (long[:, -1] == 255).all()  # nothing is cut
