"""Counting items by class and by group."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Clustering, DataError, Dataset
from coterie.core.numerics.partitions.contingency import contingency
from tests.refusals import refuses


def clustering(labels: list[int], truth: list[int] | None = None) -> Clustering:
    dataset = None
    if truth is not None:
        names = tuple("abcdefgh"[: max(truth, default=-1) + 1])
        dataset = Dataset(title="d", truth=np.array(truth), truth_names=names)
    return Clustering(labels=np.array(labels), dataset=dataset)


@given(st.integers(1, 60), st.integers(0, 2**32 - 1), st.sampled_from(["exclude", "own-class"]))
def test_every_item_is_counted_where_it_belongs(n: int, seed: int, unassigned: str) -> None:
    rng = np.random.default_rng(seed)
    labels, truth = rng.integers(-1, 4, n), rng.integers(-1, 3, n)
    kept = (truth >= 0) & ((labels >= 0) | (unassigned == "own-class"))
    ours = clustering(labels.tolist(), truth.tolist())
    if not kept.any():
        with refuses("nothing-to-compare", DataError):
            contingency(ours, None, unassigned)  # type: ignore[arg-type]
        return
    table = contingency(ours, None, unassigned)  # type: ignore[arg-type]
    assert table.n == kept.sum()
    classes, groups = np.unique(truth[kept]), np.unique(labels[kept])
    expected = [[int(np.sum(kept & (truth == c) & (labels == g))) for g in groups] for c in classes]
    assert table.counts.tolist() == expected
    assert len(table.rows) == len(classes)
    assert len(table.columns) == len(groups)


def test_what_was_left_out_is_said() -> None:
    table = contingency(clustering([0, 1, -1, 0], [0, 1, 1, -1]))
    assert table.notes == (
        "1 item whose class is not known left out.",
        "1 item in no group left out.",
    )


def test_two_clusterings_can_be_compared() -> None:
    table = contingency(clustering([0, 0, 1]), clustering([1, 1, 0]))
    assert table.counts.tolist() == [[0, 1], [2, 0]]


def test_without_known_classes_it_says_what_to_do() -> None:
    with refuses("known-classes-needed", DataError, match="'truth'"):
        contingency(clustering([0, 1]))


def test_other_items_cannot_be_compared() -> None:
    with refuses("items-mismatch", DataError):
        contingency(clustering([0, 1]), clustering([0, 1, 1]))
