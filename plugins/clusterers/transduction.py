"""Transduction: a few known labels spread to all items along their similarities."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    DataError,
    Dataset,
    Field,
    Floats,
    Ints,
    ParameterError,
)
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.similarity.distances import row_blocks, squared_distances
from coterie.core.numerics.transduction.second_scale import SecondScale
from coterie.core.numerics.transduction.spreading import TransductionState, transduce


class Transduction(Clusterer):
    """Labels spread from some items to all others: each chooses the class its neighbours choose.

    Every item without a label plays a game with all others; the payoff of a class is the similarity
    to those that chose it, P ← P∘(AP) with rows renormalised. The labels come from a grouping that
    leaves items out, or from the known classes of a few items. An item that no label reaches, or
    several equally, stays unassigned. It ends at an equilibrium: every class that an item has a
    share in pays it the same, and none pays more. The diagonal of A counts as zero. On a sparse
    graph only items near others that still move cost time. Memory: a copy of the rows of the
    unlabelled items.
    """

    id, title = "transduction", "Graph transduction"
    version = "2"  # shares have a floor, and it ends at an equilibrium
    curves = (
        Curve(
            "objective",
            "agreement",
            "Average payoff of an unlabelled item: the share of its similarity that goes to items "
            "of its own label; rises.",
        ),
        Curve(
            "residual",
            "payoff gap",
            "Largest payoff that an unlabelled item forgoes, relative to its best; 0 at an "
            "equilibrium.",
            log=True,
        ),
        Curve("support", "labelled items", "Number of items with a label so far."),
    )
    reference = (
        "Erdem, Pelillo (2012). Graph transduction as a noncooperative game. "
        "Neural Computation 24(3)."
    )
    needs = ("affinity", "clustering?")

    class Params(Clusterer.Params):
        """Where the labels come from, and along what they spread."""

        labelled: Literal["auto", "clustering", "truth"] = Field(
            "auto",
            description="Where labels come from: the given groups or the known classes of a few "
            "items; auto: the groups when there are some.",
        )
        per_class: int = Field(
            3,
            ge=1,
            description="Number of items of each known class that keep their label, drawn at "
            "random.",
            json_schema_extra={
                "slider": [1, 50],
                "unit": "items",
                "only_if": {"labelled": ["auto", "truth"]},
            },
        )
        share: float = Field(
            0.0,
            ge=0,
            le=1,
            description="Share of each known class that keeps its label, instead of a fixed "
            "number; 0: the fixed number.",
            json_schema_extra={
                "slider": [0.0, 1.0],
                "only_if": {"labelled": ["auto", "truth"]},
            },
        )
        normalise: bool = Field(
            False,
            description="Divide each similarity by the square root of both degrees, so "
            "well-connected items count less.",
        )
        sigma: Annotated[float, Field(ge=0)] | Literal["auto"] = Field(
            0.0,
            description="Width σ of a Gaussian similarity of the features, computed only for this; "
            "0: the given similarities; auto: from the 7th neighbours, where all pairs of items "
            "with features are compared.",
            json_schema_extra={"slider": [1e-3, 1.0], "log": True, "unit": "feature units"},
        )
        farthest: float = Field(
            0.0,
            ge=0,
            description="With 'sigma', items farther apart than this × σ do not influence each "
            "other, so labels cross no wider gap; 0: no limit.",
            json_schema_extra={"slider": [0.0, 40.0], "unit": "σ", "advanced": True},
        )
        priors: Literal["equal", "labelled"] = Field(
            "equal",
            description="Start of unlabelled items: equal probability for all classes, or their "
            "shares of the labelled items.",
            json_schema_extra={"advanced": True},
        )
        compatibility: list[list[float]] = Field(
            default_factory=list,
            description="What an item of the row's class earns from a neighbour of the column's "
            "class, times their similarity. None: 1 for the same class, 0 for others.",
            json_schema_extra={"advanced": True},
        )
        tolerance: float = Field(
            1e-6,
            gt=0,
            lt=1,
            description="Stop when no item could gain more than this share of its payoff by "
            "another choice, nor moves more than this relative to how far it has decided.",
            json_schema_extra={"slider": [1e-12, 1e-2], "log": True, "advanced": True},
        )
        max_iterations: int = Field(
            10_000,
            ge=1,
            description="Maximum number of rounds; the result reports when it was reached.",
            json_schema_extra={"advanced": True},
        )

    def compute(
        self,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Clustering:
        """Fix the labelled items and let the others decide."""
        context.check()
        require_items(affinity)
        given, names = _labels(affinity, clustering, params, context)
        k = int(given.max()) + 1
        rows = _rows(affinity, np.flatnonzero(given < 0), params, context)
        context.progress(0, 1, "spreading labels")
        for spread in transduce(
            rows,
            given,
            k,
            tolerance=params.tolerance,
            max_iterations=params.max_iterations,
            compatibility=_compatibility(params.compatibility, k),
            priors=_priors(given, k) if params.priors == "labelled" else None,
        ):
            shown = spread.labels(certainty=0.5)
            context.frame(
                spread.iteration,
                objective=spread.agreement,
                residual=spread.gap,
                support=int((shown >= 0).sum()),
                phase="spreading labels",
                labels=shown,
                memberships=spread.P,
            )
        context.progress(1, 1, "done")
        labels = spread.labels()
        left = np.flatnonzero(labels < 0)
        isolated = _isolated(rows, left, given)
        return Clustering(
            title="Graph transduction",
            dataset=affinity.dataset,
            labels=labels,
            membership=spread.shares(),
            names=names,
            notes=tuple(_notes(given, labels, isolated, spread, params)),
            details={
                "labelled": int((given >= 0).sum()),
                "unassigned": len(left),
                "without_similarity": isolated,
                "iterations": spread.iteration,
                "movement": spread.movement,
                "payoff_gap": spread.gap,
                "converged": spread.converged,
            },
        )

    def estimate(
        self, affinity: Affinity, clustering: Clustering | None = None, *, params: Params
    ) -> Cost:
        """A copy of the rows of the unlabelled items, and a share for each item and class."""
        n = affinity.n
        if SecondScale(params.sigma).forms(affinity) or affinity.form == "dense":
            needed = 8 * n * n
        else:
            stored: Any = affinity.sparse if affinity.sparse is not None else affinity.factor
            needed = 24 * int(getattr(stored, "nnz", stored.size))
        k = clustering.k if clustering is not None else 10
        return Cost(
            bytes=needed + 48 * n * max(k, 1) + (1 << 20),
            seconds=1e-7 * needed + 1e-5 * n,
            alternatives=("use a k-nearest-neighbour graph and sigma = 0",),
        )


def _labels(
    affinity: Affinity, clustering: Clustering | None, params: Transduction.Params, context: Context
) -> tuple[Ints, tuple[str, ...]]:
    """The label that each item begins with, −1 for none, and the names of the classes."""
    if params.labelled == "truth" or (params.labelled == "auto" and clustering is None):
        return _truth_of_a_few(affinity, params, context.rng)
    if clustering is None:
        raise DataError(
            "There are no groups to spread. Give a clustering as second input, or set labelled to "
            '"truth".',
            code="groups-needed",
        )
    if clustering.n != affinity.n:
        raise DataError(
            f"The groups have {clustering.n} items, the similarities {affinity.n}. "
            "Spread the groups of the same items.",
            code="items-mismatch",
        )
    if clustering.labels.max(initial=-1) < 0:
        raise DataError(
            "No item is in a group, so there is no label to spread. "
            "Choose a clustering that assigns some items.",
            code="no-groups",
        )
    return clustering.labels, clustering.names


def _truth_of_a_few(
    affinity: Affinity, params: Transduction.Params, rng: np.random.Generator
) -> tuple[Ints, tuple[str, ...]]:
    data: Dataset | None = affinity.dataset
    if data is None or data.truth is None or data.truth.max(initial=-1) < 0:
        raise DataError(
            "There are neither groups nor known classes to spread. "
            "Give a clustering as second input, or name the column of known classes.",
            code="groups-needed",
        )
    given = np.full(affinity.n, -1, dtype=np.int64)
    for known in range(int(data.truth.max()) + 1):
        members = np.flatnonzero(data.truth == known)
        wanted = params.per_class
        if params.share > 0:
            wanted = max(1, round(params.share * len(members)))
        given[rng.permutation(members)[:wanted]] = known
    return given, data.truth_names


def _rows(affinity: Affinity, items: Ints, params: Transduction.Params, context: Context) -> Any:
    """The similarities of `items` to all, by the width asked for or as given."""
    second = SecondScale(params.sigma, normalise=params.normalise)
    rows, sigma = second.rows(affinity, items, check=context.check)
    if params.farthest == 0:
        return rows
    if not second.forms(affinity):
        raise ParameterError(
            "The limit 'farthest' is in units of 'sigma'. Set a width, or set farthest to 0.",
            code="invalid-parameters",
        )
    X = affinity.dataset.dense_features()  # type: ignore[union-attr]
    _forget_beyond(rows, X, items, params.farthest * sigma, context)
    return rows


def _forget_beyond(rows: Any, X: Floats, items: Ints, limit: float, context: Context) -> None:
    """Set the similarities to items farther away than the limit to zero, in place."""
    for block in row_blocks(len(items), len(X)):
        context.check()
        rows[block][squared_distances(X[items[block]], X) > limit**2] = 0.0


def _priors(given: Ints, k: int) -> Floats:
    """The share of each class among the labelled items; none is nothing, as it could never grow."""
    counts = np.bincount(given[given >= 0], minlength=k) + 1.0
    return np.asarray(counts / counts.sum())


def _compatibility(given: list[list[float]], k: int) -> Floats | None:
    if not given:
        return None
    if len(given) != k or any(len(row) != k for row in given):
        raise ParameterError(
            f"There are {k} classes, so 'compatibility' must be {k} rows of {k} numbers. "
            f"Got {len(given)} rows of {', '.join(str(len(row)) for row in given[:5])}.",
            code="invalid-parameters",
        )
    matrix = np.array(given, dtype=np.float64)
    if not np.isfinite(matrix).all():
        raise ParameterError("Compatibilities must be finite numbers.", code="invalid-parameters")
    return matrix


def _isolated(rows: Any, left: Ints, given: Ints) -> int:
    """How many of the items left over have no similarity to any other at all."""
    places = np.searchsorted(np.flatnonzero(given < 0), left)
    if isinstance(rows, np.ndarray):
        return int((~rows[places].any(axis=1)).sum())
    if is_sparse(rows):
        rows = abs(rows)
    totals = np.asarray(rows @ np.ones((len(given), 1)))
    return int((totals[places] == 0).sum())


def _notes(
    given: Ints, labels: Ints, isolated: int, spread: TransductionState, params: Transduction.Params
) -> list[str]:
    known, left = int((given >= 0).sum()), int((labels < 0).sum())
    reached = len(given) - known - left
    notes = [
        f"{known} {'item' if known == 1 else 'items'} had a label to begin with; "
        f"{'it' if known == 1 else 'they'} reached {reached} more."
    ]
    if left:
        notes.append(
            f"{left} {'item is' if left == 1 else 'items are'} in no group: no label reached "
            f"{'it' if left == 1 else 'them'}, or several did so equally."
        )
    if isolated:
        notes.append(
            f"{isolated} of them {'has' if isolated == 1 else 'have'} no similarity to any other."
        )
    if not spread.converged:
        notes.append(
            f"It stopped at the limit of {params.max_iterations} rounds before it converged: an "
            f"item could still gain up to {spread.gap:.2g} of its payoff by another choice."
        )
    return notes
