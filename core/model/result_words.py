"""Results in words: how large they are in a column, and half a line for a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import SCENE, Dataset
from coterie.core.model.figures import Figure
from coterie.core.model.results import Clustering, Ranking, Trace
from coterie.core.wording import counted, listed

MOST_LISTED = 6


def dataset_size(data: Dataset) -> str:
    """Return "300 × 2", or how many items there are when they have no features."""
    return f"{data.n:,} × {data.d:,}" if data.d else counted(data.n, "item")


def dataset_summary(data: Dataset) -> str:
    """Return how many items of what, and what is known of them."""
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


def affinity_summary(affinity: Affinity) -> str:
    """Return how many similarities there are, and how they are stored."""
    words = f"{affinity.n:,} × {affinity.n:,} similarities"
    if affinity.sparse is not None:
        stored: Any = affinity.sparse
        return f"{words}, {stored.nnz:,} of them stored"
    if affinity.factor is not None:
        return f"{words}, as a factor of {counted(affinity.factor.shape[1], 'column')}"
    return words


def clustering_summary(clustering: Clustering) -> str:
    """Return how many groups there are, and of how many items."""
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


def ranking_summary(ranking: Ranking) -> str:
    """Return how many items are ranked, and which come first."""
    listed_items = ranking.scores if ranking.order is None else ranking.order
    words = f"{counted(len(listed_items), 'item')} ranked"
    if ranking.dataset is not None and ranking.order is not None and len(ranking.order):
        first = [ranking.dataset.item_name(int(item)) for item in ranking.order[:3]]
        words += f", first {listed(first)}"
    return words


def trace_size(trace: Trace) -> str:
    """Return how many iterations there were."""
    return f"{int(trace.iterations[-1]) if len(trace.iterations) else 0} iterations"


def trace_summary(trace: Trace) -> str:
    """Return how many iterations there were, and where they ended."""
    if not len(trace.iterations):
        return "no iterations"
    words = counted(int(trace.iterations[-1]), "iteration")
    if name := trace.first_name:
        words += f", {name.replace('_', ' ')} {trace.value(name)[-1]:.4g} at the end"
    return words


def figure_summary(figure: Figure) -> str:
    """Return what form a figure has, and how many marks."""
    marks = {"matrix": "row", "table": "row", "tree": "leaf", "scatter": "point", "bars": "bar"}
    if figure.form == "image":
        return "an image of " + " × ".join(map(str, figure.values.shape[:2])) + " pixels"
    word = marks.get(figure.form, "line")
    more = "leaves" if word == "leaf" else f"{word}s"
    count = f"{figure.marks:,} {word if figure.marks == 1 else more}"
    return f"a tree of {count}" if figure.form == "tree" else count
