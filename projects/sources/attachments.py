"""Data files kept inside a project, so it opens without them.

A kept file is a part of its source's result: a model with the bytes of the file, and of those
that are read beside it. On opening, when the file itself is not in reach, the bytes are written
into the workspace and read from there; the recipe goes on naming the file's own place.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError, DataError
from coterie.core.model.arrays import Array
from coterie.core.model.artefacts import Artefact, part_key
from coterie.core.model.dataset import SCENE
from coterie.core.model.encoding import encode
from coterie.core.model.results import Model
from coterie.core.wording import size_in_words
from coterie.projects.recipe.toml import is_sample
from coterie.projects.sources.relink import MissingFile, require_same
from coterie.projects.store.artefacts import Storage
from coterie.projects.store.state import ProjectState

FILE = "file"  # the part of a source's result
FOLDER = "embedded"  # of a workspace
# It is held in memory while a project is saved or opened.
MOST_BYTES = 2 << 30
_LATEST = 1 << 62  # of times in nanoseconds: beyond it, no disk keeps them


def files_to_embed(path: Path, provenance: Mapping[str, Any]) -> tuple[Path, ...]:
    """Return the file of a source and those that were read beside it, or say why they cannot be."""
    if path.is_dir():
        raise DataError(
            f"'{path.name}' is a folder; only files can be attached. Keep it beside the "
            "project instead and move both together.",
            code="is-a-folder",
        )
    if not path.is_file():
        raise DataError(
            f"'{path}' does not exist, so it cannot be attached. Locate the file first.",
            code="file-not-found",
        )
    beside = provenance.get("companions")
    names = [Path(str(name)).name for name in beside] if isinstance(beside, Mapping) else []
    files = (path, *(path.with_name(name) for name in names if (path.with_name(name)).is_file()))
    total = sum(file.stat().st_size for file in files)
    if total > MOST_BYTES:
        raise DataError(
            f"'{path.name}' has {size_in_words(total)}; a project can store up to "
            f"{size_in_words(MOST_BYTES)}. Keep it beside the project instead.",
            code="file-too-large",
        )
    return files


def attached_artefact(key: str, path: Path, provenance: Mapping[str, Any]) -> Artefact:
    """Return the part that holds the file of a source, whose result has that key."""
    files = files_to_embed(path, provenance)
    if (lost := MissingFile.of(provenance)) is not None:
        require_same(lost, path)
    arrays = {str(i): np.fromfile(file, dtype=np.uint8) for i, file in enumerate(files)}
    # With its time: of large rasters it is a part of what they are known by.
    told = [{"name": file.name, "time": file.stat().st_mtime_ns} for file in files]
    model = Model(title=f"File {path.name}", arrays=arrays, settings={"files": told})
    about = {"component": provenance.get("component", ""), "part": FILE}
    # About no dataset: it must be in the workspace before the dataset is, which is in it.
    return Artefact(part_key(key, FILE), encode(model), None, about)


def take_out(storage: Storage, kept: ProjectState) -> dict[str, Path]:
    """Write the kept files of sources whose own are not in reach; return where they are now."""
    places: dict[str, Path] = {}
    for source in kept.recipe.sources:
        computed = kept.computed.get(source.name)
        key = computed.parts.get(FILE) if computed is not None else None
        if key is None or is_sample(source) or not storage.holds(key):
            continue
        # Of a path that leads out of the project's folder, not even its existence is asked.
        with contextlib.suppress(OSError, CoterieError):
            if source.open in kept.unconfirmed or not Path(source.open).exists():
                storage.bring((key,))
                place = _written(storage, key, Path(source.open).name)
                places[source.name] = place
                # Views ask for the data as soon as the project is begun: they say by then.
                storage.move_scene(Path(source.open), place, _dataset_keys(kept, source.name))
    return places


def take_out_again(storage: Storage, kept: ProjectState) -> dict[str, Path]:
    """The same for work that is restored: its scenes were in a workspace that is gone."""
    places = take_out(storage, kept)
    for name, place in places.items():
        keys = _dataset_keys(kept, name)
        with contextlib.suppress(CoterieError):
            if keys[0] in storage.workspace:
                scene = storage.workspace.load(keys[0]).details.get(SCENE, {})
                storage.move_scene(Path(str(scene.get("path", ""))), place, keys)
    return places


def _dataset_keys(kept: ProjectState, name: str) -> list[str]:
    """The keys of a source's result, and of what was made of it."""
    names = (name, *(step.name for step in kept.recipe.dependents(name)))
    return [kept.computed[one].key for one in names if one in kept.computed]


def _written(storage: Storage, key: str, name: str) -> Path:
    folder = storage.folder / FOLDER / key[:16]
    kept = _contents(storage.workspace.load(key))
    folder.mkdir(parents=True, exist_ok=True)
    for number, (told, content, when) in enumerate(kept):
        file = folder / _plain(name if number == 0 else told)  # the first as the recipe has it
        content.tofile(file)
        os.utime(file, ns=(when, when))
    return folder / name


def _contents(noun: Any) -> list[tuple[str, Array, int]]:
    """Names, bytes and times of kept files; a project from elsewhere may say anything there."""
    try:
        return [
            (
                str(told["name"]),
                np.asarray(noun.arrays[str(number)], dtype=np.uint8),
                min(max(int(told["time"]), 0), _LATEST),
            )
            for number, told in enumerate(noun.settings["files"])
        ]
    except (AttributeError, LookupError, TypeError, ValueError, OverflowError) as error:
        raise DataError(
            "The list of attached files in the project is damaged.", code="file-damaged"
        ) from error


def _plain(name: str) -> str:
    """The name alone, with no way to another folder."""
    last = Path(name).name
    if last in ("", "..") or "\0" in last:
        raise DataError(f"An attached file has the invalid name '{name:.80}'.", code="file-damaged")
    return last
