"""Classifies a whole scene with the models that a recipe's steps left, and writes the map.

It is asked for like a step, by an order whose method is `CLASSIFY`: its inputs are the keys of the
models, and its path is the map to write.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from coterie.core.api.context import Context
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.fitted_chain import replay_of
from coterie.core.engine.messages import Order
from coterie.core.errors import DataError
from coterie.core.formats.rasters.accuracy_report import beside_truth, compare, write_accuracy
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.error_maps import class_called, write_errors
from coterie.core.formats.rasters.maps import MapGrid, write_areas, write_look, write_map_at
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.tiles import PartialMap, classify_scene
from coterie.core.io.fingerprints import file_hash
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import canonical_json
from coterie.core.wording import counted

CLASSIFY = "engine/classify"


def classify(order: Order, registry: Registry, workspace: Workspace, context: Context) -> list[str]:
    """Write the map of a scene; return what a person should know of it.

    The order's params: those that `replay_of` takes; `merge` and `colours` as `class_table` takes
    them; with a truth, `errors`, the path of a raster of errors, and `errors_of`, the class whose.
    """
    asked = order.params
    target = Path(order.path)
    replay = replay_of(order, registry, workspace, context)
    scene, truth = replay.scene, replay.truth
    table = class_table(replay.k, replay.names, asked.get("merge", ()), asked.get("colours"))
    of = -1
    if asked.get("errors"):
        if truth is None:
            raise DataError(
                "An error map needs a mask of known classes. Name one.",
                code="known-classes-needed",
            )
        of = class_called(str(asked.get("errors_of", "")), truth.names)
    partial = PartialMap(target, scene, table, _identity(order, scene, context))
    try:
        classify_scene(scene, replay.label, table, partial, context, reach=replay.reach)
    except Exception:
        if not partial.done:  # there is nothing to go on with
            partial.remove()
        raise
    grid = MapGrid(
        height=scene.height,
        width=scene.width,
        names=table.names,
        colours=table.colours,
        nodata=table.nodata,
        dtype=table.dtype,
        crs=scene.crs,
        transform=scene.transform,
        ties=scene.ties,
    )
    notes = _write(target, grid, partial, context)
    if truth is not None:
        with beside_truth(grid, partial.read, truth) as both:
            found = compare(both, grid.height, grid.names, truth.names, context.check)
            write_accuracy(target.with_suffix(".accuracy.csv"), found.accuracy)
            notes += found.in_words()
            if asked.get("errors"):
                place = Path(str(asked["errors"]))
                notes += write_errors(place, grid, both, found.into, truth.names, of, context.check)
    partial.remove()
    return notes


def _write(target: Path, grid: MapGrid, partial: PartialMap, context: Context) -> list[str]:
    """The map, and what goes with it."""
    counts = write_map_at(target, grid, partial.read, context.check)
    pixels = counts.sum(axis=0)
    shown = [i for i in range(len(grid.names)) if pixels[i]]
    write_areas(target.with_suffix(".csv"), grid, counts)
    write_look(target.with_suffix(".png"), grid, partial.read, shown)
    total = int(pixels.sum())
    notes = [f"{grid.names[i]}: {pixels[i] / total:.1%} of the valid pixels." for i in shown]
    if not total:
        notes.append(
            "No pixel of the scene has data, so the map is empty. Choose other bands, or "
            "another value for no data."
        )
    elif missing := grid.height * grid.width - total:
        are = "is" if missing == 1 else "are"
        notes.append(f"{counted(missing, 'pixel')} without data {are} not classified.")
    if grid.ties is not None:
        notes.append(
            "The map is located by the tie points of the scene and has no areas: 'gdalwarp "
            "-tps' warps it to a coordinate system."
        )
    elif not grid.crs:
        notes.append("The scene has no coordinate system, so the map has none either.")
    return notes


def _identity(order: Order, scene: Scene, context: Context) -> str:
    """The same for the same work: only then may a run that was broken off be gone on with."""
    pixels = file_hash(Path(scene.path), context.check, partly=True)
    described = replace(scene, path=scene.name).as_json()
    asked = {k: order.params[k] for k in ("uses", "merge") if k in order.params}
    work = [pixels, described, asked, list(order.inputs)]
    return hashlib.sha256(canonical_json(work).encode()).hexdigest()
