"""Every noun survives its plain parts; parts that were tampered with never do more than say so."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import Encoded, decode, encode
from coterie.core.model.result_types import RESULT_TYPES
from coterie.core.model.results import Clustering, Model, Score, Trace
from tests.refusals import refuses

from .nouns import nouns, same

roomy = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

strange_arrays = st.sampled_from(
    [
        np.array(0.0),
        np.array([]),
        np.array([1, 2]),
        np.array([[-5, 99], [2**40, 0]]),
        np.array(["text"]),
        np.array([object()]),
        np.array([1j, 2]),
        np.array([True]),
        np.array([np.nan, np.inf]),
        np.zeros((2, 2, 2)),
        np.zeros(2, dtype="i4,f8"),
        np.array(["2020-01-01"], dtype="M8[D]"),
    ]
)
strange_values: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 3, -1.5, "text", [], [1], ["a"], [[]], {}, {"a": 1}, [{"a": 1}]]
)


@roomy
@given(nouns)
def test_every_noun_comes_back_as_it_was(noun: Any) -> None:
    back = decode(encode(noun))
    assert same(noun, back)


@roomy
@given(nouns, st.data())
def test_tampered_parts_give_a_noun_or_a_data_error(noun: Any, data: st.DataObject) -> None:
    encoded = deepcopy(encode(noun))
    stores: list[Any] = [encoded.meta, encoded.arrays, encoded.strings]
    every_name = [name for store in stores for name in store]
    field_names = [name for name in vars(noun) if name != "dataset"]
    sparse = ["data", "indices", "indptr", "shape", "features/indptr", "relation/shape"]
    for _ in range(data.draw(st.integers(1, 3))):
        store = data.draw(st.sampled_from(stores))
        name = data.draw(st.sampled_from(sorted({*every_name, *field_names, *sparse})))
        action = data.draw(st.sampled_from(["remove", "replace"]))
        if action == "remove":
            store.pop(name, None)
        elif store is encoded.arrays:
            store[name] = data.draw(strange_arrays)
        else:
            store[name] = data.draw(strange_values)
    try:
        decode(encoded)
    except DataError as error:
        assert str(error)  # noqa: PT017 - any other kind of error fails the test


@pytest.mark.parametrize("kind", sorted(RESULT_TYPES))
def test_a_noun_without_parts_is_refused_or_empty(kind: str) -> None:
    try:
        noun = decode(Encoded(kind, 1))
    except DataError:
        return
    assert kind in ("dataset", "model")
    assert noun.encoding_type == kind


@pytest.mark.parametrize("kind", ["nonsense", "", None, 3, ["dataset"]])
def test_an_unknown_type_is_refused(kind: Any) -> None:
    with refuses("newer-version", DataError):
        decode(Encoded(kind, 1))


@pytest.mark.parametrize("version", [2, 99])
def test_a_newer_version_is_refused(version: int) -> None:
    with refuses("newer-version", DataError) as refused:
        decode(Encoded("metric", version, {"value": 1.0}))
    assert refused.value.code == "newer-version"


@pytest.mark.parametrize("version", ["1", None, [1], 1.5])
def test_a_version_that_is_not_a_whole_number_is_damage(version: Any) -> None:
    with refuses("file-damaged", DataError) as refused:
        decode(Encoded("metric", version, {"value": 1.0}))
    assert refused.value.code == "file-damaged"


@pytest.mark.parametrize(
    ("part", "array"),
    [
        ("indices", np.array([0, 5])),
        ("indices", np.array([0, -1])),
        ("indices", np.array([0.0, 1.0])),
        ("indptr", np.array([0, 2, 1])),
        ("indptr", np.array([0, 1, 9])),
        ("indptr", np.array([1, 1, 2])),
        ("indptr", np.array([0, 2**40, 2])),
        ("shape", np.array([2])),
        ("shape", np.array([2, 10**12])),
        ("shape", np.array([-2, 2])),
        ("data", np.array([1.0])),
        ("data", np.array(["a", "b"])),
    ],
)
def test_a_damaged_sparse_matrix_is_refused(part: str, array: Any) -> None:
    encoded = encode(Affinity(sparse=csr_array(np.eye(2))))
    encoded.arrays[part] = array
    with pytest.raises(DataError):
        decode(encoded)


def test_the_dataset_is_left_to_the_store() -> None:
    data = Dataset(features=np.eye(2))
    encoded = encode(Clustering(labels=np.array([0, 1]), dataset=data))
    assert not any(name.startswith("dataset") for name in (*encoded.meta, *encoded.arrays))
    assert decode(encoded, data).dataset is data


def test_a_dataset_of_other_items_does_not_fit() -> None:
    encoded = encode(Clustering(labels=np.array([0, 1])))
    with refuses("items-mismatch", DataError):
        decode(encoded, Dataset(features=np.eye(3)))


def test_numpy_numbers_in_details_become_plain() -> None:
    model = Model(settings={"k": np.int64(3), "mean": np.array([1.5])})
    assert decode(encode(model)).settings == {"k": 3, "mean": [1.5]}


def test_what_is_not_json_is_told() -> None:
    with refuses("wrong-type", DataError):
        encode(Model(settings={"f": object()}))


def test_a_true_is_no_number() -> None:
    encoded = encode(Score(value=1.0))
    encoded.meta["value"] = True
    with refuses("file-damaged", DataError, match="'value'"):
        decode(encoded)


def test_marks_come_back_as_they_were() -> None:
    empty = np.array([], dtype=int)
    trace = Trace(
        iterations=empty,
        marks=({"iteration": 3, "name": "peeled"},),
    )
    assert decode(encode(trace)).marks == ({"iteration": 3, "name": "peeled"},)


def test_the_size_counts_arrays_and_texts() -> None:
    data = Dataset(features=np.zeros((2, 3)), columns=("a", "b", "c"))
    assert encode(data).nbytes == 48 + 3
