"""Figures as data: what fits together is kept as it is, what does not is refused in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coterie.core import DataError, Dataset, Figure
from coterie.core.api.context import Frame
from coterie.core.formats.files.tables import table_of
from coterie.core.model.encoding import decode, encode
from coterie.core.numerics.drawing.figures import figure_of
from coterie.core.numerics.drawing.page import as_svg, distinct_names
from tests.refusals import refuses

DATA = Dataset(features=np.arange(12.0).reshape(6, 2))
TREE = {"values": [0.0, 0.0, 0.0, 1.0, 2.0], "parents": [3, 3, 4, 4, -1]}
LINKS = {"items": np.arange(6), "starts": [0, 2, 4, 6]}
FIGURES: dict[str, dict[str, Any]] = {
    "scatter": {"values": np.eye(6)[:, :2], "columns": ("a", "b"), "groups": [0, 0, 0, 1, 1, -1]},
    "pairs": {"form": "scatter", "values": np.arange(18.0).reshape(6, 3)},
    "lines": {"values": [[0.0, 1.0], [np.nan, 2.0]], "places": [0.0, 3.0]},
    "bars": {"values": [3.0, -1.0, np.nan], "rows": ("a", "b", "שלום"), **LINKS},
    "matrix": {"values": np.eye(3), "rows": ("a" * 200, "a" * 199 + "b", "c"), **LINKS},
    "tree": {**TREE, **LINKS, "cut": 1.5, "groups": [0, 0, 1]},
    "table": {"values": np.eye(3), "columns": ("a", "b", "c")},
    "texts": {
        "form": "table", "values": np.zeros((0, 0)), "columns": ("a",), "cells": ("x", "y"),
    },
    "image": {"values": np.zeros((2, 3, 3), np.uint8)},
    "shades": {"form": "image", "values": np.eye(4)},
    "nothing": {"form": "bars", "values": np.zeros(0)},
}  # fmt: skip


def made(name: str, **changes: Any) -> Figure:
    return Figure(**{"form": name, "dataset": DATA, **FIGURES[name], **changes})


@pytest.mark.parametrize("name", FIGURES)
def test_every_form_is_kept_and_drawn(name: str) -> None:
    figure = made(name, title="A figure")
    kept = encode(figure)
    again = decode(kept, DATA)
    assert encode(again).meta == kept.meta
    assert encode(again).strings == kept.strings
    for part, array in kept.arrays.items():
        np.testing.assert_array_equal(encode(again).arrays[part], array)
    assert "<svg" in as_svg(figure_of(figure))
    if name != "image":
        assert len(table_of(figure)) >= figure.marks


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("bars", {"form": "pie"}, "A figure is one of: scatter"),
        ("bars", {"values": [[1.0]]}, "must be real numbers in 1 dimensions"),
        ("bars", {"values": [np.inf, 0.0, 0.0]}, "finite or missing"),
        ("scatter", {"values": np.ones((6, 1)), "columns": ()}, "two axes or more"),
        ("image", {"values": np.zeros((2, 3, 4), np.uint8)}, "(height, width, 3) bytes"),
        ("tree", {"parents": None}, "needs 'parents'"),
        ("tree", {"parents": [3, 3, 4, 4, 4]}, "number its leaves first"),
        ("tree", {"values": [0.0, 0.0, 0.0, 3.0, 2.0]}, "must not be lower"),
        ("bars", {"starts": [0, 2, 3]}, "must have the shape 4"),
        ("bars", {"items": np.arange(1, 7)}, "from 0 to 5. Got 1 to 6"),
        ("bars", {"groups": [0, -2, 1]}, "−1 (none) or more"),
        ("matrix", {"columns": ("a",)}, "3 names in 'columns'"),
        ("lines", {"axes": ("a",)}, "across and up"),
        ("texts", {"cells": ("a", "b", "c"), "columns": ("x", "y")}, "must fill its 2 columns"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(name: str, changes: dict[str, Any], words: str) -> None:
    with refuses("invalid-result", DataError, match=words.replace("(", "\\(").replace(")", "\\)")):
        made(name, **changes)


def test_marks_stand_for_items() -> None:
    bars = made("bars")
    assert bars.items_of([0, 2]).tolist() == [0, 1, 4, 5]
    mask = np.zeros(6, bool)
    mask[[0, 4, 5]] = True
    assert bars.shares_in(mask).tolist() == [0.5, 0.0, 1.0]
    assert made("scatter").linked
    assert not made("lines").linked  # as many lines as there are items would be


def test_a_frame_carries_a_figure() -> None:
    frame = Frame(3, figure=made("scatter", title="live")).to_send([])
    header, arrays = frame.to_parts()
    again = Frame.from_parts(header, arrays)
    assert again.figure is not None
    assert again.figure.title == "live"
    np.testing.assert_array_equal(again.figure.values, made("scatter").values)
    assert again.figure.items_of([2]).tolist() == [2]


def test_shortened_names_do_not_look_alike() -> None:
    names = ["a" * 200, "a" * 199 + "b", "b" * 10, "a" * 100 + "c" + "a" * 99]
    shown = distinct_names(names, 20)
    assert len(set(shown)) == 4
    assert max(map(len, shown)) <= 20
