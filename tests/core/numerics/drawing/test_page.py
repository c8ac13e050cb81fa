"""Figures as files."""

import builtins
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from coterie.core import DataError
from coterie.core.numerics.drawing.page import as_svg, write_figure
from coterie.core.numerics.drawing.plots import matrix, scatter
from tests.refusals import refuses


def figure() -> Figure:
    return scatter(np.eye(4)[:, :2], np.arange(4) - 1, title="a & b", axes=("x", "y"))


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_same_figure_is_the_same_file_every_time(ending: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"1.{ending}", tmp_path / f"2.{ending}"
    write_figure(figure(), first)
    write_figure(figure(), second)
    assert first.read_bytes() == second.read_bytes()
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert first.read_bytes().startswith(starts[ending])


def test_a_page_needs_nothing_from_elsewhere() -> None:
    svg = as_svg(matrix(np.random.default_rng(0).random((30, 30)), title="", axes=("x", "y")))
    assert "http" not in svg.replace("http://www.w3.org/", "")
    assert "<!DOCTYPE" not in svg


def test_without_matplotlib_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def without(name: str, *more: Any, **named: Any) -> Any:
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return found(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.delitem(sys.modules, "matplotlib", raising=False)
    with refuses("missing-package", DataError):
        figure()
