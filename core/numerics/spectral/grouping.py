"""What spectral clusterers share: how many groups, from rows to labels, and what is published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from coterie.core.api.components import Clusterer, Cost, Output
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.errors import DataError, ParameterError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Embedding, Spectrum
from coterie.core.numerics.partitions.groups import by_size
from coterie.core.numerics.similarity.tiles import SPARSER
from coterie.core.numerics.spectral.cuts import normalised_cut
from coterie.core.numerics.spectral.discretise import Discretised, best_of, k_means, yu_shi
from coterie.core.numerics.spectral.eigenpairs import DIRECT, LARGE
from coterie.core.numerics.spectral.group_counts import COUNTS, GroupCounts
from coterie.core.numerics.spectral.levelled_eigenpairs import GUARD
from coterie.core.numerics.spectral.refining import refined
from coterie.core.numerics.spectral.spectra import MOST_EIGENVALUES, GraphSpectrum
from coterie.core.wording import counted

TIED = 1e-11  # share of the largest eigenvalue below which two count as equal

Discretisation = Literal["kmeans", "yu-shi"]


class GroupParams(Clusterer.Params):
    """What every spectral clusterer asks for."""

    k: int = Field(
        0,
        ge=0,
        description="Number of groups; 0: as many as there are eigenvalues before the largest "
        "gap among the first "
        "20 eigenvalues.",
        json_schema_extra={"slider": [0, 20]},
    )
    restarts: int = Field(
        10,
        ge=1,
        description="Maximum number of starts for grouping the rows; the best is kept, and the "
        "search ends when three starts agree on it.",
        json_schema_extra={"slider": [1, 100], "advanced": True},
    )


class CutParams(GroupParams):
    """What is asked for by those whose groups should cut a graph little."""

    refine: bool = Field(
        False,
        description="Afterwards, move items at group borders as long as that lowers the "
        "normalised cut.",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Spectral:
    """What a method found out about a graph before it makes groups of it.

    Attributes
    ----------
    affinity : the graph as it was given
    title : of the result
    items : (m,) the items that can be grouped
    values : eigenvalues, in the order that matters
    suggested : number of groups that they suggest
    rows : from a number of groups to the (m, ·) rows that are grouped
    piece, pieces : connected pieces, which are the groups where there are enough of them; 0 pieces
        where the method does not go by them
    dust : items of pieces too small to count
    counts : numbers of groups by every rule, where they are known
    """

    affinity: Affinity
    title: str
    items: Ints
    values: Array
    suggested: int
    rows: Callable[[int], Floats]
    piece: Ints | None = None
    pieces: int = 0
    dust: int = 0
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    counts: GroupCounts | None = None

    @classmethod
    def of(
        cls, affinity: Affinity, title: str, spectrum: GraphSpectrum, rows: Callable[[int], Floats]
    ) -> Spectral:
        """Return it for an undirected graph."""
        return cls(
            affinity=affinity,
            title=title,
            items=spectrum.items,
            values=spectrum.values,
            suggested=spectrum.suggested(),
            counts=spectrum.counts(),
            rows=rows,
            piece=spectrum.piece,
            pieces=spectrum.pieces,
            dust=spectrum.dust,
            details={"solver": spectrum.how, "residual": spectrum.residual},
        )


def pairs_for(affinity: Affinity, k: int) -> int:
    """Return how many eigenpairs to ask for: enough for k groups and for the suggestion.

    Of a sparse graph each pair costs, so a given k is taken as it is, with one more to show
    the gap behind it.
    """
    if k and affinity.sparse is not None and affinity.n > DIRECT:
        return k + 1
    return max(k + 1, MOST_EIGENVALUES)


def grouped(
    found: Spectral,
    asked: int,
    *,
    discretise: Discretisation,
    restarts: int,
    context: Context,
    refine: bool = False,
) -> Output:
    """Group the rows and publish the groups, the spectrum and the embedding.

    Items that cannot be grouped, and those of pieces beyond the k largest, get no label.
    """
    m = len(found.items)
    if m == 0:
        raise DataError(
            "Every piece of the graph is too small to be a group. Widen the kernel, or connect "
            "more items.",
            code="no-similarities",
        )
    if asked > m:
        raise ParameterError(
            f"Parameter 'k' is {asked}, but only {counted(m, 'item')} can be grouped. "
            f"Set k to {m} or less.",
            code="too-many-groups",
        )
    k = min(asked or found.suggested, m)
    rows = found.rows(k)
    inside, said, known = _divided(found, rows, k, discretise, restarts, context)
    notes = [*found.notes, *said]
    details: dict[str, Any] = {"k": k, "suggested_k": found.suggested, **found.details, **known}
    labels = np.full(found.affinity.n, -1, dtype=np.int64)
    labels[found.items] = inside
    if refine:
        labels, moved = _refined(found.affinity, labels, context)
        details["moved_by_refining"] = moved
    labels = by_size(labels)
    notes += _about_groups(found, asked, k, labels)
    details["normalised_cut"] = normalised_cut(found.affinity, labels, check=context.check)
    coordinates = np.zeros((found.affinity.n, rows.shape[1]))
    coordinates[found.items] = rows
    context.progress(1, 1, "done")
    dataset = found.affinity.dataset
    return Output(
        Clustering(
            title=found.title, dataset=dataset, labels=labels, notes=tuple(notes), details=details
        ),
        {
            "spectrum": Spectrum(
                title=f"Spectrum of {found.title}",
                dataset=dataset,
                eigenvalues=found.values,
                suggested_k=found.suggested,
                details={} if found.counts is None else {COUNTS: found.counts.in_details()},
            ),
            "embedding": Embedding(
                title=f"Rows of {found.title}", dataset=dataset, coordinates=coordinates
            ),
        },
    )


def _divided(
    found: Spectral,
    rows: Floats,
    k: int,
    discretise: Discretisation,
    restarts: int,
    context: Context,
) -> tuple[Ints, tuple[str, ...], dict[str, Any]]:
    """Return the group of each item that can be grouped, and what to say and to know about them.

    The connected pieces where there are enough of them, else what the rows are grouped into.
    """
    if found.piece is not None and found.pieces >= k:
        inside = np.where(found.piece < k, found.piece, -1)
        left = int((inside < 0).sum())
        return inside, tuple(_about_pieces(found, k, left)), {"pieces": found.pieces}
    states = _states(rows, k, discretise, restarts, context.rng)
    # Of several k-means the one that cuts least: that is what its rows stand for.
    by_cut = found.piece is not None and discretise == "kmeans"
    cost = _cost(found) if by_cut else _per_square(rows) if discretise == "kmeans" else None
    best = best_of(_shown(states, found, context), cost)
    known = {"discretise": discretise, "objective": best.objective}
    return best.labels, tuple(_about_ties(found.values, k)), known


def spectral_cost(affinity: Affinity, k: int, *, copies: int = 2) -> Cost:
    """Return the cost of a few eigenpairs and their grouping, by the form of the affinity."""
    n = affinity.n
    pairs = pairs_for(affinity, k)
    vectors = 8 * n * (6 * pairs + 30)
    if affinity.sparse is not None:
        edges = int(affinity.sparse.nnz)
        small = 16 * n * n if n <= DIRECT else 0
        if n >= LARGE:  # the coarser graphs, and ten blocks of vectors
            vectors = 80 * n * (pairs + GUARD) + 24 * edges
        return Cost(
            bytes=24 * edges * copies + vectors + small + (8 << 20),
            seconds=1e-7 * edges * pairs + 2e-7 * n * pairs**2,
        )
    if affinity.factor is not None:
        width = affinity.factor.shape[1]
        return Cost(
            bytes=8 * n * width * copies + 24 * width**2 + vectors,
            seconds=1e-9 * n * width**2 + 1e-8 * width**3,
        )
    seconds = 2e-9 * n**3 if n <= DIRECT else 1e-7 * n**2
    return Cost(bytes=8 * n * n * copies + vectors, seconds=seconds, alternatives=SPARSER)


def _states(
    rows: Floats, k: int, how: Discretisation, restarts: int, rng: np.random.Generator
) -> Iterator[Discretised]:
    if how == "kmeans":
        return k_means(rows, k, restarts=restarts, rng=rng)
    # A rotation needs as many columns as there are groups.
    missing = max(0, k - rows.shape[1])
    square = np.column_stack([rows, np.zeros((len(rows), missing))]) if missing else rows
    return yu_shi(square, restarts=restarts, rng=rng)


def _shown(
    states: Iterator[Discretised], found: Spectral, context: Context
) -> Iterator[Discretised]:
    for iteration, state in enumerate(states):
        labels = np.full(found.affinity.n, -1, dtype=np.int64)
        labels[found.items] = state.labels
        context.frame(
            iteration,
            objective=state.objective,
            support=int((labels >= 0).sum()),
            phase=f"start {state.start + 1}",
            labels=labels,
        )
        yield state


def _refined(affinity: Affinity, labels: Ints, context: Context) -> tuple[Ints, int]:
    """Groups after items at their borders have changed sides, and how many have."""
    better = labels
    for number, (moved, cut) in enumerate(refined(affinity, labels)):
        context.progress(2.5, 3, f"refining, round {number}: normalised cut {cut:.4g}")
        context.check()
        better = moved
    return better, int((better != labels).sum())


def _cost(found: Spectral) -> Callable[[Discretised], float]:
    known: dict[str, float] = {}

    def cut(state: Discretised) -> float:
        # Starts that end in the same sum of squares end in the same groups, which costs once.
        same = f"{state.objective:.12g}"
        if same not in known:
            labels = np.full(found.affinity.n, -1, dtype=np.int64)
            labels[found.items] = state.labels
            known[same] = normalised_cut(found.affinity, labels)
        return known[same]

    return cut


def _per_square(rows: Floats) -> Callable[[Discretised], float]:
    """The sum of squares as a share of that of all rows, which may have any size."""
    total = float(np.square(rows).sum()) or 1.0
    return lambda state: state.objective / total


def _about_pieces(found: Spectral, k: int, left: int) -> list[str]:
    if found.pieces == k:
        return [f"The graph is in {k} pieces, which are the groups."] if k > 1 else []
    kept = "largest is the group" if k == 1 else "largest are the groups"
    return [
        f"The graph has {found.pieces} separate pieces, and {k} {'was' if k == 1 else 'were'} "
        "asked "
        f"for: the {kept}. Items of the others, in none: {left}. Join the items by more "
        "neighbours, or ask for more groups."
    ]


def _about_ties(values: Array, k: int) -> list[str]:
    """Of equal eigenvalues only some are used: which eigenvectors these have, rounding decides."""
    if k < 2 or len(values) <= k or abs(values[k - 1] - values[k]) > TIED * abs(values[0]):
        return []
    return [
        f"Eigenvalues {k} and {k + 1} are equal up to rounding, so other groups are as "
        "good: the same items in another order may give them. Choose another number of groups, or "
        "join the items by more neighbours."
    ]


def _about_groups(found: Spectral, asked: int, k: int, labels: Ints) -> list[str]:
    notes = []
    if not asked:
        notes.append(f"The spectrum suggests {counted(k, 'group')}.")
        if found.counts is not None and found.counts.differ:
            notes.append(found.counts.in_words())
    if found.dust:
        notes.append(
            f"Items in tiny pieces of the graph, in no group: {found.dust}. Use more neighbours "
            "to keep them."
        )
    if alone := found.affinity.n - len(found.items) - found.dust:
        notes.append(
            f"{alone} {'item has' if alone == 1 else 'items have'} no outgoing edge and "
            f"{'is' if alone == 1 else 'are'} in no group."
        )
    if k > 1 and _all_equal(found.affinity.dataset):
        notes.append(
            "All items have the same features: groups of similarities made of these are arbitrary."
        )
    made = int(labels.max(initial=-1)) + 1
    if made < k:
        notes.append(f"Only {made} of the {k} groups have members.")
    return notes


def _all_equal(items: Dataset | None) -> bool:
    """Whether several items are known by their features alone, and have the same."""
    if items is None or items.features is None or items.texts or items.n < 2:
        return False
    X: Any = items.features
    if not X.shape[1]:
        return False
    low, high = X.min(axis=0), X.max(axis=0)
    same = (low != high).nnz == 0 if is_sparse(X) else (low == high).all()
    return bool(same)
