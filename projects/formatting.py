"""Amounts and results as people read them: costs, times, shapes, summaries."""

from __future__ import annotations

from typing import Any

from coterie.core.api.components import Cost
from coterie.core.model.result_types import type_of_noun
from coterie.core.wording import size_in_words


def time_in_words(seconds: float) -> str:
    """Return a duration: "0.4 s", "12 s", "3 min 5 s", "2 h 10 min"."""
    if seconds < 0.05:
        return f"{max(seconds * 1000, 1):.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def cost_in_words(cost: Cost) -> str:
    """Return what a step will take, on one line."""
    time = "less than a second" if cost.seconds < 1 else f"about {time_in_words(cost.seconds)}"
    if cost.bytes < 1_000_000:
        return f"Takes {time}, hardly any memory"
    return f"Takes {time}, {size_in_words(cost.bytes)} of memory"


def shape_in_words(artefact: Any) -> str:
    """Return how large an artefact is: "300 × 2", "4 groups"; nothing for None."""
    known = type_of_noun(artefact)
    return "" if known is None else known.size(artefact)


def summary_in_words(noun: Any) -> str:
    """Return what a person would say of a result in passing."""
    known = type_of_noun(noun)
    return type(noun).__name__.lower() if known is None else known.summary(noun)
