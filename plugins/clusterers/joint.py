"""Joint clustering: k-means where personalised PageRank is a projection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Embedding,
    Field,
    Floats,
    Ints,
    Output,
    Spectrum,
)
from coterie.core.numerics.mixtures.kmeans_batch import linear_features, partition
from coterie.core.numerics.partitions.groups import by_size, require_groups
from coterie.core.numerics.similarity.affinity_ops import above_share
from coterie.core.numerics.spectral.adjusted_laplacian import (
    FORM_DESCRIPTION,
    AdjustedLaplacian,
    Form,
    JointCoordinates,
    adjusted_laplacian,
    joint_coordinates,
    needs_dense,
)
from coterie.core.numerics.spectral.discretise import unit_rows
from coterie.core.numerics.spectral.group_counts import COUNTS
from coterie.core.numerics.spectral.spectra import MOST_EIGENVALUES, GraphSpectrum, graph_spectrum
from coterie.core.wording import counted

SHOWN = 3  # coordinates that are published at least, for a picture
TOGETHER = 10  # starts of k-means between two pictures
SAMPLED = 4000  # items of a large factor whose similarities are looked at to choose k


class Joint(Clusterer):
    """Embed the items where groups are compact, then k-means in the first k coordinates.

    The embedding is `embedder/joint`: a group's mean in it is what ranks its members. In the form
    of the document, squared distances are resistances of the graph, and items of little similarity
    may become groups of their own. The best of many starts is kept. Without a number of groups, it
    is taken from the largest gap among the first eigenvalues of the walk on the similarities that
    are not small.
    """

    id, title, version = "joint", "Joint clustering", "2"
    curves = (
        Curve(
            "objective",
            "k-means objective",
            "Squared distances of the items to their centres, summed, of the best start so "
            "far; falls.",
        ),
        Curve(
            "residual",
            "residual of the eigenvectors",
            "How far the eigenvectors are from satisfying their equation; falls.",
            log=True,
        ),
    )
    reference = "Chung, Zhao (2010). PageRank and random walks on graphs. Fete of Combinatorics."

    class Params(Clusterer.Params):
        """How many groups, and how they are found."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0: taken from the largest gap in the spectrum.",
            json_schema_extra={"slider": [0, 20]},
        )
        restart_probability: float = Field(
            0.15,
            gt=0,
            lt=1,
            description="Restart probability α: the chance per step that the walk returns to "
            "its seed.",
            json_schema_extra={"slider": [0.01, 0.99]},
        )
        form: Form = Field("normalised", description=FORM_DESCRIPTION)
        metric: Literal["euclidean", "cosine"] = Field(
            "euclidean",
            description="Distance of items: in the coordinates, or by direction only, which "
            "suits items of low similarity better.",
        )
        threshold: float = Field(
            0.05,
            ge=0,
            lt=1,
            description="Share of the largest similarity below which similarities count as 0 "
            "when the number of groups is chosen.",
            json_schema_extra={"slider": [0.0, 0.5], "only_if": {"k": [0]}},
        )
        restarts: int = Field(
            100,
            ge=1,
            description="Number of k-means starts; the best is kept.",
            json_schema_extra={"slider": [1, 200], "advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups; parts: the spectrum and the embedding."""
        context.check()
        laplacian = adjusted_laplacian(
            affinity, params.restart_probability, params.form, check=context.check
        )
        n = affinity.n
        require_groups(params.k, n)
        notes: list[str] = []
        k = params.k
        if k == 0:
            context.progress(0, 10, "number of groups")
            chosen, said = _spectrum(affinity, params.threshold, context, context.rng)
            k = min(chosen.suggested(), n)
            notes += [*said, _chosen_in_words(k)]
            if chosen.counts().differ:
                notes.append(chosen.counts().in_words())
        else:
            # A stream of its own, so the groups of a given k do not depend on it.
            chosen, _ = _spectrum(affinity, params.threshold, context, context.rng.spawn(1)[0])
        if params.k == 1:
            notes.append(
                "All items are one group, because k = 1. Set 'k' to 0 to "
                "have the number chosen, or to 2 or more."
            )
        context.progress(2, 10, "embedding")
        run = _Run(context)
        found = joint_coordinates(
            laplacian,
            min(max(k, SHOWN), n),
            context.rng,
            watch=run.watch_eigenvectors,
            check=context.check,
        )
        best, objective = run.cluster(found.coordinates[:, :k], k, params)
        labels = by_size(best)
        groups = int(labels.max()) + 1
        if groups < k:
            notes.append(f"Only {groups} of {k} groups: the other items coincide.")
        if not found.converged:
            notes.append(
                "The eigenvectors were not fully separated: a relative residual of "
                f"{found.residual:.2g} was left."
            )
        clustering = Clustering(
            title=f"Joint clustering, {counted(groups, 'group')}",
            dataset=affinity.dataset,
            labels=labels,
            notes=tuple(notes),
            details={
                "k": groups,
                "suggested_k": min(chosen.suggested(), n),
                "objective": objective,
                "form": params.form,
                "metric": params.metric,
                "restart_probability": params.restart_probability,
                "solver": found.how,
                "rounds": found.rounds,
            },
        )
        return Output(
            clustering,
            {
                "spectrum": _spectrum_part(affinity, chosen),
                "embedding": _embedding_part(laplacian, found),
            },
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Vectors for each coordinate, and a copy of the similarities that count."""
        n = affinity.n
        m = max(params.k or MOST_EIGENVALUES, SHOWN)
        needed = 8 * n * (3 * n if needs_dense(n, m) else 24 * (m + 8)) + (32 << 20)
        if params.form == "normalised" and not needs_dense(n, m):
            needed += 16 * int(affinity.stored.size)  # D^−½AD^−½
        copy = 24 * int(affinity.stored.size) if affinity.factor is None else 12 * n * n
        if affinity.factor is not None and n > SAMPLED:
            copy = min(copy, 12 * SAMPLED**2)
        return Cost(
            bytes=needed + copy,
            seconds=4e-9 * affinity.stored.size * (m + 8) + 1e-7 * n * m * params.restarts,
            alternatives=("give the number of groups", "use a k-nearest-neighbour graph"),
        )


class _Run:
    """Counts iterations through the eigenvectors and the starts of k-means."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.iterations = 0

    def watch_eigenvectors(self, round_: int, residual: float) -> None:
        self.context.frame(self.iterations, residual=residual, phase="eigenvectors")
        self.iterations += 1

    def cluster(self, Z: Floats, k: int, params: Joint.Params) -> tuple[Ints, float]:
        """Return the best labels of all starts, and their sum of squared distances."""
        features = linear_features(unit_rows(Z) if params.metric == "cosine" else Z)
        total = float(np.square(features[:, 1:]).sum())
        starts = params.restarts if k > 1 else 1
        best, objective = np.zeros(len(Z), dtype=np.int64), np.inf
        for first in range(0, starts, TOGETHER):
            several = min(TOGETHER, starts - first)
            found = partition(
                features,
                k,
                several,
                self.context.rng,
                tolerance=1e-9,
                check=self.context.check,
            )
            for fit in range(several):
                # The nearest centre c has the largest xᵀc − ‖c‖²/2.
                nearness = features @ found.coefficients[:, fit].T
                reached = total - 2.0 * float(nearness.max(axis=1).sum())
                # A gain by rounding only does not count: it would depend on the machine.
                if reached < objective - 1e-9 * total:
                    best, objective = nearness.argmax(axis=1), reached
            self.context.frame(self.iterations, objective=objective, phase="k-means", labels=best)
            self.iterations += 1
            self.context.progress(4 + 6 * (first + several) / starts, 10, "k-means")
        return best, max(objective, 0.0)


def _chosen_in_words(k: int) -> str:
    if k > 1:
        return f"{k} groups, by the gap of the spectrum."
    return (
        "1 group, by the gap of the spectrum: the similarities do not separate into groups. Set "
        "k to divide the items anyway."
    )


def _spectrum(
    affinity: Affinity, threshold: float, context: Context, rng: np.random.Generator
) -> tuple[GraphSpectrum, Sequence[str]]:
    """Leading eigenvalues of the walk on the similarities that are not small."""
    notes: list[str] = []
    if affinity.factor is not None and affinity.n > SAMPLED:
        # What is above the threshold of a factor's products must be formed: of a sample only.
        some = np.sort(rng.choice(affinity.n, SAMPLED, replace=False))
        affinity = affinity.submatrix(some)
        notes.append(f"The number of groups comes from a subset of {SAMPLED} items.")
    kept = above_share(affinity, threshold, check=context.check)
    found = graph_spectrum(kept, min(MOST_EIGENVALUES, affinity.n), rng=rng, check=context.check)
    if found.pieces >= MOST_EIGENVALUES:
        notes.append(
            f"Without small similarities the graph has {found.pieces} components, each taken as "
            "a group. Lower 'threshold', or give k."
        )
    return found, notes


def _spectrum_part(affinity: Affinity, chosen: GraphSpectrum) -> Spectrum:
    return Spectrum(
        title="Leading eigenvalues of the walk",
        dataset=affinity.dataset,
        eigenvalues=chosen.values,
        suggested_k=min(chosen.suggested(), affinity.n),
        details={
            "pieces": chosen.pieces,
            "solver": chosen.how,
            COUNTS: chosen.counts().in_details(),
        },
    )


def _embedding_part(laplacian: AdjustedLaplacian, found: JointCoordinates) -> Embedding:
    details: dict[str, Any] = {
        "restart_probability": laplacian.restart,
        "form": laplacian.form,
        "volume": laplacian.volume,
    }
    return Embedding(
        title=f"Joint embedding, α = {laplacian.restart:g}",
        dataset=laplacian.affinity.dataset,
        coordinates=found.coordinates,
        spectrum=found.eigenvalues,
        axes=tuple(f"coordinate {j + 1}" for j in range(found.coordinates.shape[1])),
        details=details,
    )
