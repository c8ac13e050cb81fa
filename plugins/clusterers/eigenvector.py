"""Eigenvectors as groups: each of the leading ones is thresholded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from coterie.core import (
    Affinity,
    Array,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Field,
    Floats,
    Ints,
    Output,
    ParameterError,
    Spectrum,
)
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.spectral.cuts import normalised_cut
from coterie.core.numerics.spectral.eigenpairs import Eigenpairs, leading_eigenpairs
from coterie.core.numerics.spectral.grouping import spectral_cost
from coterie.core.numerics.spectral.spectra import (
    MOST_EIGENVALUES,
    require_undirected,
    suggested_groups,
)
from coterie.core.wording import counted

# An eigenvector with less of its weight than this on items that are left is about groups found.
ABOUT_OTHERS = 0.5


class Eigenvector(Clusterer):
    """One eigenvector for each group: the items with large entries in it are its members.

    The leading eigenvector x of A has the largest cohesiveness xᵀAx of all of unit length. Its
    large entries are the first group; entries of grouped items count as zero in those that
    follow, and an eigenvector with most of its weight on them is skipped. Items that are
    large in none are in no group. Recursively, the leading eigenvector splits the items in two, and
    each side is split by its own, until eigenvalues are too small. For undirected graphs;
    similarities may be negative.
    """

    id, title = "eigenvector", "Thresholded eigenvectors"
    curves = (
        Curve(
            "objective",
            "eigenvalue",
            "Eigenvalue whose eigenvector gives this group; falls from group to group.",
        ),
        Curve("support", "members", "Number of members of this group."),
    )
    reference = (
        "Sarkar, Boyer (1998). Quantitative measures of change based on feature "
        "organization: eigenvalues and eigenvectors. CVIU 71(1)."
    )

    class Params(Clusterer.Params):
        """How many groups, and who is a member."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0: as many as there are eigenvalues before the "
            "largest gap among the "
            "first 20 eigenvalues.",
            json_schema_extra={"slider": [0, 20]},
        )
        how: Literal["leading", "recursive"] = Field(
            "leading",
            description="One of the leading eigenvectors for each group, or a tree of splits by "
            "the leading eigenvector of each part.",
        )
        smallest: float = Field(
            0.1,
            ge=0,
            lt=1,
            description="Parts whose leading eigenvalue is below this × that of all items are not "
            "split and are in no group.",
            json_schema_extra={"slider": [0.0, 0.9], "only_if": {"how": ["recursive"]}},
        )
        threshold: float = Field(
            0.5,
            ge=0,
            lt=1,
            description="An item is a member when its entry exceeds this × the largest.",
            json_schema_extra={"slider": [0.0, 0.9]},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups, their memberships and the spectrum of A."""
        context.progress(0, 2, "eigenvectors")
        require_items(affinity)
        require_undirected(affinity, check=context.check)
        n = affinity.n
        if params.k > n:
            raise ParameterError(
                f"Parameter 'k' is {params.k}, but there is only {counted(n, 'item')}. "
                f"Set k to {n} or less.",
                code="too-many-groups",
            )
        pairs = min(n, max(MOST_EIGENVALUES, 2 * params.k))
        found = leading_eigenpairs(affinity, pairs, check=context.check)
        suggested = suggested_groups(found.values)
        wanted = params.k or suggested
        if params.how == "recursive":
            wanted = params.k
            labels, shares, passed = *_split(affinity, params, context), 0
        else:
            labels, shares, passed = _groups(found, wanted, params.threshold, context)
        context.progress(1, 2, "cohesiveness")
        membership = np.column_stack(shares) if shares else np.zeros((n, 0))
        cohesiveness = np.einsum("ij,ij->j", membership, affinity.matvec(membership))
        left = int((labels < 0).sum())
        notes = []
        if not params.k and params.how == "leading":
            notes.append(f"The spectrum suggests {counted(wanted, 'group')}.")
        if len(shares) < wanted:
            notes.append(f"Groups that have members: {len(shares)} of {wanted}.")
        if left:
            notes.append(f"{left} {'item belongs' if left == 1 else 'items belong'} to no group.")
        context.progress(2, 2, "done")
        main = Clustering(
            title="Thresholded eigenvectors",
            dataset=affinity.dataset,
            labels=labels,
            membership=membership,
            cohesiveness=cohesiveness,
            notes=tuple(notes),
            details={
                "k": len(shares),
                "suggested_k": suggested,
                "passed_over": passed,
                "unassigned": left,
                "normalised_cut": normalised_cut(affinity, labels),
            },
        )
        shown = Spectrum(
            title="Spectrum of the similarities",
            dataset=affinity.dataset,
            eigenvalues=found.values,
            suggested_k=suggested,
        )
        return Output(main, {"spectrum": shown})

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A copy of dense similarities where they are few, and some vectors."""
        return spectral_cost(affinity, 2 * params.k)


def _groups(
    found: Eigenpairs, wanted: int, threshold: float, context: Context
) -> tuple[Ints, list[Floats], int]:
    """Return the labels, the entries of each group's members, and how many pairs had no group."""
    labels = np.full(len(found.vectors), -1, dtype=np.int64)
    shares: list[Floats] = []
    passed = 0
    for number, (value, vector) in enumerate(zip(found.values, found.vectors.T, strict=True)):
        if len(shares) == wanted or value <= 0 or (labels >= 0).all():
            break
        share = _members(vector, labels < 0, threshold)
        if share is None:
            passed += 1
            continue
        labels[share > 0] = len(shares)
        shares.append(share)
        context.frame(
            number,
            objective=float(value),
            support=int((share > 0).sum()),
            phase=f"group {len(shares)}",
            shares=share / share.sum(),
            labels=labels,
        )
    return labels, shares, passed


def _members(vector: Floats, left: Array, threshold: float) -> Floats | None:
    """(n,) entries of the members, to unit length, or None when it is about other items."""
    x = np.where(left, vector, 0.0)
    if float(x @ x) < ABOUT_OTHERS * float(vector @ vector):
        return None
    up, down = np.maximum(x, 0.0), np.maximum(-x, 0.0)
    # The sign of an eigenvector is chance: the side with more weight is the group.
    x = up if up @ up >= down @ down else down
    x = np.where(x > threshold * x.max(), x, 0.0)
    length = float(np.linalg.norm(x))
    return x / length if length > 0 else None


@dataclass(frozen=True, eq=False)
class _Part:
    """Some items, their leading eigenpair, and which of them are large in it."""

    items: Ints
    value: float
    vector: Floats
    large: Array

    @classmethod
    def of(cls, affinity: Affinity, items: Ints, threshold: float, context: Context) -> _Part:
        if len(items) < 2:
            return cls(items, -np.inf, np.ones(len(items)), np.ones(len(items), dtype=bool))
        whole = len(items) == affinity.n
        found = leading_eigenpairs(
            affinity if whole else affinity.submatrix(items), 1, check=context.check
        )
        vector = found.vectors[:, 0]
        members = _members(vector, np.ones(len(items), dtype=bool), threshold)
        large = np.ones(len(items), dtype=bool) if members is None else members > 0
        return cls(items, float(found.values[0]), np.abs(vector), large)

    @property
    def divisible(self) -> bool:
        return not self.large.all()


def _split(
    affinity: Affinity, params: Eigenvector.Params, context: Context
) -> tuple[Ints, list[Floats]]:
    """Split parts in two, the most cohesive first, until none can be or there are enough."""
    parts = [_Part.of(affinity, np.arange(affinity.n), params.threshold, context)]
    least = max(params.smallest * parts[0].value, 0.0)
    while True:
        kept = [part for part in parts if part.value > least]
        open_ones = [part for part in kept if part.divisible]
        if not open_ones or (params.k and len(kept) >= params.k):
            break
        part = max(open_ones, key=lambda one: one.value)
        parts.remove(part)
        parts += [
            _Part.of(affinity, part.items[side], params.threshold, context)
            for side in (part.large, ~part.large)
        ]
        context.progress(1, 2, f"{len(parts)} parts")
    kept.sort(key=lambda one: (-one.value, int(one.items[0])))
    labels: Ints = np.full(affinity.n, -1, dtype=np.int64)
    shares: list[Floats] = []
    for number, part in enumerate(kept):
        labels[part.items] = number
        share: Floats = np.zeros(affinity.n)
        share[part.items] = part.vector
        shares.append(share)
        context.frame(
            number,
            objective=part.value,
            support=len(part.items),
            phase=f"group {number + 1}",
            shares=share / share.sum(),
            labels=labels,
        )
    return labels, shares
