"""The Profile view's state."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from coterie.core.model.columns import Column
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.gui.views.profile.state import (
    MOST_FEATURES,
    OTHERS,
    Boxes,
    ProfileState,
    Shares,
    boxes_of,
    variance_between,
)
from coterie.gui.views.shown_items.displayed import Shown
from tests.gui import prepared


def test_the_variance_splits_into_between_and_within() -> None:
    rng = np.random.default_rng(0)
    X, which = rng.normal(size=(60, 4)), rng.integers(0, 3, 60)
    total = ((X - X.mean(axis=0)) ** 2).sum(axis=0)
    within = sum(((X[which == g] - X[which == g].mean(axis=0)) ** 2).sum(axis=0) for g in range(3))
    np.testing.assert_allclose(variance_between(X, which, 3), 1 - within / total)


def test_the_most_telling_feature_comes_first(session: Any) -> None:
    state = ProfileState(session)
    state.update()
    telling = [boxes.telling for boxes in state.boxes]
    assert telling == sorted(telling, reverse=True)
    assert state.boxes[-1].name == "weight"  # it is noise alone
    assert state.groups == (0, 1, 2)
    assert f"“{state.boxes[0].name}” separates the groups best" in state.sentence


def test_the_boxes_are_quantiles_of_the_known_values(session: Any) -> None:
    state = ProfileState(session)
    state.update()
    data, labels = session.results.artefact("data"), session.results.artefact("groups").labels
    boxes = next(boxes for boxes in state.boxes if boxes.name == "age")
    values = data.features[labels == 0, 2]
    values = values[np.isfinite(values)]
    assert isinstance(boxes, Boxes)
    assert boxes.quantiles[0][2] == np.median(values)


def test_wide_and_sparse_tables_are_cut_to_what_can_be_seen() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((40, 300)) * (rng.random((40, 300)) < 0.1)
    data = Dataset(features=sparse.csr_array(X))
    labels = np.arange(40) % 2
    boxes, groups = boxes_of(Shown(dataset=data, clustering=Clustering(labels=labels)))
    assert len(boxes) == MOST_FEATURES
    assert groups == (0, 1)


def test_it_says_what_is_missing(new_session: Any) -> None:
    nothing = ProfileState(new_session())
    nothing.update()
    assert nothing.empty.startswith("Open a file")
    data = prepared.blobs()
    waiting = ProfileState(new_session({"data": data}, prepared.RECIPE))
    waiting.update()
    assert waiting.empty.startswith("Run a clustering method")
    bare = replace(data, features=None, columns=())
    none = ProfileState(new_session({"data": bare}, prepared.RECIPE))
    none.update()
    assert "no features" in none.empty


def test_categories_are_counted_as_the_table_has_them() -> None:
    codes = np.array([0, 0, 1, 1, 2, -1], dtype=np.int32)
    when = np.arange(6) * 86_400.0
    table = (
        Column("island", codes, "category", categories=("Biscoe", "Dream", "Torgersen")),
        Column("seen", when, "date"),
    )
    data = Dataset(features=np.eye(6), table=table)
    labels = np.array([0, 0, 1, 1, 1, 1])
    found, groups = boxes_of(Shown(dataset=data, clustering=Clustering(labels=labels)))
    assert groups == (0, 1)
    shares = next(one for one in found if isinstance(one, Shares))
    assert shares.categories == ("Biscoe", "Dream", "Torgersen")
    np.testing.assert_allclose(shares.shares, np.array([[1.0, 0, 0], [0, 2 / 3, 1 / 3]]))
    dates = next(one for one in found if isinstance(one, Boxes))
    assert dates.of_dates
    assert dates.quantiles[0][2] == 43_200.0


def test_rare_categories_are_taken_together() -> None:
    codes = np.arange(30, dtype=np.int32)
    column = Column("town", codes, "category", categories=tuple(f"town {i}" for i in range(30)))
    data = Dataset(features=np.eye(30), table=(column,))
    labels = np.arange(30) % 2
    (shares,), _ = boxes_of(Shown(dataset=data, clustering=Clustering(labels=labels)))
    assert isinstance(shares, Shares)
    assert shares.categories[-1] == OTHERS
    np.testing.assert_allclose(shares.shares.sum(axis=1), 1.0)
