"""Every kind of result as half a line of words, and sizes and times for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import SCENE, Dataset
from coterie.core.model.results import (
    Clustering,
    Embedding,
    Labelling,
    Model,
    Ranking,
    Score,
    Spectrum,
    Trace,
)
from coterie.core.wording import counted

MOST_LISTED = 6


def in_words(noun: Any) -> str:
    """Return what a person would say of a result in passing."""
    match noun:
        case Dataset():
            return _dataset(noun)
        case Affinity():
            return _affinity(noun)
        case Clustering():
            return _clustering(noun)
        case Ranking():
            return _ranking(noun)
        case Embedding():
            items, axes = noun.coordinates.shape
            return f"{counted(items, 'item')} in {counted(axes, 'dimension')}"
        case Score():
            return f"{noun.value:.4g}"
        case Trace():
            return _trace(noun)
        case Spectrum():
            return counted(len(noun.eigenvalues), "eigenvalue")
        case Labelling():
            height, width = noun.classes.shape[-2:]
            return f"a map of {height} × {width} pixels"
        case Model():
            return f"a model of {counted(len(noun.arrays), 'array')}"
    return type(noun).__name__.lower()


def listed(words: Sequence[object]) -> str:
    """Return words as a sentence lists them.

    >>> listed([3, 2, 1])
    '3, 2 and 1'
    """
    texts = [str(word) for word in words]
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def duration(seconds: float) -> str:
    """Return a time as a person says it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def size(count: float) -> str:
    """Return a number of bytes as a person says it."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def _dataset(data: Dataset) -> str:
    words = [counted(data.n, "item")]
    if data.on_disk:
        scene = data.details[SCENE]
        bands = counted(len(scene["bands"]), "band")
        words = [f"a scene of {scene['height']:,} × {scene['width']:,} pixels in {bands}"]
        known = len(data.truth_names)
        return ", ".join([*words, *([counted(known, "known class")] if known else [])])
    if data.features is not None:
        words = [f"{words[0]} × {counted(data.d, 'column')}"]
    elif data.relation is not None:
        words.append("given by their similarities")
    elif data.texts:
        words = [counted(data.n, "text")]
    if data.truth is not None:
        words.append(counted(len(data.truth_names), "known class"))
    return ", ".join(words)


def _affinity(affinity: Affinity) -> str:
    words = f"{affinity.n:,} × {affinity.n:,} similarities"
    if affinity.sparse is not None:
        stored: Any = affinity.sparse
        return f"{words}, {stored.nnz:,} of them stored"
    if affinity.factor is not None:
        return f"{words}, as a factor of {counted(affinity.factor.shape[1], 'column')}"
    return words


def _clustering(clustering: Clustering) -> str:
    # A hierarchy names groups of all levels; those that items are labelled by come first.
    labelled = int(clustering.labels.max(initial=-1)) + 1
    sizes = [len(clustering.members(group)) for group in range(labelled)]
    unassigned = int(np.count_nonzero(clustering.labels < 0))
    words = counted(labelled, "group")
    if sizes:
        shown: list[object] = [f"{size:,}" for size in sizes[:MOST_LISTED]]
        if len(sizes) > MOST_LISTED:
            more = len(sizes) - MOST_LISTED
            shown.append(f"{more} {'other' if more == 1 else 'others'}")
            words += f" of {listed(shown)}"
        else:
            words += f" of {listed(shown)} items"
    if clustering.k > labelled:
        words += f"; {clustering.k:,} groups with those that overlap"
    return words + (f"; {counted(unassigned, 'item')} in none" if unassigned else "")


def _ranking(ranking: Ranking) -> str:
    listed_items = ranking.scores if ranking.order is None else ranking.order
    words = f"{counted(len(listed_items), 'item')} ranked"
    if ranking.dataset is not None and ranking.order is not None and len(ranking.order):
        names = ranking.dataset.item_names
        words += f", first {listed([names[int(i)] for i in ranking.order[:3]])}"
    return words


def _trace(trace: Trace) -> str:
    if not len(trace.iterations):
        return "no iterations"
    last = f"{trace.objective[-1]:.4g}"
    return f"{counted(int(trace.iterations[-1]), 'iteration')}, objective {last} at the end"
