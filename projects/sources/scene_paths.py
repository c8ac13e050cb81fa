"""Scenes in project files: a name and no place, which is looked up among the recipe's sources.

In the workspace a raster says where its file is on this machine. A project file goes to other
people and machines: it holds the name alone, and what it says of a place is not believed. The place
is that of a source of the recipe which may be read, that is, which is in the project's folder or
was confirmed by a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.core.formats.rasters.truth import TRUTH
from coterie.core.model.artefacts import Artefact
from coterie.core.model.dataset import SCENE


def without_place(artefact: Artefact) -> Artefact:
    """Return an artefact as it goes into a project file: scenes by their names alone."""
    return _with_paths(artefact, lambda path: Path(path).name)


def with_place(artefact: Artefact, sources: Iterable[str]) -> Artefact:
    """Return an artefact from a project file, its scenes where the readable `sources` lie."""
    known = [Path(source) for source in sources]

    def place(path: str) -> str:
        name = Path(path).name
        for source in known:
            if source.name == name:
                return str(source)
            if source.parent.name == name:  # a product that was opened by its metadata file
                return str(source.parent)
        for source in known:  # a mask, or pixels beside their header
            if name and (beside := source.with_name(name)).exists():
                return str(beside)
        return name

    return _with_paths(artefact, place)


def with_moved(artefact: Artefact, old: Path, new: Path) -> Artefact:
    """Return an artefact whose scenes were at `old`, or beside it, and now are at or by `new`."""

    def place(path: str) -> str:
        here = Path(path)
        if here in (old, Path(old.name)):  # as in the workspace, as in a project file
            return str(new)
        if here in (old.parent, Path(old.parent.name)):  # opened by its metadata file
            return str(new.parent)
        if here.parent in (old.parent, Path()) and here.name:
            return str(new.with_name(here.name))
        return path

    return _with_paths(artefact, place)


def _with_paths(artefact: Artefact, change: Callable[[str], str]) -> Artefact:
    details = artefact.encoded.meta.get("details")
    if not isinstance(details, Mapping) or SCENE not in details:
        return artefact
    changed = dict(details)
    changed[SCENE] = _moved(changed[SCENE], change)
    mask = changed.get(TRUTH)
    if isinstance(mask, Mapping):
        changed[TRUTH] = {**mask, "scene": _moved(mask.get("scene"), change)}
    if changed == details:
        return artefact
    meta = {**artefact.encoded.meta, "details": changed}
    return replace(artefact, encoded=replace(artefact.encoded, meta=meta))


def _moved(scene: Any, change: Callable[[str], str]) -> Any:
    if not isinstance(scene, Mapping) or not isinstance(scene.get("path"), str):
        return scene
    moved = {**scene, "path": change(scene["path"])}
    validity = scene.get("validity")
    if isinstance(validity, Mapping):
        moved["validity"] = {**validity, "scene": _moved(validity.get("scene"), change)}
    return moved
