"""Artefacts of every type, small, for the tests of project files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from coterie.core.model.affinity import Affinity
from coterie.core.model.artefacts import Artefact
from coterie.core.model.columns import Column, category
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import encode
from coterie.core.model.results import (
    Clustering,
    Embedding,
    Labelling,
    Model,
    Ranking,
    Score,
    Spectrum,
    Trace,
)
from coterie.projects.store.hdf5.saving import Content, save_project

RECIPE = 'title = "Two groups"\n[data]\nopen = "points.csv"\n'
CREATED = "2024-05-01T12:00:00+00:00"


def key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def artefact(name: str, noun: Any, dataset: str | None = None, **provenance: Any) -> Artefact:
    return Artefact(key_of(name), encode(noun), dataset, provenance)


def points() -> Artefact:
    features = np.array([[0.0, 1.0], [0.5, np.nan], [4.0, -np.inf], [4.5, 1e-300]])
    noun = Dataset(
        title="Points",
        features=features,
        columns=("width", "höhe"),
        items=("a", "b", "", "日本"),
        truth=np.array([0, 0, 1, -1]),
        truth_names=("left", "right"),
        truth_column="side",
        notes=("made by hand",),
    )
    return artefact(
        "points", noun, component="reader/csv", source="points.csv", source_sha256="0" * 64
    )


def customers() -> Dataset:
    """A column of every type, each with a value that is missing, and with several roles."""
    unknown = float("nan")
    return Dataset(
        title="Customers",
        features=np.array([[1.5, 0.0], [unknown, 86_400.0], [3.0, unknown]]),
        columns=("spent", "since"),
        table=(
            Column("spent", np.array([1.5, unknown, 3.0]), unit="€", why="Numbers in €."),
            Column("since", np.array([0.0, 86_400.0, unknown]), "date"),
            category("town", ["Graz", "", "Wien"], role="label"),
            Column("size", np.array([1, -1, 0]), "ordered", categories=("small", "large")),
            Column("remark", ["", "pays late", "日本"], "text", "information", notes=("short",)),
            Column("number", ["007", "", "12"], "identifier", "name"),
            Column("counts", np.array([1.0, 2.0, 0.5]), role="weight"),
        ),
    )


def artefacts() -> list[Artefact]:
    """Return one artefact of every type, and of every form a matrix can have."""
    data = points()
    sparse: Any = csr_array(np.eye(4))
    dense = np.exp(-np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0))))
    steps = np.arange(3)
    about: list[tuple[str, Any]] = [
        ("dense", Affinity(values=dense, title="Similarity", details={"sigma": 0.5})),
        ("sparse", Affinity(sparse=sparse)),
        ("factor", Affinity(factor=np.ones((4, 2), dtype=np.float32), symmetric=True)),
        ("groups", Clustering(labels=np.array([0, 0, 1, -1]), names=("one", "two"))),
        ("order", Ranking(scores=np.array([0.1, 0.7, 0.2, 0.0]))),
        ("plane", Embedding(coordinates=np.zeros((4, 2)), spectrum=np.array([2.0, 1.0]))),
        ("spectrum", Spectrum(eigenvalues=np.array([1 + 2j, 0.5]), suggested_k=1)),
        ("map", Labelling(classes=np.zeros((2, 3), dtype=np.uint8), names=("water",))),
        ("model", Model(arrays={"mean": np.zeros(2), "a/b": np.ones(1)}, settings={"k": 3})),
        ("score", Score(value=0.75, table=np.array([[2, 0], [0, 1]]))),
        (
            "trace",
            Trace(iterations=steps, values={"objective": steps * 1.0, "support": steps * 1.0}),
        ),
    ]
    sparse_features = Dataset(title="Words", features=sparse, columns=("a", "b", "c", "d"))
    return [
        data,
        artefact("words", sparse_features),
        artefact("customers", customers()),
        artefact("texts", Dataset(kind="texts", texts=("one", "two\nlines"))),
        *(artefact(name, noun, data.key, component=f"test/{name}", seed=0) for name, noun in about),
    ]


def content(made: Iterable[Artefact], **changes: Any) -> Content:
    keys = tuple(entry.key for entry in made)
    values: dict[str, Any] = {
        "title": "Two groups",
        "created": CREATED,
        "recipe": RECIPE,
        "view": {"panels": ["data"]},
        "keys": keys,
    }
    return Content(**(values | changes))


def finder(made: Iterable[Artefact]) -> Callable[[str], Artefact | None]:
    return {entry.key: entry for entry in made}.get


def save(
    path: Path, made: Iterable[Artefact] | None = None, *, versions: int = 1, **changes: Any
) -> list[Artefact]:
    """Save a project of `made`, by default one of every type, and return what is in it."""
    kept = list(artefacts() if made is None else made)
    save_project(path, content(kept, **changes), find=finder(kept), versions=versions)
    return kept


def same(first: Artefact, second: Artefact) -> bool:
    """Return whether two artefacts agree in every part, NaN being equal to NaN."""
    a, b = first.encoded, second.encoded
    if (first.key, first.dataset, dict(first.provenance)) != (
        second.key,
        second.dataset,
        dict(second.provenance),
    ):
        return False
    if (a.type, a.version, a.strings, a.arrays.keys()) != (
        b.type,
        b.version,
        b.strings,
        b.arrays.keys(),
    ):
        return False
    if repr(sorted(a.meta.items())) != repr(sorted(b.meta.items())):
        return False
    return all(_same_array(a.arrays[name], b.arrays[name]) for name in a.arrays)


def _same_array(a: Any, b: Any) -> bool:
    if a.shape != b.shape or (a.dtype != b.dtype and a.dtype.kind != "U"):
        return False
    return bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fcmM"))
