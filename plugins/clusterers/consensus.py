"""Consensus: groups that many partitions agree on."""

from __future__ import annotations

from typing import Literal

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Ints,
    Output,
)
from coterie.core.numerics.mixtures.resampling import (
    Partition,
    consensus_matrix,
    resampled_partitions,
    shared_information,
)
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.partitions.linkage import Merges, longest_lifetime, merges_of_affinity
from coterie.core.numerics.similarity.affinity_ops import require_items


class Consensus(Clusterer):
    """Merge items by how many partitions put them together (evidence accumulation).

    Takes the share of partitions that put two items together (kernel/cluster), or any symmetric
    similarity. Of features it makes k-means partitions of random parts of the items itself, and
    counts how often two items are together of the times that both were drawn. With k 0 the number
    of groups is the one that lasts longest while agreement is asked for less and less, or the one
    that shares most information with the partitions. A sparse graph with single linkage needs no
    n × n matrix.
    """

    id, title = "consensus", "Consensus"
    reference = "Fred, Jain (2005). Combining multiple clusterings. IEEE PAMI 27(6)."
    needs = ("affinity|dataset",)

    class Params(Clusterer.Params):
        """The number of groups, and how the agreement between two groups is measured."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0 chooses the number that persists over the "
            "longest range.",
            json_schema_extra={"slider": [0, 20]},
        )
        linkage: Literal["single", "average"] = Field(
            "single",
            description="Agreement between two groups: that of their best pair, or the mean "
            "over all pairs.",
        )
        rule: Literal["lifetime", "information"] = Field(
            "lifetime",
            description="With k 0: the number of groups that lasts longest, or the one that "
            "shares most information with the partitions on average, which needs features.",
            json_schema_extra={"advanced": True},
        )
        partitions: int = Field(
            100,
            ge=2,
            description="Number of partitions, of features.",
            json_schema_extra={"slider": [10, 500], "advanced": True},
        )
        max_components: int = Field(
            20,
            ge=2,
            description="Largest number of groups in a partition and, if k is 0, in the result.",
            json_schema_extra={"slider": [2, 50], "advanced": True},
        )
        share: float = Field(
            0.8,
            gt=0,
            le=1,
            description="Share of the items, drawn at random, that each partition groups.",
            json_schema_extra={"slider": [0.1, 1.0], "advanced": True},
        )

    def compute(self, source: Affinity | Dataset, *, params: Params, context: Context) -> Output:
        """Return the groups, with the agreement at which the last merges happened."""
        context.check()
        require_groups(params.k, source.n)
        made: list[Partition] = []
        if isinstance(source, Dataset):
            affinity, made = _resampled(source, params, context)
        else:
            affinity = source
            _require(affinity, params)
        merges = merges_of_affinity(affinity, params.linkage)
        context.progress(1, 2, "merged")
        k, labels, notes, details = _chosen(merges, made, params)
        context.progress(1, 1, "done")
        groups = Clustering(
            title=f"Consensus, {params.linkage} linkage",
            dataset=affinity.dataset,
            labels=labels,
            notes=notes,
            details={
                "k": k,
                "linkage": params.linkage,
                "last_heights": merges.heights[-30:].tolist(),
                **details,
            },
        )
        return Output(groups, {"affinity": affinity} if made else {})

    def estimate(self, source: Affinity | Dataset, *, params: Params) -> Cost:
        """Half of all distances, twice, as the merging changes them."""
        n = source.n
        if (
            isinstance(source, Affinity)
            and source.sparse is not None
            and params.linkage == "single"
        ):
            edges = int(source.sparse.nnz)
            return Cost(bytes=60 * edges + 100 * n, seconds=1e-6 * edges)
        counting = 32 * n * n if isinstance(source, Dataset) else 0
        return Cost(
            bytes=16 * n * n + counting + (1 << 20),
            seconds=3e-8 * n * n + (1e-6 * n * params.partitions if counting else 0),
            alternatives=('use linkage = "single" on a sparse graph',),
        )


def _require(affinity: Affinity, params: Consensus.Params) -> None:
    require_items(affinity)
    if not affinity.symmetric:
        raise DataError(
            "A consensus needs symmetric similarities, and these are directed. Put "
            "graph/symmetrise before this step.",
            offer=("graph/symmetrise",),
            code="not-symmetric",
        )
    if params.rule == "information" and not params.k:
        raise DataError(
            "The rule 'information' needs partitions, which similarities do not have. "
            "Take features as input, or set 'rule' to lifetime.",
            code="features-needed",
        )


def _resampled(
    data: Dataset, params: Consensus.Params, context: Context
) -> tuple[Affinity, list[Partition]]:
    X = data.dense_features()
    made = resampled_partitions(
        X,
        params.partitions,
        params.max_components,
        params.share,
        context.rng,
        check=context.check,
    )
    matrix = Affinity(
        values=consensus_matrix(made, data.n),
        title=f"Consensus of {params.partitions} partitions",
        dataset=data,
    )
    return matrix, made


def _chosen(
    merges: Merges, made: list[Partition], params: Consensus.Params
) -> tuple[int, Ints, tuple[str, ...], dict[str, object]]:
    """The number of groups, the groups, and how they were chosen."""
    if params.k:
        return params.k, merges.labels(params.k), (), {}
    if params.rule == "lifetime":
        k = longest_lifetime(merges.heights)
        notes = (f"{k} {'group lasts' if k == 1 else 'groups last'} longest.",)
        return k, merges.labels(k), notes, {}
    most = min(params.max_components, len(merges.heights) + 1)
    shared = {k: shared_information(merges.labels(k), made) for k in range(2, most + 1)}
    k = max(shared, key=lambda one: shared[one]) if shared else 1
    note = f"{k} groups share most information with the partitions: {shared.get(k, 0.0):.3f}."
    return k, merges.labels(k), (note,), {"information": list(shared.values())}
