"""Labelled share."""

import numpy as np
import pytest

from coterie.core import Clustering, Context, Score
from coterie.plugins.metrics.labelled_share import LabelledShare
from tests.refusals import refuses


def share(*labels: int, names: tuple[str, ...] = ()) -> Score:
    clustering = Clustering(labels=np.array(labels, dtype=np.int64), names=names)
    return LabelledShare().compute(clustering, params=LabelledShare.Params(), context=Context())


def test_the_share_and_the_sizes_of_the_groups() -> None:
    got = share(0, 1, 1, -1, names=("cats",))
    assert got.value == pytest.approx(0.75)
    assert got.rows == ("unassigned", "cats", "group 2")
    assert got.table is not None
    assert got.table.ravel().tolist() == [1, 1, 2]


def test_all_none_and_nothing() -> None:
    assert share(0, 0).value == 1
    assert share(-1, -1).value == 0
    with refuses("empty-data"):
        share()
