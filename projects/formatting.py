"""Amounts as people read them: sizes, times, shapes. Knows no Qt."""

from __future__ import annotations

from typing import Any

from coterie.core.api.components import Cost
from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Embedding, Model, Ranking, Score, Spectrum, Trace


def size_in_words(size: float) -> str:
    """Return a number of bytes: "3 MB"."""
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if size >= 10 or unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


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
    """Return how large an artefact is: "300 × 2", "4 groups"."""
    match artefact:
        case None:
            return ""
        case Dataset():
            return f"{artefact.n} × {artefact.d}" if artefact.d else f"{artefact.n} items"
        case Affinity():
            return f"{artefact.n} × {artefact.n}"
        case Clustering():
            return f"{artefact.k} group{'' if artefact.k == 1 else 's'}"
        case Ranking():
            return f"{len(artefact.scores)} ranks"
        case Embedding():
            rows, columns = artefact.coordinates.shape
            return f"{rows} × {columns}"
        case Score():
            return f"{artefact.value:.4g}"
        case Trace():
            return f"{int(artefact.iterations[-1]) if len(artefact.iterations) else 0} iterations"
        case Spectrum():
            return f"{len(artefact.eigenvalues)} values"
        case Model():
            return f"{len(artefact.arrays)} arrays"
        case _:
            return ""
