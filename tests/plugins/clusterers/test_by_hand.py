"""Groups by hand, and what transduction makes of them."""

import numpy as np

from coterie.core import Affinity, Clustering, Context, Dataset, ParameterError
from coterie.plugins.clusterers.by_hand import ByHand
from coterie.plugins.clusterers.transduction import Transduction
from tests.refusals import refuses


def group(data: Dataset | Affinity, **params: object) -> Clustering:
    values = ByHand.Params(**params)  # type: ignore[arg-type]
    return ByHand().compute(data, params=values, context=Context())


def test_listed_items_are_in_their_group_and_all_others_in_none() -> None:
    data = Dataset(features=np.eye(5))
    found = group(data, groups=[[0, 1], [4, 1]], names=["left", "right"])
    assert found.labels.tolist() == [0, 1, -1, -1, 1]
    assert found.names == ("left", "right")
    assert any("several" in note for note in found.notes)


def test_wrong_positions_and_names_are_refused() -> None:
    data = Dataset(features=np.eye(3))
    with refuses("unknown-item", ParameterError):
        group(data, groups=[[3]])
    with refuses("invalid-parameters", ParameterError):
        group(data, groups=[[0]], names=["a", "b"])


def test_transduction_spreads_them_along_the_similarities() -> None:
    x = np.concatenate([np.linspace(0, 1, 8), np.linspace(5, 6, 8)])
    affinity = Affinity(values=np.exp(-((x[:, None] - x) ** 2)))
    seeds = group(affinity, groups=[[0], [15]])
    params = Transduction.Params(labelled="clustering")
    spread = Transduction().compute(affinity, seeds, params=params, context=Context())
    assert spread.labels.tolist() == [0] * 8 + [1] * 8
