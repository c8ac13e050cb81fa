"""The nearest other items of each item, without an n × n matrix: exact, or nearly and quicker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints, Matrix, SparseMatrix, is_sparse
from coterie.core.numerics.similarity.approximate import (
    InvertedIndex,
    ways,
    worth_indexing,
)
from coterie.core.numerics.similarity.distances import require_squares, row_blocks
from coterie.core.numerics.similarity.equal_neighbours import settled
from coterie.core.numerics.similarity.exact_search import (
    SPARE,
    Ask,
    by_comparing,
    by_products,
    by_tree,
    few_copies,
    filled,
    pair_distances,
    unit_rows,
)
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.wording import counted

# Up to so many columns a tree finds neighbours faster than comparing all pairs does.
MOST_TREE_COLUMNS = 8
# Sparse rows of so few columns are quicker filled.
MOST_FILLED_COLUMNS = 64
CHUNK_PAIRS = 1 << 27  # pairs compared at a time, about a second's work of one core
SAMPLE = 500  # items whose true neighbours are found, to measure the recall
FEW = 2000  # items whose duplicates do no harm
FLOOR = 1e-3  # a width of zero becomes this share of the median width
GOOD_RECALL = 0.99  # what graphs of very many items ask for

Progress = Callable[[float, float, str], None]
Each = Callable[[Callable[[slice], tuple[Ints, Floats]], Iterable[slice]], Iterator[Any]]
Metric = Literal["euclidean", "cosine", "manhattan"]


@dataclass(frozen=True)
class Neighbours:
    """The nearest items of each item, nearest first; unpacks into indices and distances."""

    indices: Ints
    """(n, k)"""
    distances: Floats
    """(n, k) in float64, from the differences of the rows."""
    recall: float = 1.0
    """Share of the true neighbours that were found: 1.0 when exact, else as measured."""
    measured_on: int = 0
    """Items whose neighbours were also found exactly, to measure the recall."""

    def __iter__(self) -> Iterator[Any]:
        yield self.indices
        yield self.distances

    @property
    def how(self) -> str:
        """Say in words how they were found."""
        if not self.measured_on:
            return "exact"
        return (
            f"approximate: {100 * self.recall:.4g} % of the true neighbours were found, "
            f"measured on {self.measured_on} items"
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a result must say about them: nothing when they are exact."""
        return (f"Nearest neighbours are {self.how}.",) if self.measured_on else ()


def require_neighbours(n: int, neighbours: int, name: str = "neighbours") -> None:
    """Raise a clear error when there are not so many other items."""
    if neighbours >= n:
        raise DataError(
            f"Parameter '{name}' is {neighbours}, but {counted(n, 'item')} "
            f"{'has' if n == 1 else 'have'} only {counted(max(0, n - 1), 'other')} each. "
            "Choose fewer.",
            code="too-many-neighbours",
        )


def nearest_neighbours(
    X: Matrix,
    neighbours: int,
    *,
    among: Matrix | None = None,
    metric: Metric = "euclidean",
    recall: float = 1.0,
    check: Check | None = None,
    progress: Progress | None = None,
    workers: int = -1,
    each: Each | None = None,
) -> Neighbours:
    """Return the nearest *other* items of each item, and how far they are, nearest first.

    A tree is asked where there are few columns, all pairs are compared in chunks otherwise. With
    `recall` below 1, and faiss installed, an inverted index is asked where that is quicker; how
    much it finds is measured, and all pairs are compared where it finds less than that. The
    distances are worked out from the differences, in float64 and however the items were found, so
    that those of duplicates are exactly zero. The same input gives the same answer every time.

    Parameters
    ----------
    X : (n, d) features, dense or sparse
    neighbours : k < n; with `among` at most as many as it has rows
    among : (m, d) items to search instead of X itself; then an item may be its own neighbour
    metric : cosine is 1 − cos of the angle; a row of zeros is at 1 from all rows but such rows;
        manhattan is the sum of the differences, of dense features
    recall : share of the true neighbours to be content with
    check : called for every chunk, to let a run be cancelled
    progress : called with chunks done, chunks in all and a word
    workers : threads, −1 for one a core
    each : applies a function to many values on other machines (`Context.each`), which then search

    Returns
    -------
    indices and distances, (n, k) each, with the measured recall. Memory: these, a copy of the
    features and a chunk.

    Examples
    --------
    >>> indices, distances = nearest_neighbours(np.array([[0.0], [1.0], [3.0]]), 1)
    >>> indices.ravel().tolist(), distances.ravel().tolist()
    ([1, 0, 1], [1.0, 1.0, 2.0])
    >>> nearest_neighbours(np.array([[2.0]]), 2, among=np.array([[0.0], [2.0]])).indices.tolist()
    [[1, 0]]
    """
    if among is None:
        require_neighbours(X.shape[0], neighbours)
    elif neighbours > among.shape[0]:
        raise DataError(
            f"Parameter 'neighbours' is {neighbours}, but there are only {among.shape[0]} items "
            "to choose them from. Choose fewer.",
            code="too-many-neighbours",
        )
    if metric == "cosine":
        X, among = unit_rows(X), None if among is None else unit_rows(among)
    if is_sparse(X) and X.shape[1] <= MOST_FILLED_COLUMNS:
        X, among = filled(X), None if among is None else filled(among)
    if metric == "manhattan" and is_sparse(X):
        raise DataError(
            f"Sums of differences need dense features. Got sparse ones with {X.shape[1]} columns; "
            "choose euclidean or cosine, or put a step of svd before this step.",
            code="too-many-features",
        )
    task = _task(X, neighbours, among, check, progress, workers)
    task = replace(task, power=1 if metric == "manhattan" else 2, each=each)
    found = _approximately(task, recall) if recall < 1 and task.power == 2 else None
    found = found or _exactly(task)
    if metric == "cosine":  # ‖u − v‖² = 2 (1 − cos) for rows of length 1
        found = replace(found, distances=found.distances**2 / 2)
    return found


def search_seconds(n: int, d: int) -> float:
    """Return about how long the search for the neighbours of n items of d columns takes.

    >>> round(search_seconds(10**6, 20) / search_seconds(10**5, 20)) >= 10
    True
    """
    if worth_indexing(n, d):
        return float(7e-9 * d * n * np.sqrt(n))
    if d <= MOST_TREE_COLUMNS:
        return float(1e-6 * n * np.log2(n + 1))
    return n * n * (4e-11 * d + 2e-9)


@dataclass(frozen=True)
class _Task:
    """What is searched for what, and who hears of it."""

    queries: Any
    own: Ints | None  # where each query is in the base, so it is not its own neighbour
    base: Any
    kept: Ints | None  # the rows of the base that are enough
    k: int
    check: Check | None
    progress: Progress | None
    workers: int
    power: int = 2  # of the differences, whose sum is compared
    each: Each | None = None

    @property
    def searched(self) -> Any:
        return self.base if self.kept is None else self.base[self.kept]

    @property
    def asked(self) -> int:
        """How many to ask for: an item finds itself first."""
        return min(int(self.searched.shape[0]), self.k + (self.own is not None))

    def of(self, rows: Ints) -> _Task:
        own = None if self.own is None else self.own[rows]
        return replace(self, queries=self.queries[rows], own=own, progress=None, each=None)


def _task(
    X: Matrix,
    k: int,
    among: Matrix | None,
    check: Check | None,
    progress: Progress | None,
    workers: int,
) -> _Task:
    base = X if among is None else among
    for matrix in (X, base):
        require_squares(matrix.data if is_sparse(matrix) else matrix)  # type: ignore[arg-type]
    own = np.arange(X.shape[0]) if among is None else None
    # Of thousands of duplicates k + 1 are enough, and a tree is slow to search them all.
    kept = few_copies(np.asarray(base), k) if not is_sparse(base) and len(base) > FEW else None
    return _Task(X, own, base, kept, k, check, progress, workers)


def _exactly(task: _Task) -> Neighbours:
    """The true neighbours; of several equally far, the same ones on every processor."""
    base = task.searched
    n, d = task.queries.shape
    # One more than is wanted shows whether yet others may be as near as the last.
    asked = min(int(base.shape[0]), task.asked + 1)
    columns = min(task.k + 1, int(base.shape[0]) - (task.own is not None))
    if is_sparse(base):
        chunks = list(row_blocks(n, 4 * base.shape[0], block_bytes=1 << 26))
        asking = by_products(task.queries, base)
        return _settled(task, _collect(task, asking, chunks, asked, columns), task.queries, base)
    # Products err by the squares of lengths: one far item moves the mean away from all, not this.
    middle = np.median(task.base, axis=0)
    base = base - middle
    alone = task.queries is task.base and task.kept is None
    queries, chunks = base if alone else task.queries - middle, _chunks(n, len(base))
    if d <= MOST_TREE_COLUMNS:  # it compares differences, which no linear algebra rounds
        tree = by_tree(base, task.workers, task.power)
        return _collect(task, lambda rows, k: tree(queries[rows], k), chunks, task.asked)
    ask = by_comparing(base, task.workers, task.power)
    found = _collect(task, lambda rows, k: ask(queries[rows], k), chunks, asked, columns)
    return _settled(task, found, queries, base)


def _settled(task: _Task, found: Neighbours, queries: Any, base: Any) -> Neighbours:
    """Leave the first k, chosen among all where others may be as near as the last of them."""
    place = np.arange(task.base.shape[0]) if task.kept is None else task.kept
    own = np.full(queries.shape[0], -1)
    if task.own is not None:  # where an item is among the rows that were searched, if it is
        own = np.searchsorted(place, task.own).clip(max=len(place) - 1)
        own[place[own] != task.own] = -1

    def far(i: Ints, j: Ints) -> Floats:
        return pair_distances(task.queries, task.base, i, place[j], task.power)

    for rows, near, away in settled(
        found.distances, task.k, queries, base, own, task.power, far, task.check
    ):
        found.indices[rows, : task.k], found.distances[rows, : task.k] = place[near], away
    return Neighbours(found.indices[:, : task.k], found.distances[:, : task.k])


def _approximately(task: _Task, recall: float) -> Neighbours | None:
    """Neighbours by an inverted index, or None where comparing all pairs is better."""
    n, base = task.queries.shape[0], task.searched
    if is_sparse(base) or not worth_indexing(*base.shape):
        return None
    sample = np.random.default_rng(0).choice(n, min(n, SAMPLE), replace=False)
    some = task.of(np.sort(sample))
    truth = _exactly(some).distances[:, -1:] * (1 + 1e-12)
    asked = min(len(base), task.asked + SPARE)
    for coded, most in ways(*base.shape):
        index = InvertedIndex(base, task.workers, coded=coded)
        if _suffices(index, most, some, truth, recall, asked):
            break
    else:
        return None
    found = _collect(task, index.asking(task.queries), _chunks(n, index.load), asked)
    # What single precision cannot hold, and what had too few candidates, is compared with all.
    unsure = np.flatnonzero(index.unsure(task.queries) | np.isinf(found.distances[:, -1]))
    if len(unsure):
        exact = _exactly(task.of(unsure))
        found.indices[unsure], found.distances[unsure] = exact
    share = float((found.distances[np.sort(sample)] <= truth).mean())
    return replace(found, recall=share, measured_on=len(sample))


def _suffices(
    index: InvertedIndex, most: float, some: _Task, truth: Floats, recall: float, asked: int
) -> bool:
    """Let the index search as many cells as that recall takes; False where these are too many."""
    everyone = [slice(0, len(truth))]
    while index.compared <= most:
        tried = _collect(some, index.asking(some.queries), everyone, asked)
        if float((tried.distances <= truth).mean()) >= recall:
            return True
        if not index.widen():
            break
    return False


def _collect(
    task: _Task, ask: Ask, chunks: list[slice], asked: int, columns: int = 0
) -> Neighbours:
    """Ask for candidates chunk by chunk, and order them by their distance in float64."""
    n, columns = task.queries.shape[0], columns or task.k
    indices = np.empty((n, columns), dtype=np.int64)
    distances = np.empty((n, columns))
    silent = replace(task, check=None, progress=None, each=None)
    work = partial(_of_chunk, silent, ask, asked, columns)
    found = map(work, chunks) if task.each is None else task.each(work, chunks)
    for done, rows in enumerate(chunks):
        if task.check is not None:
            task.check()
        if task.progress is not None:
            task.progress(done, len(chunks), "neighbours")
        indices[rows], distances[rows] = next(found)
    return Neighbours(indices, distances)


def _of_chunk(task: _Task, ask: Ask, asked: int, columns: int, rows: slice) -> tuple[Ints, Floats]:
    found = ask(rows, asked)
    missing = found < 0
    if task.kept is not None:
        found = task.kept[found]
    own = np.repeat(np.arange(rows.start, rows.stop), found.shape[1])
    away = pair_distances(task.queries, task.base, own, found.ravel(), task.power)
    away = away.reshape(found.shape)
    if task.own is not None:
        missing |= found == task.own[rows, None]
    away[missing] = np.inf
    # Equal distances in the order of the items, whichever way they were found.
    order = np.lexsort((found, away), axis=1)[:, :columns]
    return np.take_along_axis(found, order, axis=1), np.take_along_axis(away, order, axis=1)


def neighbour_graph(indices: Ints, weights: Floats, n: int) -> SparseMatrix:
    """Return the n × n graph with an edge of each row's weights to each row's indices.

    >>> neighbour_graph(np.array([[1], [0]]), np.array([[0.5], [2.0]]), 2).toarray().tolist()
    [[0.0, 0.5], [2.0, 0.0]]
    """
    from scipy.sparse import csr_array

    rows, k = indices.shape
    starts = np.arange(0, rows * k + 1, k)
    graph: SparseMatrix = csr_array((weights.ravel(), indices.ravel(), starts), shape=(rows, n))
    graph.sort_indices()
    return graph


def floored(widths: Floats) -> tuple[Floats, int]:
    """Return widths without zeros, and how many were raised.

    Duplicates have a width of zero, by which nothing can be divided. It becomes a thousandth of
    the median of the others; when all are zero, all become one.

    >>> widths, raised = floored(np.array([0.0, 2.0, 4.0]))
    >>> widths.tolist(), raised
    ([0.003, 2.0, 4.0], 1)
    """
    positive = widths[widths > 0]
    if not len(positive):
        return np.ones_like(widths), len(widths)
    least = FLOOR * float(np.median(positive))
    return np.maximum(widths, least), int((widths < least).sum())


def _chunks(n: int, compared: int) -> list[slice]:
    """The items, so many at a time that a person who cancels does not wait."""
    height = max(1, min(n, CHUNK_PAIRS // max(1, compared)))
    return [slice(start, min(start + height, n)) for start in range(0, n, height)]


def typical_length(lengths: Floats) -> float:
    """Return the median length of the edges that have one, 1.0 when none has.

    >>> typical_length(np.array([0.0, 1.0, 3.0]))
    2.0
    """
    positive = lengths[lengths > 0]
    return float(np.median(positive)) if len(positive) else 1.0
