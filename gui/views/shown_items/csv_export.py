"""What the views show, as tables for other programs: a heading and rows of each."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.gui.views.shown_items.columns import name_of

if TYPE_CHECKING:
    from coterie.gui.views.convergence.state import ConvergenceState
    from coterie.gui.views.embedding.state import ScatterState
    from coterie.gui.views.memberships.state import MembershipState
    from coterie.gui.views.profile.state import ProfileState
    from coterie.gui.views.spectrum.state import SpectrumState

Rows = Iterable[Sequence[Any]]


def write_csv(path: Path, rows: Rows) -> None:
    """Write rows, the first of which is the heading; numbers in full, what is missing empty."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([_cell(value) for value in row] for row in rows)


def of_scatter(state: ScatterState) -> Rows:
    """Each item with its name, group, rank and known class, and its place in the picture."""
    named = [column for column in state.columns if column.kind != "feature"]
    axes = [axis for axis in (state.x, state.y, state.z if state.is_solid else None) if axis]
    yield [*(column.title for column in named), *(axis.title for axis in axes)]
    places = [axis.values.tolist() for axis in axes]
    for item in range(state.n):
        yield [*(column.exact(item) for column in named), *(place[item] for place in places)]


def of_spectrum(state: SpectrumState) -> Rows:
    """Each eigenvalue with its distance to the next."""
    yield ["number", "eigenvalue", "gap"]
    if (shown := state.shown) is not None:
        gaps = [*shown.gaps.tolist(), float("nan")]
        pairs = zip(shown.values.tolist(), gaps, strict=True)
        yield from ([number, *pair] for number, pair in enumerate(pairs, 1))


def of_profile(state: ProfileState) -> Rows:
    """Each feature in each group by five quantiles."""
    yield ["feature", "variance between groups", "group", "5 %", "25 %", "50 %", "75 %", "95 %"]
    for boxes in state.boxes:
        for name, quantiles in zip(state.names, boxes.quantiles.tolist(), strict=True):
            yield [boxes.name, boxes.telling, name, *quantiles]


def of_memberships(state: MembershipState) -> Rows:
    """Each item with its membership in every group."""
    found, data = state.shown.clustering, state.shown.dataset
    if found is None or found.membership is None or data is None:
        return
    k = found.membership.shape[1]
    yield ["item", *(name_of(group, found.names) for group in range(k))]
    names = data.item_names
    for item in range(data.n):
        yield [names[item], *found.membership[item].tolist()]


def of_convergence(state: ConvergenceState) -> Rows:
    """Each kept iteration with the value of every curve, drawn or not."""
    live, curves = state.live, state.curves
    yield ["iteration", *(curve.label for curve in curves)]
    values = (live.curve(curve.name).tolist() for curve in curves)
    yield from zip(live.iterations.tolist(), *values, strict=True)


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return repr(value) if np.isfinite(value) else ""
    return value
