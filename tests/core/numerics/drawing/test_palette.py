"""Colours that can be told apart."""

import numpy as np
import pytest

from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing import palette
from coterie.gui.toolkit.styling.theme import DARK, LIGHT, Colours

# Simulations of colour-vision deficiencies (Machado, Oliveira and Fernandes 2009), on linear RGB.
EYES = {
    "usual": np.eye(3),
    "deuteranopia": np.array(
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    ),
    "protanopia": np.array(
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]
    ),
    "tritanopia": np.array(
        [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]
    ),
}


def linear(colour: str) -> Array:
    value = palette.rgb(colour) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(rgb: Array) -> Array:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(np.clip(to_xyz @ rgb, 1e-6, None) / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


LOOKS = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])


@LOOKS
@pytest.mark.parametrize("eye", EYES)
def test_the_groups_of_one_mark_differ_to_every_eye(colours: Colours, eye: str) -> None:
    shades = [palette.group_colour(g, dark=colours.dark) for g in range(8)]
    assert len({palette.group_mark(g) for g in range(8)}) == 1
    seen = [lab(EYES[eye] @ linear(shade)) for shade in shades]
    closest = min(np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i])
    assert closest > 11  # 2.3 is the least one can notice


@LOOKS
def test_twenty_groups_differ(colours: Colours) -> None:
    seen = [lab(linear(palette.group_colour(g, dark=colours.dark))) for g in range(20)]
    assert min(np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]) > 8


@LOOKS
def test_groups_stand_out_from_the_background(colours: Colours) -> None:
    for group in range(-1, 20):
        assert contrast(palette.group_colour(group, dark=colours.dark), colours.base) > 1.9


@LOOKS
def test_amounts_stand_out_from_the_background(colours: Colours) -> None:
    for amount in np.linspace(0, 1, 11):
        assert contrast(palette.amount_colour(amount, dark=colours.dark), colours.base) > 1.5


@LOOKS
def test_text_can_be_read(colours: Colours) -> None:
    for ink in (colours.text, colours.muted, colours.danger, colours.warning, colours.success):
        for paper in (colours.window, colours.base, colours.raised, colours.alternate):
            assert contrast(ink, paper) >= 4.5
    assert contrast(colours.on_accent, colours.accent) >= 4.5
    assert contrast(colours.text, colours.selection) >= 4.5
    assert contrast(colours.warning, colours.warning_back) >= 4.5


def test_missing_amounts_are_grey() -> None:
    colour = palette.amount_colours(np.array([np.nan]), dark=False)[0]
    assert colour.tolist() == palette.rgb(palette.group_colour(-1, dark=False)).tolist()


def test_past_the_last_colour_they_repeat() -> None:
    assert palette.group_colour(20, dark=True) == palette.group_colour(0, dark=True)


@LOOKS
def test_shades_of_a_matrix_go_steadily_from_paper_to_ink(colours: Colours) -> None:
    def steps(*, signed: bool) -> list[bool]:
        shades = palette.shades(65, signed=signed, dark=colours.dark).astype(float)
        growth = np.diff(shades @ [0.2126, 0.7152, 0.0722])
        return [bool(step) for step in (growth > 0 if colours.dark else growth < 0)]

    assert all(steps(signed=False))
    assert steps(signed=True) == [False] * 32 + [True] * 32
