"""A cross-validation as a curve: a measure by size of the subset, or by top-ranked items."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.numerics.drawing.page import write_figure
from coterie.core.numerics.drawing.plots import MeanCurve, means
from coterie.core.numerics.partitions.repetitions import Spread
from coterie.projects.jobs.cross_validate_plan import ALL
from coterie.projects.jobs.cross_validate_results import (
    KAPPA,
    CrossValidationTable,
    measure_in_words,
)

SIZES, TOPS = "pixels in the subset", "top-ranked pixels of each group"


def curves_of(table: CrossValidationTable, measure: str) -> tuple[list[MeanCurve], str]:
    """Return the lines of a measure, and the axis.

    Over several sizes, a line for each number of best-ranked. Of one size, a line over the numbers
    of best-ranked, and a level one for all pixels of the sample.
    """
    plan = table.plan
    sizes, tops = range(len(plan.sizes)), range(len(plan.tops))
    if len(sizes) > 1 or len(tops) == 1:
        across = list(plan.sizes)
        lines = [
            _line(top_in_words(plan.tops[t]), across, [table.spread(measure, s, t) for s in sizes])
            for t in tops
        ]
        return [_within(line, measure) for line in lines], SIZES
    ranked = [t for t in tops if plan.tops[t] != ALL]
    numbers = [plan.tops[t] for t in ranked]
    lines = [_line("best-ranked", numbers, [table.spread(measure, 0, t) for t in ranked])]
    if ALL in plan.tops:
        level = table.spread(measure, 0, plan.tops.index(ALL))
        ends = [min(numbers), max(numbers)] if len(numbers) > 1 else [0, *numbers]
        lines.append(_line(top_in_words(ALL), ends, [level] * 2))
    return [_within(line, measure) for line in lines], TOPS


def top_in_words(top: int) -> str:
    """Return what is learnt from.

    >>> top_in_words(0), top_in_words(30)
    ('all pixels', 'top 30 of each')
    """
    return "all pixels" if top == ALL else f"top {top} of each"


def write_curve(table: CrossValidationTable, measure: str, path: Path) -> None:
    """Write the curve as SVG, PNG or PDF, by the ending."""
    if path.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise DataError(
            f"Figures can be saved as .svg, .png or .pdf. Got '{path.name}'.",
            code="wrong-extension",
        )
    lines, across = curves_of(table, measure)
    title = f"{measure_in_words(measure)} over {table.plan.times} random subsets"
    write_figure(means(lines, title=title, axes=(across, measure_in_words(measure))), path)


def _line(name: str, across: list[int], spreads: list[Spread]) -> MeanCurve:
    columns = np.array(
        [(one.mean, one.deviation, one.low, one.high) for one in spreads], dtype=np.float64
    ).reshape(-1, 4)
    return MeanCurve(name, np.array(across, dtype=np.float64), *columns.T)


def _within(line: MeanCurve, measure: str) -> MeanCurve:
    """Let no band leave what the measure can be; of few repetitions an interval does."""
    least = -1.0 if measure == KAPPA else 0.0
    return replace(line, low=line.low.clip(least, 1.0), high=line.high.clip(least, 1.0))
