"""Colours of data: groups, unassigned items, and amounts between none and all.

The order of the group colours is Okabe and Ito's, then colours that stay apart from them; each has
a twin for dark backgrounds. The first eight differ under each colour-vision deficiency, and every
eight groups have a mark of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.model.arrays import Array

Bytes = NDArray[np.uint8]

UNASSIGNED = -1

GROUP_COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#c2569c", "#e0a100", "#45aeea", "#5b3a9e", "#5c5802",
    "#8c1d4f", "#0f7f8c", "#8c5a45", "#f08bb0", "#1c3a6e", "#6fbf2b", "#c1121f", "#9c8fe6",
    "#1f5f2e", "#b99a63", "#56708f", "#ff9466",
)  # fmt: skip
_GROUPS_ON_DARK = (
    "#4ba3e3", "#f58a42", "#2cc99a", "#e58cc4", "#f3c44b", "#8fd3ff", "#7d29e7", "#7a771f",
    "#d9608f", "#45c1cd", "#c79a83", "#ffb8d0", "#6f93d6", "#a3e069", "#ff6b6b", "#c9c0ff",
    "#63b877", "#decb9c", "#9db4d0", "#ffb898",
)  # fmt: skip
_UNASSIGNED_ON_LIGHT = "#a3abb5"
_UNASSIGNED_ON_DARK = "#66707c"

# Viridis, without the end that would vanish into the background.
_AMOUNTS = ("#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30",
            "#fde725")  # fmt: skip
# Of pictures of matrices, where nothing is the colour of the paper: YlGnBu by Brewer, and Mako.
_SHADES_ON_LIGHT = ("#fdfdf2", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8",
                    "#253494", "#081d58")  # fmt: skip
_SHADES_ON_DARK = ("#14141c", "#2a1e3a", "#3a2f5f", "#403f80", "#365f97", "#3484a5", "#3fabac",
                   "#7ad1ae", "#def5e5")  # fmt: skip
# Below zero, zero, above zero.
_SIGNED_ON_LIGHT = ("#05436b", "#0072b2", "#8fc0dd", "#fafafa", "#f2b48c", "#d55e00", "#7d3600")
_SIGNED_ON_DARK = ("#b9e2ff", "#4ba3e3", "#2b5a80", "#17191e", "#80492a", "#f58a42", "#ffd9bd")
_AMOUNTS_ON_LIGHT = (0.0, 0.9)
_AMOUNTS_ON_DARK = (0.22, 1.0)


MARKS = ("circle", "square", "triangle", "diamond", "plus", "ring")
_COLOURS_A_MARK = 8  # as many as are easily distinguished


def group_mark(group: int, colours: Sequence[str] = ()) -> str:
    """Return the mark of a group: circles, then squares, so 30 groups differ in colour or mark.

    >>> [group_mark(group) for group in (-1, 0, 7, 8, 29)]
    ['circle', 'circle', 'circle', 'square', 'diamond']
    """
    return MARKS[_place(max(group, 0), colours) // _COLOURS_A_MARK % len(MARKS)]


def group_colour(group: int, colours: Sequence[str] = (), *, dark: bool) -> str:
    """Return the colour of a group as "#rrggbb"; grey for −1. Past the last colour they repeat.

    Parameters
    ----------
    colours : as in `Clustering.colours`: what a person chose, and what regrouped ones had before

    >>> group_colour(1, dark=False), group_colour(1, ("", "1"), dark=False)
    ('#d55e00', '#0072b2')
    >>> group_colour(0, ("#123456",), dark=True), group_colour(0, ("blue",), dark=False)
    ('#123456', '#0072b2')
    """
    if group < 0:
        return _UNASSIGNED_ON_DARK if dark else _UNASSIGNED_ON_LIGHT
    chosen = colours[group] if group < len(colours) else ""
    if is_colour(chosen):
        return chosen
    palette = _GROUPS_ON_DARK if dark else GROUP_COLOURS
    return palette[_place(group, colours) % len(palette)]


def _place(group: int, colours: Sequence[str]) -> int:
    """The place of a group in the palette: its own, or the one it had before it was regrouped."""
    chosen = colours[group] if group < len(colours) else ""
    return int(chosen) - 1 if chosen.isdecimal() and int(chosen) else group


def is_colour(text: str) -> bool:
    """Return whether a text is a colour as "#rrggbb"."""
    return len(text) == 7 and text[0] == "#" and set(text[1:]) <= set("0123456789abcdefABCDEF")


def amount_colour(amount: float, *, dark: bool) -> str:
    """Return the colour of an amount between 0 and 1 as "#rrggbb"."""
    red, green, blue = amount_colours(np.array([amount]), dark=dark)[0]
    return f"#{red:02x}{green:02x}{blue:02x}"


def amount_colours(amounts: Array, *, dark: bool) -> Bytes:
    """Return the colours of amounts between 0 and 1 as (n, 3) bytes; what is missing is grey."""
    low, high = _AMOUNTS_ON_DARK if dark else _AMOUNTS_ON_LIGHT
    anchors = _amount_anchors()
    known = np.isfinite(amounts)
    places = low + (high - low) * np.clip(np.where(known, amounts, 0.0), 0.0, 1.0)
    steps = np.linspace(0.0, 1.0, len(anchors))
    colours = np.stack([np.interp(places, steps, anchors[:, c]) for c in range(3)], axis=-1)
    colours[~known] = rgb(group_colour(UNASSIGNED, dark=dark))
    return np.round(colours).astype(np.uint8)


def shades(count: int, *, signed: bool, dark: bool) -> Bytes:
    """Return so many colours as (count, 3) bytes, from the least to the most, for a matrix.

    With `signed`, the middle one stands for zero.
    """
    named: tuple[str, ...] = _SHADES_ON_DARK if dark else _SHADES_ON_LIGHT
    if signed:
        named = _SIGNED_ON_DARK if dark else _SIGNED_ON_LIGHT
    anchors = np.stack([rgb(colour) for colour in named]).astype(float)
    places, steps = np.linspace(0.0, 1.0, count), np.linspace(0.0, 1.0, len(anchors))
    columns = [np.interp(places, steps, anchors[:, channel]) for channel in range(3)]
    return np.round(np.stack(columns, axis=-1)).astype(np.uint8)


def blend(first: str, second: str, share: float) -> str:
    """Return the colour that is `share` of the way from the first to the second.

    >>> blend("#000000", "#ffffff", 0.5)
    '#808080'
    """
    mixed = (1 - share) * rgb(first).astype(float) + share * rgb(second).astype(float)
    red, green, blue = np.round(mixed).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def rgb(colour: str) -> Bytes:
    """Return "#rrggbb" as three bytes."""
    return np.frombuffer(bytes.fromhex(colour.lstrip("#")), dtype=np.uint8)


@lru_cache(maxsize=1)
def _amount_anchors() -> NDArray[np.floating[Any]]:
    return np.stack([rgb(colour) for colour in _AMOUNTS]).astype(float)
