"""Curves of means: bars, bands, and what is left out."""

from typing import TypeVar

import numpy as np
import pytest

from coterie.core.numerics.drawing.intervals import Means, means
from coterie.core.numerics.drawing.png import as_pixels
from coterie.core.numerics.drawing.shapes import Area, Dots, Drawing, Path
from coterie.core.numerics.drawing.svg import as_svg

NAN = float("nan")
T = TypeVar("T")


def line(mean: list[float], deviation: list[float]) -> Means:
    middle, spread = np.array(mean), np.array(deviation)
    across = np.arange(len(mean), dtype=float)
    return Means("all", across, middle, spread, middle - spread / 2, middle + spread / 2)


def shapes_of(drawing: Drawing, kind: type[T]) -> list[T]:
    return [shape for shape in drawing.shapes if isinstance(shape, kind)]


def test_a_mean_without_scatter_has_a_dot_alone() -> None:
    whole = means([line([0.5, 0.6, 0.7], [0.1, 0.1, 0.1])], title="t", axes=("x", "y"))
    lone = means([line([0.5, NAN, 0.7], [NAN, NAN, NAN])], title="t", axes=("x", "y"))
    assert len(shapes_of(whole, Area)) == 1
    assert len(shapes_of(lone, Area)) == 0
    thick = [path for path in shapes_of(whole, Path) if path.width == pytest.approx(1.4)]
    assert len(thick) == 9
    assert not [path for path in shapes_of(lone, Path) if path.width == pytest.approx(1.4)]
    assert len(shapes_of(lone, Dots)[0].places) == 2


def test_nothing_measured_is_an_empty_frame() -> None:
    assert "<svg" in as_svg(means([line([NAN], [NAN])], title="", axes=("x", "y")))


def test_an_area_covers_what_is_inside_it() -> None:
    corners = np.array([[10.0, 10.0], [50.0, 10.0], [50.0, 30.0], [10.0, 30.0]])
    page = as_pixels(Drawing(60, 40, [Area(corners, "#000000", 0.5)]), scale=1.0)
    assert (page[20, 30] == 128).all()
    assert (page[35, 30] == 255).all()
    assert int((page[..., 0] < 255).sum()) == 40 * 20
    triangle = np.array([[0.0, 0.0], [40.0, 0.0], [0.0, 40.0]])
    page = as_pixels(Drawing(60, 60, [Area(triangle, "#000000")]), scale=1.0)
    assert int((page[..., 0] == 0).sum()) == pytest.approx(40 * 40 / 2, rel=0.05)
