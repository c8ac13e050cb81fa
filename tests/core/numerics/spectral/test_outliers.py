"""Items far out."""

import numpy as np

from coterie.core import Dataset
from coterie.core.numerics.spectral.outliers import MOST_LISTED, far_out


def test_far_items_of_low_degree_are_listed_farthest_first() -> None:
    Z = np.vstack([np.random.default_rng(0).normal(size=(50, 2)), [[30, 0], [0, 60], [0, -90]]])
    degrees = np.r_[np.linspace(5, 10, 50), 1.0, 1.0, 10.0]
    found = far_out(Z, degrees, [f"i{i}" for i in range(53)])
    assert [entry["item"] for entry in found] == ["i51", "i50"]
    assert [entry["degree"] for entry in found] == [1.0, 1.0]
    assert found[0]["distance"] > found[1]["distance"]


def test_groups_of_like_size_have_none_and_the_list_is_short() -> None:
    Z = np.repeat(np.eye(3), 30, axis=0)
    assert far_out(Z, np.ones(90)) == []
    Z = np.r_[np.zeros(180), np.full(30, 9.0)][:, None] + np.linspace(0, 0.1, 210)[:, None]
    assert len(far_out(Z, np.r_[np.ones(180), np.full(30, 0.1)])) == MOST_LISTED


def test_where_nearly_all_lie_in_one_point_rounding_is_not_far() -> None:
    Z = np.r_[np.random.default_rng(0).normal(0, 1e-9, 50), 5.0][:, None]
    assert [entry["position"] for entry in far_out(Z, np.ones(51))] == [50]


def test_items_without_names_have_those_that_tables_show() -> None:
    Z = np.array([[0.0], [0.1], [0.0], [-0.1], [9.0]])
    data = Dataset(features=Z)
    found = far_out(Z, np.array([5.0, 5.0, 5.0, 5.0, 1.0]))
    assert [entry["item"] for entry in found] == [data.item_names[4]]
