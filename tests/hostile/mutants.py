"""Projects that are well-formed HDF5 and wrong all the same: one change to a whole one."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from tests.projects.store.hdf5 import samples

NAMES = {
    "data": "data",
    "dense": "kernel/gaussian",
    "sparse": "graph/knn",
    "factor": "kernel/pck",
    "groups": "clusterer/dominant-sets",
    "order": "ranker/membership",
    "plane": "embedder/pca",
    "score": "metric/nmi",
}
EVIL = ('"><script>alert(1)</script>', "x" * 900, "../../etc/passwd", "\u202e\ud7ff", "nan", "")
NUMBERS = (0, 1, -1, 2**31, -(2**31), 2**40, 2**62, -(2**63), 2**63 - 1)
FLOATS = (0.0, -1.0, 1e308, -1e308, float("nan"), float("inf"), 5e-324)


def whole_project(path: Path) -> bytes:
    """Save a project with a result of every kind, each a step of its recipe; return its bytes."""
    made = samples.artefacts()
    steps = {"data": {"key": samples.points().key, "parts": {}}}
    recipe = ['title = "Two groups"\n[data]\nopen = "points.csv"\n']
    for name, use in NAMES.items():
        if name != "data":
            steps[name] = {"key": samples.key_of(name), "parts": {}}
            recipe.append(f'[[step]]\nname = "{name}"\nuse = "{use}"\nof = "data"\n')
    steps["groups"]["parts"] = {"trace": samples.key_of("trace")}
    samples.save(path, made, steps=steps, recipe="".join(recipe))
    return path.read_bytes()


def mutate(path: Path, rng: random.Random) -> str:
    """Make one to three changes to a project file; return what they were."""
    changes = (_number, _number, _shape, _text, _attribute, _attribute, _remove, _json, _move)
    said = []
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        for _ in range(rng.choice((1, 1, 2, 3))):
            change = rng.choice(changes)
            # What an earlier change has spoilt may be beyond this one.
            with contextlib.suppress(ValueError, LookupError, RuntimeError, TypeError, OSError):
                said.append(f"{change.__name__[1:]} {change(file, rng)}")
    return "; ".join(said)


def _datasets(file: h5py.File, kinds: str) -> list[h5py.Dataset]:
    found: list[h5py.Dataset] = []

    def note(_name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset) and item.dtype.kind in kinds:
            found.append(item)

    file.visititems(note)
    return found


def _replace(dataset: h5py.Dataset, array: Any) -> None:
    parent, name = dataset.parent, dataset.name.rpartition("/")[2]
    kept = dict(dataset.attrs)
    del parent[name]
    made = parent.create_dataset(name, data=array)
    for key, value in kept.items():
        made.attrs[key] = value


def _number(file: h5py.File, rng: random.Random) -> str:
    """One number, or all of them, becomes extreme."""
    dataset = rng.choice(_datasets(file, "iufc"))
    array = np.array(dataset[()])
    flat = array.reshape(-1)
    kind = array.dtype.kind
    if not flat.size:
        return "nothing"
    value: Any = rng.choice(FLOATS if kind in "fc" else NUMBERS)
    if kind in "iu":
        limits = np.iinfo(array.dtype)
        value = min(max(value, int(limits.min)), int(limits.max))
    with np.errstate(all="ignore"):
        if rng.random() < 0.5:
            flat[rng.randrange(flat.size)] = value
        else:
            flat[:] = value
    _replace(dataset, array)
    return f"{dataset.name if dataset else ''} {value}"


def _shape(file: h5py.File, rng: random.Random) -> str:
    """An array has another shape or type, or ten million entries that pack to nothing."""
    dataset = rng.choice(_datasets(file, "iufcb"))
    name = dataset.name
    array = np.array(dataset[()])
    way = rng.choice(("empty", "flat", "column", "scalar", "twice", "floats", "whole", "many"))
    if way == "many":
        parent, last = dataset.parent, name.rpartition("/")[2]
        kept = dict(dataset.attrs)
        del parent[last]
        shape = (10_000_000,) if array.ndim < 2 else (5_000_000, 2)
        made = parent.create_dataset(
            last, shape, array.dtype, compression=9, shuffle=True, chunks=(1 << 18, 2)[: len(shape)]
        )
        made[...] = np.zeros(shape, array.dtype)
        for key, value in kept.items():
            made.attrs[key] = value
        return f"{name} {way}"
    with np.errstate(all="ignore"):
        ways: dict[str, Callable[[], Any]] = {
            "empty": lambda: array.reshape(-1)[:0],
            "flat": lambda: array.reshape(-1),
            "column": lambda: array.reshape(-1, 1),
            "scalar": lambda: np.zeros((), array.dtype),
            "twice": lambda: np.concatenate([np.atleast_1d(array)] * 2),
            "floats": lambda: array.real.astype("f4"),
            "whole": lambda: np.nan_to_num(array.real).astype("i2"),
        }
        changed = ways[way]()
    _replace(dataset, changed)
    return f"{name} {way}"


def _text(file: h5py.File, rng: random.Random) -> str:
    """A text becomes another, or is not UTF-8."""
    dataset = rng.choice(_datasets(file, "S"))
    name = dataset.name
    evil = rng.choice((*(text.encode("utf-8", "replace") for text in EVIL), b"\xff\xfe\xfa"))
    if dataset.shape == ():
        _replace(dataset, np.bytes_(evil or b" "))
    else:
        _replace(dataset, np.array([evil or b" "] * rng.choice((1, dataset.size or 1))))
    return f"{name} {evil!r:.30}"


def _attribute(file: h5py.File, rng: random.Random) -> str:
    """An attribute has another value or type."""
    owners: list[Any] = [file]
    file.visititems(lambda _name, item: owners.append(item) if len(item.attrs) else None)
    owner = rng.choice(owners)
    name = rng.choice(list(owner.attrs))
    value: Any = rng.choice((*NUMBERS, *FLOATS, *EVIL, True))
    if isinstance(value, str):
        value = np.bytes_(value.encode("utf-8", "replace") or b" ")
    owner.attrs[name] = value
    return f"{name} of {owner.name} = {value!r:.30}"


def _remove(file: h5py.File, rng: random.Random) -> str:
    """Something is missing."""
    names: list[str] = []
    file.visit(names.append)
    name = rng.choice(names)
    del file[name]
    return name


def _json(file: h5py.File, rng: random.Random) -> str:
    """One value deep in some JSON becomes something else."""
    texts = [d for d in _datasets(file, "S") if d.shape == () and d.name != "/recipe"]
    dataset = rng.choice(texts)
    name = dataset.name
    value: Any = json.loads(dataset[()])
    evil: Any = rng.choice((None, [], {}, 2**70, 1e400, "x", [[[]]], {"a": {"b": []}}, *EVIL))
    at = value
    while isinstance(at, dict) and at:
        key = rng.choice(list(at))
        if not isinstance(at[key], dict) or rng.random() < 0.4:
            at[key] = evil
            break
        at = at[key]
    else:
        value = {"details": evil, "new": evil}
    _replace(dataset, np.bytes_(json.dumps(value).encode()))
    return f"{name} {evil!r:.30}"


def _move(file: h5py.File, rng: random.Random) -> str:
    """Something has the place of another."""
    names: list[str] = []
    file.visit(names.append)
    one, other = rng.choice(names), rng.choice(names)
    if one == other or other.startswith(one) or one.startswith(other):
        return "nothing"
    del file[other]
    file.move(one, other)
    return f"{one} to {other}"
