"""The samples, opened by name."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset, ParameterError
from coterie.plugins.readers.sample import SampleReader


def read(name: str, **params: Any) -> Dataset:
    return SampleReader().compute(name, params=SampleReader.Params(**params), context=Context())


def test_a_sample_by_name_size_and_seed() -> None:
    assert read("rings").n == 400
    assert read("rings", n=50).n == 50
    first, other = read("rings", seed=1), read("rings", seed=2)
    assert not np.array_equal(first.dense_features(), other.dense_features())
    assert read("iris", truth="species").truth_column == "species"


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("irsi", {}, "no sample 'irsi'. The samples are: arcs"),
        ("iris", {"truth": "kind"}, "called 'species', not 'kind'"),
        ("iris", {"items": "name"}, "no names"),
        ("iris", {"n": 10}, "has 150 items"),
    ],
)
def test_what_a_sample_has_not(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises((DataError, ParameterError), match=message):
        read(name, **params)
