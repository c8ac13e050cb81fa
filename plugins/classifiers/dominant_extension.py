"""Dominant-set extension: new items join a group that they resemble as its own members do."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Classifier,
    Clustering,
    Context,
    Cost,
    Dataset,
    Field,
    Floats,
    Ints,
    Model,
    Ranking,
)
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.replicator import replicator
from coterie.core.numerics.partitions.dominant_extension import bordered_inverse, would_be_shares
from coterie.core.numerics.partitions.training import training_items
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import (
    gaussian_similarities,
    median_distance,
    row_blocks,
)
from coterie.core.numerics.similarity.pair_kernel import PairKernel, items_as

SUPPORT = 1e-5  # a member whose share is below this × the largest has no say
TOLERANCE = 1e-6  # of the shares that are worked out here, relative to the group's cohesiveness
MOST_ITERATIONS = 5000


class DominantExtension(Classifier):
    """A new item joins a group when it is more similar to the members than they are to each other.

    With the shares x of a group's members, item i joins when a_iᵀx > xᵀA x; of several groups the
    one with the largest margin, or as published the one in which its share
    w_{S∪i}(i) / W(S∪i) would be largest; of none: clutter. The similarity is Gaussian, or any
    kernel that compares two items. The shares are the memberships that the grouping came with, else
    those of the replicator dynamics within each group. Learning takes the square of the largest
    group without memberships, or by shares; applying takes one product with the members for each
    item.
    """

    id, title = "dominant-extension", "Dominant-set extension"
    reference = (
        "Pavan, Pelillo (2004). Efficient out-of-sample extension of dominant-set clusters. "
        "NIPS 17."
    )

    class Params(Classifier.Params):
        """How similarity to the members is measured, and which group wins."""

        rule: Literal["margin", "share"] = Field(
            "margin",
            description="Of several groups that an item may join: the largest margin "
            "a_iᵀx − xᵀA x, or as published the largest share that it would have.",
        )
        kernel: str = Field(
            "kernel/gaussian",
            description="Similarity of two items: any kernel that does not learn from all of them. "
            "Ideally that used for grouping.",
            json_schema_extra={"advanced": True},
        )
        kernel_params: dict[str, float | str | bool] = Field(
            default_factory=dict,
            description="Parameters of a kernel other than the Gaussian.",
            json_schema_extra={"advanced": True},
        )

        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ of the Gaussian similarity, ideally that used for grouping; "
            "'auto' derives it from the data.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        auto_fraction: float = Field(
            0.15,
            gt=0,
            description="With 'auto', σ is this fraction of the median distance between two items.",
            json_schema_extra={"slider": [0.01, 4.0], "log": True, "advanced": True},
        )

    def compute(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Model:
        """Keep the members of each group, their shares, and how well they hold together."""
        context.check()
        training = training_items(data, clustering, ranking, top_per_cluster=params.top_per_cluster)
        alike, notes = _similarity(data, params, context)
        kept: list[Ints] = []
        shares: list[Floats] = []
        inverses: dict[str, Floats] = {}
        thresholds = np.zeros(training.k)
        unsettled = 0
        for group in range(training.k):
            context.progress(group, training.k, f"group {group + 1}")
            members = training.items[training.labels == group]
            given = _given_shares(clustering, members, group)
            if given is not None:
                held = given > SUPPORT * given.max()
                members, x = members[held], given[held] / given[held].sum()
                thresholds[group] = alike.cohesiveness(members, x, context)
            else:
                A = alike.among(members, context)
                x, thresholds[group], settled = _characteristic(A, context)
                held = simplex.in_support(x, SUPPORT) if len(x) else x > 0
                members, x = members[held], x[held]
                unsettled += not settled
            kept.append(members)
            shares.append(x)
            if params.rule == "share" and len(members):
                inverses[f"inverse {group}"] = bordered_inverse(alike.among(members, context))
        context.progress(1, 1, "done")
        sizes = [len(members) for members in kept]
        notes += _notes(sizes, unsettled)
        return Model(
            title="Dominant-set extension",
            dataset=data,
            arrays={
                **alike.arrays(np.concatenate(kept)),
                "shares": np.concatenate(shares),
                "groups": np.repeat(np.arange(training.k), sizes),
                "cohesiveness": thresholds,
                **inverses,
            },
            settings={**alike.settings(np.concatenate(kept)), "names": list(clustering.names)},
            notes=tuple(notes),
            details={"sigma": alike.sigma, "members": sizes, "unsettled": unsettled},
        )

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of each item of `data`, −1 for those that no group takes in."""
        arrays = model.arrays
        thresholds, groups = arrays["cohesiveness"], arrays["groups"]
        context.check()
        if "features" in arrays:
            require_columns(data, arrays["features"].shape[1])
        k, count = len(thresholds), len(groups)
        shares = np.zeros((count, k))
        shares[np.arange(count), groups] = arrays["shares"]
        labels = np.empty(data.n, dtype=np.int64)
        for block in row_blocks(data.n, count):
            context.progress(block.start, data.n, "joining groups")
            similar = _to_members(model, data, block, context)
            margins = similar @ shares - thresholds
            margins[:, shares.sum(axis=0) == 0] = -np.inf  # a group that nobody speaks for
            worth = margins
            if any(name.startswith("inverse") for name in arrays):
                worth = np.full_like(margins, -np.inf)
                for group in np.flatnonzero(shares.sum(axis=0) > 0):
                    to_group = similar[:, groups == group]
                    would = would_be_shares(arrays[f"inverse {group}"], to_group, margins[:, group])
                    worth[:, group] = np.where(margins[:, group] > 0, would, -np.inf)
            best = worth.argmax(axis=1)
            wins = np.take_along_axis(margins, best[:, None], axis=1)[:, 0] > 0
            labels[block] = np.where(wins, best, -1)
        left = int((labels < 0).sum())
        note = f"{left} {'item belongs' if left == 1 else 'items belong'} to no group."
        return Clustering(
            title="Dominant-set extension",
            dataset=data,
            labels=labels,
            names=tuple(model.settings["names"]),
            notes=(note,) if left else (),
            details={"unassigned": left},
        )

    def estimate(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
    ) -> Cost:
        """The similarities within the largest group, and a copy of the members."""
        counts = np.bincount(clustering.labels[clustering.labels >= 0], minlength=1)
        if params.top_per_cluster:
            counts = np.minimum(counts, params.top_per_cluster)
        largest = int(counts.max(initial=0))
        matrix = 0 if clustering.membership is not None else 8 * largest * largest
        return Cost(
            bytes=matrix + 16 * int(counts.sum()) * (data.d + 2) + 16 * data.n * data.d + (8 << 20),
            seconds=1e-7 * float((counts.astype(np.float64) ** 2).sum()),
            alternatives=("set top_per_cluster",),
        )


class _Gaussian:
    """The default: its similarities need no matrix of all items."""

    def __init__(self, X: Floats, sigma: float) -> None:
        self.X, self.sigma = X, sigma

    def among(self, items: Ints, context: Context) -> Floats:
        return gaussian_similarities(self.X[items], sigma=self.sigma, check=context.check)

    def cohesiveness(self, items: Ints, x: Floats, context: Context) -> float:
        return _cohesiveness(self.X[items], x, self.sigma, context)

    def arrays(self, items: Ints) -> dict[str, Any]:
        return {"features": self.X[items]}

    def settings(self, _items: Ints) -> dict[str, Any]:
        return {"sigma": self.sigma}


class _ByKernel:
    """Any other kernel that compares pairs."""

    def __init__(self, data: Dataset, kernel: PairKernel) -> None:
        self.data, self.kernel = data, kernel
        self.sigma = kernel.params.get("sigma")

    def among(self, items: Ints, context: Context) -> Floats:
        return self.kernel.among(self.data.take(items), context)

    def cohesiveness(self, items: Ints, x: Floats, context: Context) -> float:
        A = self.among(items, context)
        np.fill_diagonal(A, 0.0)
        return float(x @ A @ x)

    def arrays(self, items: Ints) -> dict[str, Any]:
        if self.data.features is None:
            return {}
        return {"features": self.data.dense_features()[items]}

    def settings(self, items: Ints) -> dict[str, Any]:
        found: dict[str, Any] = {"kernel": self.kernel.use, "params": dict(self.kernel.params)}
        if self.data.features is None:
            found["texts"] = [self.data.texts[i] for i in items]
        return found


def _similarity(
    data: Dataset, params: DominantExtension.Params, context: Context
) -> tuple[_Gaussian | _ByKernel, list[str]]:
    """How items are compared, and what a person should know about it."""
    if params.kernel == "kernel/gaussian" and not params.kernel_params:
        X = data.dense_features()
        sigma, notes = _width(X, params)
        return _Gaussian(X, sigma), notes
    kernel = PairKernel.prepared(params.kernel, params.kernel_params, data, context)
    return _ByKernel(data, kernel), []


def _to_members(model: Model, data: Dataset, block: slice, context: Context) -> Floats:
    """The similarities of some new items to all members."""
    settings = model.settings
    members = model.arrays.get("features")
    if "kernel" not in settings:
        X = data.dense_features()[block]
        return gaussian_similarities(
            X, members, sigma=float(settings["sigma"]), check=context.check
        )
    known = items_as(members, tuple(settings.get("texts", ())))
    kernel = PairKernel(settings["kernel"], settings["params"])
    rows = np.arange(*block.indices(data.n))
    return kernel.between(data.take(rows), known, context)


def _width(X: Floats, params: DominantExtension.Params) -> tuple[float, list[str]]:
    if params.sigma != "auto":
        return params.sigma, []
    median = median_distance(X)
    if median == 0.0:
        return 1.0, ["All items coincide, so every width gives the same result; σ = 1 was used."]
    sigma = params.auto_fraction * median
    return sigma, [
        f"Width σ = {sigma:.4g}, {params.auto_fraction:g} of the median distance {median:.4g}."
    ]


def _given_shares(clustering: Clustering, members: Ints, group: int) -> Floats | None:
    """The memberships of a group's members, or None when there are none."""
    membership = clustering.membership
    if membership is None or group >= membership.shape[1] or not len(members):
        return None
    shares = np.asarray(membership[members, group], dtype=np.float64)
    return shares if (shares >= 0).all() and shares.sum() > 0 else None


def _cohesiveness(X: Floats, x: Floats, sigma: float, context: Context) -> float:
    """xᵀA x with a zero diagonal, block by block."""
    total = 0.0
    for block in row_blocks(len(X), len(X)):
        similar = gaussian_similarities(X[block], X, sigma=sigma, check=context.check)
        similar[np.arange(len(similar)), np.arange(block.start, block.stop)] = 0.0
        total += float(x[block] @ (similar @ x))
    return total


def _characteristic(A: Floats, context: Context) -> tuple[Floats, float, bool]:
    """The shares that the replicator ends with among the members, their payoff, and if settled."""
    n = len(A)
    if n <= 1:
        return np.ones(n), 0.0, True
    game = Game.of(Affinity(values=A), check=context.check)
    for state in replicator(
        game,
        simplex.barycentre(n),
        tolerance=TOLERANCE,
        max_iterations=MOST_ITERATIONS,
        support=SUPPORT,
    ):
        context.check()
        last = state
    # A group whose members are not alike at all has no payoff, and nothing to settle.
    settled = last.converged or last.objective <= 0
    return np.array(last.x, dtype=np.float64), last.objective * game.scale, settled


def _notes(sizes: list[int], unsettled: int) -> list[str]:
    notes = []
    if unsettled:
        groups = "group" if unsettled == 1 else "groups"
        notes.append(
            f"The shares of {unsettled} {groups} had not converged after {MOST_ITERATIONS} "
            "iterations; they are used as they are."
        )
    if single := sizes.count(1):
        what = (
            "1 group has a single member, which takes"
            if single == 1
            else (f"{single} groups have a single member each, which take")
        )
        notes.append(f"{what} in what no other group claims.")
    return notes
