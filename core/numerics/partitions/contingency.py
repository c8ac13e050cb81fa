"""How two ways of grouping the same items overlap: the table that every agreement is read off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering

Unassigned = Literal["exclude", "own-class"]
Average = Literal["arithmetic", "geometric"]


@dataclass(frozen=True, eq=False)
class Contingency:
    """Items counted by class (rows) and group (columns); neither has an empty line.

    Attributes
    ----------
    counts : (classes, groups) number of items in both
    rows, columns : their names
    notes : in words, which items were left out and what became of the unassigned
    """

    counts: Ints
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of items counted."""
        return int(self.counts.sum())

    def matching(self) -> tuple[Ints, Ints]:
        """Return rows and columns of the best one-to-one matching (Hungarian method)."""
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(self.counts, maximize=True)
        return np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)

    def matching_names(self) -> dict[str, str]:
        """Return the class that the best matching gives to each group, by name."""
        rows, columns = self.matching()
        return {self.columns[j]: self.rows[i] for i, j in zip(rows, columns, strict=True)}

    def wrong(self) -> int:
        """Return how many items are outside the best one-to-one matching."""
        rows, columns = self.matching()
        return self.n - int(self.counts[rows, columns].sum())

    def information(self, average: Average = "arithmetic") -> float:
        """Return the mutual information of class and group, out of the mean of their entropies.

        >>> Contingency(np.array([[5, 0], [0, 5]]), ("a", "b"), ("x", "y")).information()
        1.0
        """
        shares = self.counts / self.n
        of_classes, of_groups = _entropy(shares.sum(axis=1)), _entropy(shares.sum(axis=0))
        if len(self.rows) == 1 and len(self.columns) == 1:
            return 1.0  # one class, one group: they agree, though neither says anything
        if len(self.rows) == 1 or len(self.columns) == 1:
            return 0.0  # exactly: two roundings, divided, would look like a little agreement
        both = max(0.0, of_classes + of_groups - _entropy(shares.ravel()))
        if average == "arithmetic":
            mean = (of_classes + of_groups) / 2
        else:
            mean = float(np.sqrt(of_classes * of_groups))
        return min(1.0, both / mean) if mean > 0 else 0.0

    def adjusted_rand(self) -> float:
        """Return the agreement on pairs of items, corrected for chance.

        Of all pairs, those together in both, compared with as many as groups of these sizes would
        share by chance.
        """
        together = _pairs(self.counts)
        of_classes, of_groups = _pairs(self.counts.sum(axis=1)), _pairs(self.counts.sum(axis=0))
        expected = of_classes * of_groups / max(1.0, _pairs(np.array([self.n])))
        most = (of_classes + of_groups) / 2
        # Both are one group, or all groups single: they are the same, and nothing else could be.
        return 1.0 if most == expected else (together - expected) / (most - expected)

    def refinement_errors(self) -> tuple[Floats, Floats]:
        """Return, for each cell, how far its items' class is from being within their group, and
        their group within their class; summed over the items."""
        outside_group = 1 - self.counts / self.counts.sum(axis=1, keepdims=True)
        outside_class = 1 - self.counts / self.counts.sum(axis=0, keepdims=True)
        return self.counts * outside_group, self.counts * outside_class


def contingency(
    clustering: Clustering,
    other: Clustering | Dataset | None = None,
    unassigned: Unassigned = "exclude",
) -> Contingency:
    """Count the items of `clustering` by group and by the class they have in `other`.

    Parameters
    ----------
    other : another clustering, or a dataset with known classes; by default the known classes of
        the clustering's own dataset. Items whose class is not known are left out
    unassigned : whether items in no group are left out, or count as a group of their own

    Examples
    --------
    >>> ours = Clustering(labels=np.array([0, 0, 1, -1]))
    >>> truth = Dataset(truth=np.array([0, 0, 1, 1]), truth_names=("cat", "dog"))
    >>> contingency(ours, truth).counts.tolist()
    [[2, 0], [0, 1]]
    >>> contingency(ours, truth, "own-class").counts.tolist()
    [[0, 2, 0], [1, 0, 1]]
    """
    labels = np.asarray(clustering.labels)
    classes, class_names = _classes(clustering, other)
    if len(classes) != len(labels):
        raise DataError(
            f"The groups have {len(labels)} items, the classes to compare with {len(classes)}. "
            "Compare results of the same items.",
            code="items-mismatch",
        )
    counted = np.ones(len(labels), dtype=np.bool_)
    notes: list[str] = []
    if not isinstance(other, Clustering):
        counted &= classes >= 0
        _note_left_out(notes, int((~counted).sum()), "whose class is not known")
    loose = counted & ((labels < 0) | (classes < 0))
    if loose.any():
        if unassigned == "exclude":
            counted &= ~loose
            _note_left_out(notes, int(loose.sum()), "in no group")
        else:
            notes.append(f"Unassigned items, counted as a group of their own: {int(loose.sum())}.")
    if not counted.any():
        raise DataError(
            "No item has both a group and a known class, so there is nothing to compare. "
            "Label the rest of the items, or count the unassigned as a class of their own.",
            code="nothing-to-compare",
        )
    row_values, row_of = np.unique(classes[counted], return_inverse=True)
    column_values, column_of = np.unique(labels[counted], return_inverse=True)
    counts = np.zeros((len(row_values), len(column_values)), dtype=np.int64)
    np.add.at(counts, (row_of, column_of), 1)
    return Contingency(
        counts,
        tuple(_name(value, class_names, "class") for value in row_values),
        tuple(_name(value, clustering.names, "group") for value in column_values),
        tuple(notes),
    )


def _classes(
    clustering: Clustering, other: Clustering | Dataset | None
) -> tuple[Ints, tuple[str, ...]]:
    if isinstance(other, Clustering):
        return np.asarray(other.labels), other.group_names
    dataset = clustering.dataset if other is None else other
    if dataset is None or dataset.truth is None:
        name = f"'{dataset.title}' has" if dataset is not None and dataset.title else "There are"
        raise DataError(
            f"{name} no known classes to compare with. Name the column that holds them as "
            "'truth' when opening the data, or give another clustering as second input.",
            code="known-classes-needed",
        )
    return np.asarray(dataset.truth), dataset.truth_names


def _entropy(shares: Floats) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())


def _pairs(counts: Ints) -> float:
    """The pairs within sets of these sizes; as floats, for 10^10 items have 10^20."""
    sizes = counts.astype(np.float64)
    return float((sizes * (sizes - 1) / 2).sum())


def _name(value: int, names: tuple[str, ...], kind: str) -> str:
    if value < 0:
        return "unassigned"
    return (names[value] if value < len(names) else "") or f"{kind} {value + 1}"


def _note_left_out(notes: list[str], count: int, which: str) -> None:
    if count:
        notes.append(f"{count} {'item' if count == 1 else 'items'} {which} left out.")
