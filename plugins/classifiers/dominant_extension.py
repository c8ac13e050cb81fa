"""Dominant-set extension: new items join a group that they resemble as its own members do."""

from __future__ import annotations

from typing import Annotated, Literal

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
from coterie.core.numerics.partitions.training import training_items
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import (
    gaussian_similarities,
    median_distance,
    row_blocks,
)

SUPPORT = 1e-5  # a member whose share is below this × the largest has no say
TOLERANCE = 1e-6  # of the shares that are worked out here, relative to the group's cohesiveness
MOST_ITERATIONS = 5000


class DominantExtension(Classifier):
    """A new item joins a group when it is more similar to the members than they are to each other.

    With the shares x of a group's members and a Gaussian similarity, item i joins when
    a_iᵀx > xᵀA x; of several groups the one with the largest margin, of none: clutter. The shares
    are the memberships that the grouping came with, else those of the replicator dynamics within
    each group. Learning takes the square of the largest group without memberships; applying takes
    one product with the members for each item.
    """

    id, title = "dominant-extension", "Dominant-set extension"
    reference = (
        "Pavan, Pelillo (2004). Efficient out-of-sample extension of dominant-set clusters. "
        "NIPS 17."
    )

    class Params(Classifier.Params):
        """How similarity to the members is measured."""

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
        X = data.dense_features()
        training = training_items(data, clustering, ranking, top_per_cluster=params.top_per_cluster)
        sigma, notes = _width(X, params)
        kept: list[Ints] = []
        shares: list[Floats] = []
        thresholds = np.zeros(training.k)
        unsettled = 0
        for group in range(training.k):
            context.progress(group, training.k, f"group {group + 1}")
            members = training.items[training.labels == group]
            given = _given_shares(clustering, members, group)
            if given is not None:
                held = given > SUPPORT * given.max()
                members, x = members[held], given[held] / given[held].sum()
                thresholds[group] = _cohesiveness(X[members], x, sigma, context)
            else:
                x, thresholds[group], settled = _characteristic(X[members], sigma, context)
                held = simplex.in_support(x, SUPPORT) if len(x) else x > 0
                members, x = members[held], x[held]
                unsettled += not settled
            kept.append(members)
            shares.append(x)
        context.progress(1, 1, "done")
        sizes = [len(members) for members in kept]
        notes += _notes(sizes, unsettled)
        return Model(
            title="Dominant-set extension",
            dataset=data,
            arrays={
                "features": X[np.concatenate(kept)],
                "shares": np.concatenate(shares),
                "groups": np.repeat(np.arange(training.k), sizes),
                "cohesiveness": thresholds,
            },
            settings={"sigma": sigma, "names": list(clustering.names)},
            notes=tuple(notes),
            details={"sigma": sigma, "members": sizes, "unsettled": unsettled},
        )

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of each item of `data`, −1 for those that no group takes in."""
        arrays = model.arrays
        members, thresholds = arrays["features"], arrays["cohesiveness"]
        context.check()
        require_columns(data, members.shape[1])
        X = data.dense_features()
        k = len(thresholds)
        shares = np.zeros((len(members), k))
        shares[np.arange(len(members)), arrays["groups"]] = arrays["shares"]
        labels = np.empty(len(X), dtype=np.int64)
        for block in row_blocks(len(X), len(members)):
            context.progress(block.start, len(X), "joining groups")
            similar = gaussian_similarities(
                X[block], members, sigma=float(model.settings["sigma"]), check=context.check
            )
            margins = similar @ shares - thresholds
            margins[:, shares.sum(axis=0) == 0] = -np.inf  # a group that nobody speaks for
            best = margins.argmax(axis=1)
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
            alternatives=("set top_per_cluster", "take a sample of the items"),
        )


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


def _characteristic(X: Floats, sigma: float, context: Context) -> tuple[Floats, float, bool]:
    """The shares that the replicator ends with among the members, their payoff, and if settled."""
    n = len(X)
    if n <= 1:
        return np.ones(n), 0.0, True
    A = gaussian_similarities(X, sigma=sigma, check=context.check)
    game = Game.of(Affinity(values=A, positive_semidefinite=True), check=context.check)
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
