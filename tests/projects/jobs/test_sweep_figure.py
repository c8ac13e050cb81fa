"""A sweep as a figure: a map over two parameters, a line over one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.projects.jobs.sweep_figure import figure_of, write_sweep
from coterie.projects.jobs.sweep_plan import SweepAxis, SweepPlan, SweepTable
from tests.refusals import refuses

TWO = (SweepAxis("sigma", (0.1, 0.2, 0.4), "near"), SweepAxis("k", (2, 3), "groups"))


def table(axes: tuple[SweepAxis, ...], scores: Any, score: str = "metric/stability") -> SweepTable:
    return SweepTable(SweepPlan("near", axes, score, "groups"), np.asarray(scores))


def words(figure: Any) -> set[str]:
    axes = figure.axes[0]
    ticks = [*axes.get_xticklabels(), *axes.get_yticklabels(), axes.xaxis.label, axes.yaxis.label]
    return {one.get_text() for one in ticks}


def framed(figure: Any) -> tuple[float, float]:
    """The corner of the frame."""
    frame = figure.axes[0].patches[-1]
    return frame.get_x(), frame.get_y()


def test_a_map_has_the_values_beside_it_and_the_best_in_a_frame() -> None:
    figure = figure_of(table(TWO, [[0.1, 0.2], [0.3, 0.9], [0.5, np.nan]]), "Stability")
    assert {"0.1", "0.2", "0.4", "2", "3", "near.sigma", "groups.k"} <= words(figure)
    assert framed(figure) == (0.5, 0.5)  # column 1, row 1
    lowest = figure_of(table(TWO, [[0.1, 0.2], [0.3, 0.9], [0.5, 0.4]], "metric/error"), "Error")
    assert framed(lowest) == (-0.5, -0.5)


def test_of_many_values_some_are_named() -> None:
    axes = (SweepAxis("sigma", tuple(np.linspace(0, 1, 40)), "a"), SweepAxis("k", (2, 3), "b"))
    figure = figure_of(table(axes, np.zeros((40, 2))), "Stability")
    assert 5 < len(figure.axes[0].get_yticks()) <= 12


@pytest.mark.parametrize("values", [(3, 1, 2), ("none", "nearest", "transduction")])
def test_one_parameter_is_a_line_or_a_row(values: Any, tmp_path: Path) -> None:
    found = table((SweepAxis("rest", values, "near"),), [0.3, 0.1, 0.2])
    for name in ("s.svg", "s.png", "s.pdf"):
        write_sweep(found, "Stability", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    with refuses("wrong-extension"):
        write_sweep(found, "Stability", tmp_path / "s.jpg")
    if values[0] == 3:
        (line,) = figure_of(found, "Stability").axes[0].get_lines()
        assert np.asarray(line.get_xydata()).tolist() == [[1, 0.1], [2, 0.2], [3, 0.3]]
