"""Looks automatically for scenes that are no longer where the project expects them."""

from __future__ import annotations

import contextlib
from pathlib import Path

from coterie.core.errors import CoterieError
from coterie.projects.recipe.toml import is_sample
from coterie.projects.sources.attachments import FILE
from coterie.projects.sources.relink import MissingFile, find_near
from coterie.projects.store.artefacts import Storage
from coterie.projects.store.state import ProjectState


def moved_scenes(storage: Storage, kept: ProjectState) -> dict[str, Path]:
    """Return where the lost scenes of a project are in its own folder, by the sources' names.

    Of a path that leads out of the folder nothing is asked before a person allows it, not even
    whether it exists; the same bytes in the folder serve as well. A table needs no file any more:
    it is in the project.
    """
    places: dict[str, Path] = {}
    if kept.path is None or storage.opened is None:
        return places
    folder = kept.path.parent
    for source in kept.recipe.sources:
        computed = kept.computed.get(source.name)
        entry = storage.opened.entries.get(computed.key) if computed is not None else None
        if entry is None or entry.kind != "raster" or is_sample(source):
            continue
        outside = source.open in kept.unconfirmed
        with contextlib.suppress(OSError, CoterieError):
            if not outside and Path(source.open).exists():
                continue
            if computed is not None and FILE in computed.parts:
                continue  # it is in the project
            lost = MissingFile.of(storage.provenance_of(entry.key))
            place = find_near(lost, folder) if lost is not None else None
            if place is not None:
                names = (source.name, *(s.name for s in kept.recipe.dependents(source.name)))
                keys = [kept.computed[name].key for name in names if name in kept.computed]
                storage.move_scene(Path(source.open), place, keys)
                places[source.name] = place
    return places
