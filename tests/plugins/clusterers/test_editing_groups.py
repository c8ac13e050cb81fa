"""Groups named, coloured, merged, reordered and split."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Clustering, Context, CoterieError, DataError, Dataset, ParameterError
from coterie.core.engine.nested_runs import built_in_runs
from coterie.plugins.clusterers.edit_groups import EditGroups
from coterie.plugins.clusterers.split_group import SplitGroup


def edit(found: Clustering, **params: Any) -> Clustering:
    return EditGroups().compute(found, params=EditGroups.Params(**params), context=Context())


def split(groups: Clustering, data: Dataset, **params: Any) -> Clustering:
    context = Context(runs=built_in_runs())
    return SplitGroup().compute(groups, data, params=SplitGroup.Params(**params), context=context)


def test_merged_groups_share_their_memberships() -> None:
    shares = np.array([[0.5, 0.2, 0.3], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]])
    groups = Clustering(labels=np.arange(3), membership=shares, cohesiveness=np.arange(3.0))
    made = edit(groups, groups=[[3, 1]])
    assert made.labels.tolist() == [0, 1, 0]
    assert made.membership is not None
    np.testing.assert_allclose(made.membership, shares[:, [2, 1]] + [[0.5, 0], [0.1, 0], [0, 0]])
    assert made.cohesiveness is None
    assert edit(groups, groups=[[2]]).cohesiveness is not None


def test_overlapping_groups_are_merged_without_repeating_items() -> None:
    groups = Clustering(
        labels=np.array([0, 0, 1]),
        group_items=np.array([0, 1, 1, 2]),
        group_starts=np.array([0, 2, 4]),
    )
    made = edit(groups, groups=[[1, 2]])
    assert made.members(0).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"groups": [[4]]}, "unknown-group"),
        ({"groups": [[0]]}, "unknown-group"),
        ({"groups": [[1], [2, 1]]}, "invalid-parameters"),
        ({"names": {"9": "x"}}, "unknown-group"),
        ({"names": {"one": "x"}}, "unknown-group"),
        ({"colours": {"1": "red"}}, "invalid-parameters"),
    ],
)
def test_wrong_numbers_and_colours_are_refused(params: dict[str, Any], code: str) -> None:
    with pytest.raises(CoterieError) as caught:
        edit(Clustering(labels=np.arange(3)), **params)
    assert caught.value.code == code


def test_only_the_group_that_is_split_changes() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(c, 0.1, (20, 2)) for c in (0, 5, 20)])
    groups = Clustering(labels=np.repeat([0, 0, 1], 20), names=("near", "far"))
    made = split(groups, Dataset(features=X), group=1, method="kmeans", k=2)
    assert sorted(set(made.labels[:20].tolist()) | set(made.labels[20:40].tolist())) == [0, 2]
    assert len(set(made.labels[:20].tolist())) == 1
    assert made.labels[40:].tolist() == [1] * 20
    assert made.names == ("near (1)", "far", "near (2)")


def test_what_cannot_be_split_is_refused() -> None:
    data = Dataset(features=np.arange(6.0)[:, None])
    groups = Clustering(labels=np.repeat([0, 1], 3))
    with pytest.raises(ParameterError) as wrong:
        split(groups, data, group=3)
    assert wrong.value.code == "unknown-group"
    with pytest.raises(DataError) as other:
        split(groups, Dataset(features=np.ones((2, 1))))
    assert other.value.code == "items-mismatch"
    assert split(groups, data, group=1).k == 2  # three items: automatic leaves them whole
