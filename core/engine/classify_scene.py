"""Classifies a whole scene with the models that the steps of a recipe left, and writes the map."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from coterie.core.api.context import Context
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.fitted_chain import open_chain
from coterie.core.engine.messages import Classify
from coterie.core.errors import DataError
from coterie.core.formats.maps.accuracy_report import beside_truth, compare, write_accuracy
from coterie.core.formats.maps.error_maps import class_called, write_errors
from coterie.core.formats.maps.uncertainty import uncertainty_path, write_uncertainty
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.maps import MapGrid, write_areas, write_look, write_map_at
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.tiles import PartialMap, classify_scene
from coterie.core.io.fingerprints import file_hash
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import canonical_json
from coterie.core.wording import counted


def classify(
    order: Classify, registry: Registry, workspace: Workspace, context: Context
) -> list[str]:
    """Write the map of a scene; return what a person should know of it."""
    target = Path(order.target)
    chain = open_chain(order, registry, workspace, context)
    scene, truth = chain.scene, chain.truth
    table = class_table(chain.k, chain.names, order.merge, order.colours)
    of = -1
    if order.errors:
        if truth is None:
            raise DataError(
                "An error map needs a mask of known classes. Name one.",
                code="known-classes-needed",
            )
        of = class_called(order.errors_of, truth.names)
    unsure = order.uncertainty
    identity = _identity(order, scene, context)
    partial = PartialMap(target, scene, table, identity, uncertainty=unsure)
    label = chain.classify if unsure else chain.label
    try:
        classify_scene(
            scene, label, table, partial, context, reach=chain.reach, by_window=chain.by_window
        )
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
    if partial.doubts is not None:
        mean = write_uncertainty(target, grid, partial.doubts.read, context.check)
        if mean is not None:
            named = uncertainty_path(target).name
            notes.append(f"'{named}' shows how uncertain each pixel is: {mean:.0%} on average.")
    if truth is not None:
        with beside_truth(grid, partial.read, truth) as both:
            found = compare(both, grid.height, grid.names, truth.names, context.check)
            write_accuracy(target.with_suffix(".accuracy.csv"), found.accuracy)
            notes += found.in_words()
            if order.errors:
                place = Path(order.errors)
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


def _identity(order: Classify, scene: Scene, context: Context) -> str:
    """The same for the same work: only then may a run that was broken off be gone on with."""
    pixels = file_hash(Path(scene.path), context.check, partly=True)
    described = replace(scene, path=scene.name).as_json()
    asked = {"uses": order.methods, "merge": order.merge}
    work = [pixels, described, asked, order.models]
    return hashlib.sha256(canonical_json(work).encode()).hexdigest()
