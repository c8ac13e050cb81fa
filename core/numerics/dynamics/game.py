"""An affinity as a game between its items: the payoff of a strategy is its similarity to x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.distances import Check, row_blocks
from coterie.core.numerics.similarity.symmetry import ROUNDING

# What is left of a row after its diagonal entry was subtracted is exact to 16 digits less those
# that the subtraction cancelled; below this share of the entry the row is added up without it.
SWALLOWED = 1e-4
# With one column in so many in use, those alone are cheaper than all (they are copied first).
SHARE = 3
# Of a sparse matrix or a factor, whose products are cheap, only so many columns altogether.
FEW = 8
CACHED = 1 << 18  # bytes of rows to work on at once, few enough to stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Game:
    """Payoffs A x of an affinity whose own diagonal is left out, in units of its largest entry.

    With ones on the diagonal every single item would be a dominant set; without the units tiny
    similarities would pass any tolerance at once. Make one with `Game.of`. It copies no n × n
    matrix: besides the affinity it holds O(n) numbers (O(edges) for an asymmetric sparse one).

    Attributes
    ----------
    affinity : where the payoffs come from
    scale : the largest off-diagonal |entry|, which counts as 1 (for a factor, which does not
        hold its entries, the largest diagonal entry: no entry of a Gram matrix exceeds it)
    least : the smallest entry in that unit, or a bound below it; 0 when none is negative
    diagonal : (n,) what is left out, in the unit of the affinity: in the other it may be too large
    noise : payoffs up to this may be rounding alone; 0 but for a factor
    own : what every strategy earns against itself instead, in that unit: 0, but ½ for cliques
        (Bomze 1997), and negative to let only larger groups hold together
    mirrored : whether dense similarities have been seen to be symmetric: then a product reads the
        upper half of them, in half of the time
    tried : (n,) what a vector of positive numbers became by such a product, closer to the leading
        eigenvector; None unless mirrored
    """

    affinity: Affinity
    scale: float
    least: float
    diagonal: Floats
    noise: float = 0.0
    own: float = 0.0
    mirrored: bool = False
    tried: Floats | None = None
    _rows: Any = None
    _columns: Any = None

    @classmethod
    def of(
        cls,
        affinity: Affinity,
        *,
        own: float = 0.0,
        compare: bool = False,
        check: Check | None = None,
    ) -> Game:
        """Prepare the game, or raise a clear error when an entry is missing or infinite.

        `own` is what a strategy earns against itself, in the unit of the similarities. Every
        entry is looked at once; `check` is called on the way, to let a run be cancelled. `compare`
        has dense similarities compared with their mirror image, see `mirrored`; of those that are
        symmetric half is looked at.

        >>> game = Game.of(Affinity(values=np.array([[1.0, 4.0], [4.0, 1.0]])))
        >>> game.scale, game.payoffs(np.array([0.5, 0.5])).tolist()
        (4.0, [0.5, 0.5])
        """
        diagonal = affinity.diagonal().astype(np.float64)
        halves = _by_halves(affinity) if compare else None
        mirrored = False
        if halves is not None:
            smallest, largest = _range_above_diagonal(affinity, check)
            most = max(-smallest, largest, float(np.abs(diagonal).max(initial=0.0)))
            with np.errstate(invalid="ignore"):  # numbers too large to be summed
                apart = float(np.abs(halves[0] - halves[1]).max())
            mirrored = apart <= ROUNDING * most
        if not mirrored:
            smallest, largest = _range_off_diagonal(affinity, diagonal, check)
        # A missing or infinite entry shows in the range, but for a factor, whose entries are not
        # looked at, and the diagonal.
        if affinity.form != "dense" or not np.isfinite([smallest, largest, *diagonal]).all():
            affinity.require_finite()
        scale = max(abs(smallest), abs(largest)) or 1.0
        rows: Any = None
        columns: Any = None
        if affinity.sparse is not None:
            rows = _without_diagonal(affinity.sparse) if diagonal.any() else affinity.sparse
            columns = rows if affinity.symmetric else rows.tocsc()
        noise = affinity.n * float(np.finfo(np.float64).eps) if affinity.form == "factor" else 0.0
        return cls(
            affinity,
            scale,
            least=min(0.0, smallest / scale),
            diagonal=diagonal,
            noise=noise,
            own=own / scale,
            mirrored=mirrored,
            tried=halves[0] if mirrored and halves is not None else None,
            _rows=rows,
            _columns=columns,
        )

    @property
    def n(self) -> int:
        """Number of strategies."""
        return self.affinity.n

    @property
    def symmetric(self) -> bool:
        """Whether both players of a pair get the same, so xᵀA x rises in every dynamics."""
        return self.affinity.symmetric

    def payoffs(self, x: Floats) -> Floats:
        """Return A x; costs one product with the affinity, or only with the columns in use."""
        used = np.flatnonzero(x)
        share = self.n // (2 * SHARE if self.mirrored else SHARE)
        if len(used) <= (share if self.affinity.values is not None else FEW):
            return self.payoffs_of(used, x[used])
        product: Floats
        if self._rows is not None:
            product = np.asarray(self._rows @ x) / self.scale
        else:
            product = self._whole_product(x)
        if self.own:
            product += self.own * x
        return product

    def _whole_product(self, x: Floats) -> Floats:
        product = self._half_product(x)
        if product is None:
            product = np.array(self.affinity.matvec(x), dtype=np.float64)
        own = self.diagonal * x
        product -= own
        if self.affinity.values is not None:
            # Where next to nothing is left, the diagonal has swallowed the rest of the row.
            swallowed = np.flatnonzero(np.abs(product) < SWALLOWED * np.abs(own))
            for block in row_blocks(len(swallowed), self.n, CACHED):
                chosen = swallowed[block]
                product[chosen] = self._rows_without_diagonal(chosen) @ x
        product /= self.scale
        return product

    def _half_product(self, x: Floats) -> Floats | None:
        if not self.mirrored:
            return None
        from scipy.linalg.blas import dsymv

        values: Any = self.affinity.values
        return np.asarray(dsymv(1.0, values.T, x, lower=1))

    def payoffs_of(self, members: Ints, shares: Floats) -> Floats:
        """Return A x of a population of few members, in O(members × n)."""
        found = np.zeros(self.n)
        if self._columns is not None:
            rows, values, counts = self.links(members)
            np.add.at(found, rows, values * np.repeat(shares, counts))
        elif not self.symmetric:
            for j, share in zip(members, shares, strict=True):
                kept = found[j]
                found += share * self.affinity.column(int(j))
                found[j] = kept  # the diagonal never enters
        else:
            for block in row_blocks(len(members), self.n, CACHED):
                found += shares[block] @ self._rows_without_diagonal(members[block])
        found /= self.scale
        if self.own:
            found[members] += self.own * shares
        return found

    def _rows_without_diagonal(self, items: Ints) -> Floats:
        rows = self.affinity.rows(items)
        rows[np.arange(len(items)), items] = 0.0
        return rows

    def column(self, j: int) -> Floats:
        """Return A e_j, a new array."""
        column = np.array(self.affinity.column(j), dtype=np.float64)
        column[j] = 0.0
        column /= self.scale
        column[j] = self.own
        return column

    def payoff_against(self, x: Floats, j: int) -> float:
        """Return (xᵀA)_j, what the population earns against strategy j, in O(n)."""
        own = self.own * float(x[j])
        if self._columns is not None:
            rows, values = self._stored_column(j)
            return float(values @ x[rows]) / self.scale + own
        column = self.affinity.column(j)
        # In two parts, so the diagonal never enters.
        total = float(x[:j] @ column[:j]) + float(x[j + 1 :] @ column[j + 1 :])
        return total / self.scale + own

    def mix_in(self, payoffs: Floats, j: int, share: float) -> None:
        """Turn A x into A ((1 − share) x + share e_j) in place, in O(n)."""
        payoffs *= 1.0 - share
        own = payoffs[j] + share * self.own
        if self._columns is not None:
            rows, values = self._stored_column(j)
            payoffs[rows] += share * (values / self.scale)
        else:
            payoffs += share * self.column(j)
        payoffs[j] = own

    def against_itself(self, members: Ints, shares: Floats) -> float:
        """Return the part of xᵀA x that strategies earn against themselves."""
        return self.own * float(shares @ shares)

    def among(self, items: Ints) -> Floats:
        """Return A among `items` alone, a new dense array, in the unit of the game.

        >>> game = Game.of(Affinity(values=np.array([[1.0, 4.0], [4.0, 1.0]])))
        >>> game.among(np.array([1, 0])).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        block: Floats
        if self.affinity.values is not None:
            block = np.array(self.affinity.values[np.ix_(items, items)], dtype=np.float64)
        elif self.affinity.factor is not None:
            part = self.affinity.factor[items]
            block = np.array(part @ part.T, dtype=np.float64)
        elif self.symmetric:
            block = self._links_among(items)
        else:
            block = np.asarray(self._rows[items][:, items].toarray(), dtype=np.float64)
        np.fill_diagonal(block, 0.0)
        block /= self.scale
        np.fill_diagonal(block, self.own)
        return block

    @property
    def least_to_others(self) -> float:
        """The smallest entry between two different strategies, or a bound below it."""
        return self.least

    @property
    def steepness(self) -> Floats | None:
        """How fast xᵀA x falls in the share of each strategy; None when all are alike.

        It goes into the metric in which populations are moved, and is positive.
        """
        return None

    def subgame(self, items: Ints) -> Game:
        """Return the game among `items` alone, dense and in the same unit."""
        affinity = Affinity(values=self.among(items), nonnegative=self.least >= 0)
        return Game(affinity, 1.0, self.least, np.full(len(items), self.own), own=self.own)

    def links(self, items: Ints) -> tuple[Ints, Floats, Ints]:
        """Return the stored entries of the columns `items`, one after the other, undivided.

        Of sparse similarities only: their rows, their values, and how many each column has.
        """
        starts = self._columns.indptr[items]
        counts = self._columns.indptr[items + 1] - starts
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        # Consecutive numbers that jump to the next column's start where one column ends.
        where = np.arange(total) + np.repeat(starts - (ends - counts), counts)
        return self._columns.indices[where], self._columns.data[where], counts

    def _links_among(self, items: Ints) -> Floats:
        """The entries among a few items of many, without making a sparse matrix of their rows."""
        m = len(items)
        rows, values, counts = self.links(items)
        order = items.argsort()
        places = items[order].searchsorted(rows)
        np.minimum(places, m - 1, out=places)
        places = order[places]
        inside = items[places] == rows
        block = np.zeros((m, m))
        block[places[inside], np.arange(m).repeat(counts)[inside]] = values[inside]
        return block

    def _stored_column(self, j: int) -> tuple[Any, Any]:
        """The stored entries of column j; of row j when symmetric, which is the same."""
        here = slice(self._columns.indptr[j], self._columns.indptr[j + 1])
        return self._columns.indices[here], self._columns.data[here]


def _without_diagonal(sparse: Any) -> Any:
    """A copy with explicit zeros on the diagonal; the pattern is shared."""
    copy = sparse.copy()
    copy.data = np.where(_on_diagonal(sparse), 0.0, sparse.data)
    return copy


def _on_diagonal(sparse: Any) -> Any:
    owner = np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.indptr))
    return sparse.indices == owner


def _by_halves(affinity: Affinity) -> tuple[Floats, Floats] | None:
    """A product with each half of dense similarities as if the other mirrored it.

    The vector has no two entries alike and all above 1: where an entry differs from its mirror
    image the products do, by as much or more. They cannot be had of a matrix of another layout.
    """
    values: Any = affinity.values
    if values is None or values.dtype != np.float64 or not values.flags.c_contiguous:
        return None
    if not affinity.n:
        return None
    from scipy.linalg.blas import dsymv

    x = 1.0 + np.random.default_rng(0).random(affinity.n)
    return dsymv(1.0, values.T, x, lower=1), dsymv(1.0, values.T, x, lower=0)


def _range_above_diagonal(affinity: Affinity, check: Check | None) -> tuple[float, float]:
    """The smallest and the largest entry above the diagonal, zero included."""
    values: Any = affinity.values
    smallest = largest = 0.0
    for rows in row_blocks(affinity.n, affinity.n, FEW * CACHED):
        if check is not None:
            check()
        square = np.triu(values[rows, rows], 1)
        for part in (square, values[rows, rows.stop :]):
            # Not min(): it would let go of a missing value.
            smallest = float(np.minimum(smallest, part.min(initial=0.0)))
            largest = float(np.maximum(largest, part.max(initial=0.0)))
    return smallest, largest


def _range_off_diagonal(
    affinity: Affinity, diagonal: Floats, check: Check | None
) -> tuple[float, float]:
    """The smallest and the largest entry outside the diagonal, by blocks, zero included."""
    if affinity.factor is not None:
        bound = float(diagonal.max(initial=0.0))
        return (0.0 if affinity.nonnegative else -bound), bound
    if affinity.sparse is not None:
        sparse: Any = affinity.sparse
        entries = sparse.data[~_on_diagonal(sparse)]
        return float(entries.min(initial=0.0)), float(entries.max(initial=0.0))
    values: Any = affinity.values
    smallest = largest = 0.0
    # Few rows at a time: what was fetched for the smallest is still cached for the largest.
    for number, rows in enumerate(row_blocks(affinity.n, affinity.n, CACHED)):
        if check is not None and number % FEW == 0:
            check()
        square = values[rows, rows].copy()
        np.fill_diagonal(square, 0.0)
        for part in (values[rows, : rows.start], square, values[rows, rows.stop :]):
            # Not min(): it would let go of a missing value.
            smallest = float(np.minimum(smallest, part.min(initial=0.0)))
            largest = float(np.maximum(largest, part.max(initial=0.0)))
    return smallest, largest
