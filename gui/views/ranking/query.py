"""The neighbours of one item: by rank and by plain distance, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core import well_known
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Embedding
from coterie.gui.views.shown_items.displayed import look, look_for_affinity

if TYPE_CHECKING:
    from coterie.projects.session import Session

FIRST = 15
_MOST_WALKED = 4_000  # items; walks over more take too long to wait for
_RESTART = 0.15
_JOINT = well_known.EMBEDDER_JOINT
_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class NeighbourRequest:
    """What is asked for, and what the answer is worked out from."""

    item: int
    n: int
    affinity: Affinity | None
    embedding: Embedding | None
    dataset: Dataset | None

    def same_as(self, other: NeighbourRequest | None) -> bool:
        """Return whether another wish has the same answer."""
        return other is not None and (
            self.item == other.item
            and self.affinity is other.affinity
            and self.embedding is other.embedding
            and self.dataset is other.dataset
        )


@dataclass(frozen=True, eq=False)
class NeighbourAnswer:
    """The nearest items in two ways; an empty list where a way is not open.

    `how` says by what the ranks were found, `columns` in how many the distances were taken.
    """

    item: int
    by_rank: Ints
    scores: Array
    by_distance: Ints
    distances: Array
    how: str
    columns: int = 0


def wish_of(session: Session, chosen: str) -> NeighbourRequest | None:
    """Return what the selection asks for: None unless it is a single item."""
    selection = session.selection
    if selection.count != 1:
        return None
    shown = look(session, chosen)
    if shown.n != selection.n:
        return None
    affinity, step, _ = look_for_affinity(session, chosen, shown.n)
    embedding = shown.embedding
    if embedding is not None and "restart_probability" not in embedding.details:
        embedding = None  # coordinates of another sort say nothing of ranks
    embedding = _with_all_coordinates(session, step, shown.n, embedding) or embedding
    return NeighbourRequest(int(selection.items[0]), shown.n, affinity, embedding, shown.dataset)


def _with_all_coordinates(
    session: Session, similarities: str, n: int, shown: Embedding | None
) -> Embedding | None:
    """A joint embedding of these similarities that keeps the whole order, as the shown one may not.

    With it an answer is one product; a walk takes many.
    """
    restart = _RESTART if shown is None else shown.details["restart_probability"]
    for step in session.recipe.steps:
        if step.use == _JOINT and similarities in step.of:
            found = session.results.artefact(step.name)
            if (
                isinstance(found, Embedding)
                and found.coordinates.shape == (n, n)
                and found.details.get("restart_probability") == restart
            ):
                return found
    return None


def work_out(wish: NeighbourRequest) -> NeighbourAnswer:
    """Find the nearest items; on any thread."""
    by_rank, scores, how = _ranked(wish)
    by_distance, distances = _nearest(wish)
    columns = wish.dataset.d if wish.dataset is not None else 0
    return NeighbourAnswer(wish.item, by_rank, scores, by_distance, distances, how, columns)


def _ranked(wish: NeighbourRequest) -> tuple[Ints, Array, str]:
    affinity = wish.affinity
    if affinity is None:
        return np.zeros(0, np.int64), np.zeros(0), ""
    n, embedding = affinity.n, wish.embedding
    rows, kept = (0, 0) if embedding is None else embedding.coordinates.shape
    can_walk = n <= _MOST_WALKED and affinity.nonnegative
    # A few coordinates, as a clustering publishes them, keep too little of the order.
    if embedding is not None and rows == n and (kept == n or not can_walk):
        from coterie.core.numerics.spectral.adjusted_laplacian import form_of, projected

        Z, seed = np.asarray(embedding.coordinates, dtype=np.float64), _seed(n, wish.item)
        scores: Floats = projected(Z, affinity.degrees(), seed, form_of(embedding))[:, 0]
        how = "joint ranking" + (f" in {kept} of {n:,} coordinates" if kept < n else "")
    elif can_walk:
        from coterie.core.numerics.walks.item_weights import weighed
        from coterie.core.numerics.walks.markov import random_walk
        from coterie.core.numerics.walks.pagerank import personalised_pagerank

        restart = float(embedding.details["restart_probability"]) if embedding else _RESTART
        graph, shares = weighed(affinity)
        walk = random_walk(graph, home=shares)
        scores = personalised_pagerank(walk, _seed(n, wish.item), restart).scores[:, 0]
        how = "personalised PageRank" + (f", α = {restart:g}" if restart != _RESTART else "")
    else:
        scores = np.array(affinity.rows(np.array([wish.item]))[0], dtype=np.float64)
        how = "similarity"
    first = _first(-scores, wish.item)
    return first, scores[first], how


def _seed(n: int, item: int) -> Floats:
    seed = np.zeros((n, 1))
    seed[item] = 1.0
    return seed


def _nearest(wish: NeighbourRequest) -> tuple[Ints, Array]:
    data = wish.dataset
    if data is None or data.features is None or data.d == 0:
        return np.zeros(0, np.int64), np.zeros(0)
    X = data.features
    origin = _dense(X[[wish.item]]).ravel()
    squares = np.empty(data.n)
    rows = max(1, _BLOCK // max(1, data.d))
    for start in range(0, data.n, rows):
        block = _dense(X[start : start + rows])
        squares[start : start + rows] = ((block - origin) ** 2).sum(axis=1)
    known = np.isfinite(squares)
    first = _first(np.where(known, squares, np.inf), wish.item)
    first = first[known[first]]
    return first, np.sqrt(squares[first])


def _dense(rows: Any) -> Floats:
    return np.asarray(rows.toarray() if is_sparse(rows) else rows, dtype=np.float64)


def _first(costs: Array, item: int) -> Ints:
    """The few with the least cost, the item itself left out."""
    costs = np.array(costs, dtype=np.float64)
    costs[item] = np.inf
    count = min(FIRST, len(costs) - 1)
    if count <= 0:
        return np.zeros(0, dtype=np.int64)
    found = np.argpartition(costs, count - 1)[:count]
    return np.asarray(found[np.argsort(costs[found], kind="stable")], dtype=np.int64)
