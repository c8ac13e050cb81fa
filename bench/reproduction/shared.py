"""What all experiments need: data, methods by id, scores and tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Clustering, Context, Dataset
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.formats.samples import SAMPLES

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
MISSING = "no file"


def data_folder() -> Path:
    """Return the folder of the files that do not come with Coterie."""
    return Path(os.environ.get("COTERIE_DATA", "."))


def run(use: str, *inputs: Any, seed: int = 0, **params: Any) -> Any:
    """Return the main result of a method with these parameters."""
    context = Context(runs=built_in_runs(), workers=os.cpu_count() or 1)
    return context.run(use, *inputs, params=params, seed=seed).main


@cache
def _registry() -> Registry:
    return Registry.load(safe_mode=True)


def component(use: str) -> Any:
    """Return the class of a method."""
    return _registry().component(use)


def read(name: str, reader: str = "csv", **params: Any) -> Any:
    """Return a file of the data folder, or None when there is none."""
    file = next(
        (data_folder() / f for f in (name, f"{name}.gz") if (data_folder() / f).exists()), 0
    )
    if not file:
        return None
    component = _registry().component(f"reader/{reader}")
    return component().compute(file, params=component.Params(**params), context=Context())


@cache
def table(name: str) -> Dataset | None:
    """Return a sample, or a table with its class in the column `label`; None when there is none."""
    return SAMPLES[name].make() if name in SAMPLES else read(f"{name}.csv", truth="label")


@cache
def scaled(name: str) -> Dataset | None:
    """Return a table with missing cells filled in by the mean, and features to [0, 1]."""
    data = table(name)
    return data and run("transform/minmax", run("transform/impute", data))


def classes(data: Dataset) -> int:
    """Return how many known classes there are."""
    return len(data.truth_names)


def nmi(groups: Clustering, average: str = "geometric") -> float:
    """Return the mutual information with the classes; items in no group are one group more."""
    return float(run("metric/nmi", groups, average=average, unassigned="own-class").value)


def error(groups: Clustering) -> float:
    """Return the error of the best matching; items in no group are wrong."""
    return float(run("metric/error", groups, unassigned="own-class").value)


def both(groups: Clustering) -> tuple[float, float]:
    """Return NMI, geometric, and error."""
    return nmi(groups), error(groups)


def best(tried: Iterable[tuple[tuple[float, float], str]]) -> tuple[tuple[float, float], str]:
    """Return the scores of largest NMI, and the words that say with what."""
    return max(tried, key=lambda one: (one[0][0], -one[0][1]))


def short(value: float | None) -> str:
    """Return a score with three digits and without its zero."""
    return "–" if value is None or not np.isfinite(value) else f"{value:.3f}".replace("0.", ".", 1)


def pair(scores: tuple[float, float] | None) -> str:
    """Return NMI/error."""
    return "–" if scores is None else f"{short(scores[0])}/{short(scores[1])}"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def draw(
    name: str,
    title: str,
    axes: tuple[str, str],
    lines: Sequence[tuple[str, Any, Any]],
    marks: Sequence[tuple[str, Any, float]] = (),
    log: bool = False,
) -> str:
    """Write a figure of lines, with what a source reports as dotted lines or a dot, as SVG.

    A mark is a name, where it is across (None: everywhere) and how high. Returns Markdown.
    """
    from coterie.core.numerics.drawing.page import as_svg, page
    from coterie.core.numerics.drawing.palette import group_colour
    from coterie.core.numerics.drawing.plots import legend

    with page(title, axes) as (figure, plot):
        colours = [group_colour(i, dark=False) for i in range(len(lines) + len(marks))]
        for (_, x, y), colour in zip(lines, colours, strict=False):
            plot.plot(x, y, color=colour, lw=2, marker="o", ms=3)
        for (_, x, y), colour in zip(marks, colours[len(lines) :], strict=True):
            if x is None:
                plot.axhline(y, color=colour, ls=":", lw=1.6)
            else:
                plot.plot([x], [y], color=colour, ls="", marker="D", ms=8)
        if log:
            plot.set_xscale("log")
            plot.xaxis.set_major_formatter("{x:g}")  # powers would be written in TeX
        legend(figure, [one[0] for one in [*lines, *marks]], colours)
        figure_text = as_svg(figure)
    PICTURES.joinpath(f"reproduced-{name}.svg").write_text(figure_text, encoding="utf-8")
    return f"![{title}](pictures/reproduced-{name}.svg)"


def draw_matrix(name: str, title: str, values: Any, axes: tuple[str, str]) -> str:
    """Write a matrix as SVG and return the Markdown that shows it."""
    from coterie.core.numerics.drawing.page import as_svg
    from coterie.core.numerics.drawing.plots import matrix

    drawn = as_svg(matrix(np.asarray(values), title=title, axes=axes))
    PICTURES.joinpath(f"reproduced-{name}.svg").write_text(drawn, encoding="utf-8")
    return f"![{title}](pictures/reproduced-{name}.svg)"
