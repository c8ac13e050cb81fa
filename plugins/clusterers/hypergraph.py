"""Hypergraph clustering: groups that show only when items are compared three at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    hookimpl,
)
from coterie.core.distances import require_squares
from coterie.core.dynamics import simplex
from coterie.core.dynamics.baum_eagon import focused_baum_eagon
from coterie.core.dynamics.found import FoundSet, Watch, labels_of, limit_note, memberships
from coterie.core.entries import require_items
from coterie.core.triples import (
    MOST_ITEMS,
    Triples,
    line_residuals,
    pair_products,
    some_triples,
    triangles,
)


class Hypergraph(Clusterer):
    """Groups by similarities of three items at a time, such as points that lie on one line.

    From features, three items are alike when a line fits them: exp(−r² / 2σ²) with the residual r
    of the best line; from similarities, when all three pairs are: their product. Each group is the
    support of an equilibrium of the game that three play, found by Baum–Eagon updates and peeled
    off before the next. Memory: 32 bytes for each triple; with more items only some triples are
    drawn.
    """

    id, title = "hypergraph", "Hypergraph (triples)"
    reference = (
        "Rota Bulò, Pelillo (2013). A game-theoretic approach to hypergraph clustering. "
        "IEEE PAMI 35(6)."
    )
    needs = ("dataset|affinity",)

    class Params(Clusterer.Params):
        """How triples are compared, and how many groups are sought."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0: until nothing coherent is left.",
            json_schema_extra={"slider": [0, 20]},
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ: the residual of a line at which similarity has fallen to 0.61; "
            "'auto' takes it from the data. Of no effect on given similarities.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        auto_fraction: float = Field(
            0.1,
            gt=0,
            description="The share of the median residual that 'auto' takes.",
            json_schema_extra={"slider": [1e-3, 1.0], "log": True, "advanced": True},
        )
        max_triples: int = Field(
            2_000_000,
            ge=1,
            description="Most triples that are compared; of more, so many are drawn at random.",
            json_schema_extra={"slider": [1e4, 1e7], "log": True, "advanced": True},
        )
        tolerance: float = Field(
            1e-6,
            gt=0,
            lt=1,
            description="An equilibrium is reached when no item would gain more than this share "
            "of the average payoff.",
            json_schema_extra={"slider": [1e-12, 1e-2], "log": True, "advanced": True},
        )
        max_iterations: int = Field(
            2000,
            ge=1,
            description="Most iterations for each group; the result says when it was reached.",
            json_schema_extra={"advanced": True},
        )
        support: float = Field(
            1e-3,
            ge=0,
            lt=1,
            description="An item is a member when its share exceeds this × the largest share.",
            json_schema_extra={"slider": [1e-9, 1e-1], "log": True, "advanced": True},
        )
        min_size: int = Field(
            3,
            ge=1,
            description="Groups with fewer members are left as clutter.",
            json_schema_extra={"unit": "items", "advanced": True},
        )

    def compute(self, data: Dataset | Affinity, *, params: Params, context: Context) -> Clustering:
        """Weigh the triples, then peel off one group after another."""
        context.check()
        triples, notes, details = _triples(data, params, context)
        found, set_aside = _peel(triples, params, context)
        labels = labels_of(triples.n, found)
        context.progress(1, 1, "done")
        notes += _notes(found, set_aside, labels, params)
        return Clustering(
            title="Hypergraph clustering",
            dataset=data if isinstance(data, Dataset) else data.dataset,
            labels=labels,
            membership=memberships(triples.n, found, context.memory),
            cohesiveness=np.array([one.cohesiveness for one in found], dtype=np.float64),
            notes=tuple(notes),
            details={**details, "sets": [one.summary() for one in found]},
        )

    def estimate(self, data: Dataset | Affinity, *, params: Params) -> Cost:
        """The triples with their weights, twice while they are chosen."""
        n = data.n
        triples = min(params.max_triples, n * (n - 1) * (n - 2) // 6)
        if isinstance(data, Affinity) and data.sparse is not None:
            triples = params.max_triples  # of which there may be fewer
        return Cost(
            bytes=128 * triples + 64 * n + (16 << 20),
            seconds=3e-8 * triples * 200,
            alternatives=("lower max_triples", "take a sample of the items"),
        )


def _triples(
    data: Dataset | Affinity, params: Hypergraph.Params, context: Context
) -> tuple[Triples, list[str], dict[str, Any]]:
    """The triples that are similar at all, what to say about them, and the details."""
    n = data.n
    if n > MOST_ITEMS:
        raise DataError(
            f"Triples can be drawn from {MOST_ITEMS} items at most. Got {n}; take a sample."
        )
    if isinstance(data, Affinity):
        items, weights, complete = _similar(data, params, context)
        details: dict[str, Any] = {"from": "similarities"}
        notes: list[str] = []
    else:
        items, weights, details, notes = _on_lines(data, params, context)
        complete = items.shape[1] == n * (n - 1) * (n - 2) // 6
    if not complete:
        notes.append(f"{items.shape[1]} triples were compared, drawn at random from all.")
    kept = weights > 0
    details |= {"triples": int(items.shape[1]), "complete": complete, "similar": int(kept.sum())}
    items = np.ascontiguousarray(items[:, kept])
    return Triples(n, items, weights[kept], context.check), notes, details


def _on_lines(
    data: Dataset, params: Hypergraph.Params, context: Context
) -> tuple[Any, Floats, dict[str, Any], list[str]]:
    X = data.dense_features()
    require_squares(X)
    middle = np.abs(X - X.mean(axis=0)).max(initial=0.0)
    # In units of the extent: fourth powers of very large or small values would leave the range.
    unit = float(middle) or 1.0
    items = some_triples(data.n, params.max_triples, context.rng)
    context.progress(0, 1, "comparing triples")
    residuals = line_residuals((X - X.mean(axis=0)) / unit, items, check=context.check) * unit
    notes = []
    if params.sigma == "auto":
        median = float(np.median(residuals)) if len(residuals) else 0.0
        sigma = params.auto_fraction * median or 1.0
        notes.append(
            f"Width σ = {sigma:.4g}, {params.auto_fraction:g} of the median residual {median:.4g}."
            if median
            else "Every line fits, so that every width gives the same; σ = 1 was taken."
        )
    else:
        sigma = params.sigma
    with np.errstate(over="ignore", under="ignore"):
        weights = np.exp(-0.5 * (residuals / sigma) ** 2)
    return items, weights, {"from": "features", "sigma": sigma}, notes


def _similar(
    affinity: Affinity, params: Hypergraph.Params, context: Context
) -> tuple[Any, Floats, bool]:
    require_items(affinity)
    if not affinity.symmetric:
        raise DataError(
            "Three items at a time need symmetric similarities, and these are not. "
            "Make them so with the graph step 'symmetrise'."
        )
    n = affinity.n
    if affinity.sparse is not None:
        # Three items drawn at random are hardly ever neighbours: look for triangles instead.
        items, weights, complete = triangles(
            affinity.sparse, params.max_triples, context.rng, check=context.check
        )
    else:
        items = some_triples(n, params.max_triples, context.rng)
        weights = pair_products(affinity, items, check=context.check)
        complete = items.shape[1] == n * (n - 1) * (n - 2) // 6
    if (affinity.sparse.data if affinity.sparse is not None else weights).min(initial=0.0) < 0:
        raise DataError(
            "Products of negative similarities mean nothing here, and there are some. "
            "Take similarities without negative values, such as those of a Gaussian kernel."
        )
    if not np.isfinite(weights).all():
        raise DataError(
            "Products of three similarities are too large to be a number. Scale them down first."
        )
    return items, weights, complete


def _peel(
    triples: Triples, params: Hypergraph.Params, context: Context
) -> tuple[list[FoundSet], int]:
    """Find one group after another among the items that are left; count those set aside."""
    n = triples.n
    # In units of the largest, so that tiny products do not pass for nothing.
    scale = float(triples.weights.max(initial=0.0)) or 1.0
    triples = Triples(n, triples.items, triples.weights / scale, triples.check)
    watch = Watch(context, scale=scale, support=params.support)
    left = np.ones(n, dtype=np.bool_)
    found: list[FoundSet] = []
    set_aside = 0
    while len(triples.weights) and (params.k == 0 or len(found) < params.k):
        done = len(found) / params.k if params.k else 1 - left.sum() / n
        context.progress(done, 1, f"group {len(found) + 1}")
        in_use = triples.degrees() > 0
        states = focused_baum_eagon(
            triples,
            simplex.barycentre(n, in_use),
            players=left,
            tolerance=params.tolerance,
            max_iterations=params.max_iterations,
            support=params.support,
        )
        group = watch.follow(states, f"group {len(found) + 1}")
        left[group.members] = False
        triples = triples.among(left)
        if len(group.members) >= params.min_size and group.cohesiveness > 0:
            found.append(group)
            watch.announce(group)
        else:
            set_aside += 1
    return found, set_aside


def _notes(
    found: list[FoundSet], set_aside: int, labels: Any, params: Hypergraph.Params
) -> list[str]:
    notes = []
    if not found:
        notes.append("No group was found: no three items are similar enough.")
    elif len(found) < params.k:
        notes.append(
            f"Only {len(found)} of {params.k} groups were found: nothing coherent was left."
        )
    notes += limit_note(found, params.tolerance)
    if set_aside:
        notes.append(
            f"{set_aside} {'group was' if set_aside == 1 else 'groups were'} too small, and left "
            "as clutter."
        )
    left = int((labels < 0).sum())
    if left:
        notes.append(f"{left} {'item belongs' if left == 1 else 'items belong'} to no group.")
    return notes


@hookimpl
def coterie_clusterers() -> Sequence[type[Clusterer]]:
    """Offer clustering by triples."""
    return [Hypergraph]
