"""Whatever artefacts are made of comes back from a project file as it was."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.core.errors import DataError, ProjectFileError
from coterie.core.model.artefacts import Artefact
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import Encoded, decode, encode
from coterie.core.model.results import Model, Score
from coterie.core.model.upgrades import UPGRADES
from coterie.projects.store.hdf5 import layout
from coterie.projects.store.hdf5.numbers import CHUNK_BYTES, chunk_shape
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.validation import validate
from tests.refusals import refuses

from . import samples

texts = st.text(st.characters(codec=None), max_size=12)  # half characters and NUL included
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
dtypes = st.one_of(
    hnp.boolean_dtypes(),
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.floating_dtypes(endianness="?"),
    hnp.complex_number_dtypes(endianness="?"),
    hnp.datetime64_dtypes(),
    hnp.timedelta64_dtypes(),
    hnp.unicode_string_dtypes(max_len=5),
)
arrays = hnp.arrays(dtypes, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
models = st.builds(
    lambda arrays, settings, title, notes, details: Model(
        arrays=arrays, settings=settings, title=title, notes=tuple(notes), details=details
    ),
    st.dictionaries(texts, arrays, max_size=3),
    st.dictionaries(texts, json_values, max_size=3),
    texts,
    st.lists(texts, max_size=3),
    st.dictionaries(texts, json_values, max_size=3),
)


@pytest.mark.parametrize("made", samples.artefacts(), ids=lambda made: made.key[:6])
def test_every_noun_comes_back_as_it_was(tmp_path: Path, made: Artefact) -> None:
    path = tmp_path / "a.coterie.h5"
    samples.save(path, [samples.points(), made])
    with ProjectFile.open(path) as file:
        read = file.read(made.key)
    assert samples.same(made, read)
    decode(read.encoded)


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(noun=models)
@example(noun=Model(arrays={"": np.ones(1), ".": np.ones(2), "..": np.ones(3), "%": np.ones(4)}))
@example(noun=Model(arrays={"a": np.ones(1), "a/b": np.ones(2), "/": np.ones(3)}))
@example(noun=Model(arrays={"meta": np.ones(1), "provenance": np.ones(2), "%2F": np.ones(3)}))
@example(noun=Model(arrays={"long": np.ones(2, dtype=np.longdouble)}, title="x" * 5000))
@example(noun=Model(title="a\0b", notes=("\ud800", "a\0b", ""), settings={"\ud800": "\0"}))
def test_anything_a_model_may_hold_comes_back(
    noun: Model, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("model") / "m.coterie.h5"
    made = samples.artefact("model", noun, note="naïve", nothing=None)
    samples.save(path, [made])
    with ProjectFile.open(path) as file:
        read = file.read(made.key)
    assert samples.same(made, read)
    decode(read.encoded)


@given(texts, texts)
def test_two_names_never_share_a_place(first: str, second: str) -> None:
    for name in (first, f"arrays/{first}"):
        assert layout.part_name(layout.part_path(name)) == name
    assert (layout.part_path(first) == layout.part_path(second)) == (first == second)


@given(
    st.lists(st.integers(1, 5000), min_size=1, max_size=4).map(tuple), st.sampled_from((1, 8, 16))
)
def test_chunks_are_bounded_and_not_needlessly_small(shape: tuple[int, ...], itemsize: int) -> None:
    chunk = chunk_shape(shape, itemsize)
    size = math.prod(chunk) * itemsize
    assert all(1 <= step <= extent for step, extent in zip(chunk, shape, strict=True))
    assert size <= CHUNK_BYTES
    assert chunk == shape or size > CHUNK_BYTES // 4


def test_arrays_are_packed_with_checksums_and_without_plugins(tmp_path: Path) -> None:
    path = tmp_path / "a.coterie.h5"
    made = samples.save(path)
    affinity = next(entry for entry in made if entry.type == "affinity")
    with h5py.File(path) as file:
        values = file[f"graphs/{affinity.key}/values"]
        assert (values.compression, values.shuffle, values.fletcher32) == ("gzip", True, True)
        group = file[f"data/{samples.points().key}"]
        assert group.attrs["encoding-type"] == b"dataset"
        assert group.attrs["source"] == b"points.csv"
        assert group["items"].asstr()[3] == "日本"


@pytest.mark.parametrize(
    "array", [np.array([object()]), np.zeros(2, dtype="i4,f8"), np.array([b"raw"])]
)
def test_arrays_that_only_python_understands_are_refused(tmp_path: Path, array: Any) -> None:
    made = samples.artefact("model", Model())
    made.encoded.arrays["arrays/odd"] = array  # a model itself would refuse it
    with refuses("project-not-saved", ProjectFileError, match="'arrays/odd'"):
        samples.save(tmp_path / "a.coterie.h5", [made])
    assert list(tmp_path.iterdir()) == []


def test_an_artefact_of_an_older_version_is_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Artefact(samples.key_of("old"), Encoded("metric", 1, {"percent": 75.0}))
    path = tmp_path / "a.coterie.h5"
    samples.save(path, [made])
    monkeypatch.setattr(Score, "encoding_version", 2)
    monkeypatch.setitem(
        UPGRADES,
        ("metric", 1),
        lambda old: replace(old, meta={"value": old.meta["percent"] / 100}),
    )
    assert validate(path) == []
    with ProjectFile.open(path) as file:
        assert decode(file.read(made.key).encoded).value == 0.75


def test_an_artefact_of_a_newer_version_is_read_but_not_decoded(tmp_path: Path) -> None:
    made = Artefact(samples.key_of("new"), Encoded("metric", 2, {"value": 0.5}))
    path = tmp_path / "a.coterie.h5"
    samples.save(path, [made])
    with ProjectFile.open(path) as file:
        read = file.read(made.key)
    assert samples.same(made, read)
    with refuses("newer-version", DataError):
        decode(read.encoded)


def test_arrays_come_back_read_only(tmp_path: Path) -> None:
    path = tmp_path / "a.coterie.h5"
    made = samples.save(path)
    with ProjectFile.open(path) as file:
        for entry in made:
            for array in file.read(entry.key).encoded.arrays.values():
                assert not array.flags.writeable


def test_a_dataset_far_from_contiguous_is_stored(tmp_path: Path) -> None:
    table = np.asfortranarray(np.arange(12.0).reshape(3, 4))[::2, ::-1]
    made = samples.artefact("m", Model(arrays={"view": table}))
    path = tmp_path / "a.coterie.h5"
    samples.save(path, [made])
    with ProjectFile.open(path) as file:
        np.testing.assert_array_equal(file.read(made.key).encoded.arrays["arrays/view"], table)


@pytest.mark.parametrize(
    "texts", [("", "a", "long " * 400_000), ("x\0", "\ud800", "y" * 2_000_000)]
)
def test_texts_of_very_different_lengths_are_kept_without_padding(
    tmp_path: Path, texts: tuple[str, ...]
) -> None:
    made = samples.artefact("t", Dataset(kind="texts", texts=texts))
    path = tmp_path / "a.coterie.h5"
    samples.save(path, [made])
    with ProjectFile.open(path) as file:
        assert file.entries[made.key].shape == (3,)
        assert file.entries[made.key].nbytes < 2_001_000
        assert samples.same(made, file.read(made.key))


def test_an_unknown_type_is_kept(tmp_path: Path) -> None:
    encoded = Encoded("tomorrow", 3, {"title": "T"}, {"x": np.ones(3)}, {"words": ("a",)})
    made = Artefact(samples.key_of("x"), encoded)
    path = tmp_path / "a.coterie.h5"
    samples.save(path, [made])
    with ProjectFile.open(path) as file:
        assert file.entries[made.key].type == "tomorrow"
        assert samples.same(made, file.read(made.key))
    assert encode(Model()).type == "model"
