"""Classifies a whole scene with the models that a recipe's steps left, and writes the map.

It is asked for like a step, by an order whose method is `CLASSIFY`: its inputs are the keys of the
models, and its path is the map to write.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from coterie.core.artefacts import canonical_json
from coterie.core.catalogue.registry import Registry
from coterie.core.components import Component, Transform
from coterie.core.context import Context
from coterie.core.dataset import Dataset
from coterie.core.engine.messages import Order
from coterie.core.errors import DataError, PluginError, RecipeError
from coterie.core.fingerprints import file_hash
from coterie.core.parameters import parse_params
from coterie.core.rasters.classes import class_table
from coterie.core.rasters.judging import judge_map
from coterie.core.rasters.maps import MapGrid, write_areas, write_look, write_map
from coterie.core.rasters.scene import Scene, scene_of
from coterie.core.rasters.tiles import PartialMap, classify_scene
from coterie.core.rasters.truth import find_truth, parse_classes
from coterie.core.results import Clustering, Model
from coterie.core.workspace import Workspace

CLASSIFY = "engine/classify"


@dataclass(frozen=True)
class Link:
    """A step that is replayed on every tile: a transform, or at the end the classifier."""

    component: Component
    model: Model


def classify(order: Order, registry: Registry, workspace: Workspace, context: Context) -> list[str]:
    """Write the map of a scene; return what a person should know of it.

    The order's params: `reader` and `reader_params` of the scene, its path `scene`; `uses`, the
    methods in order with the classifier last, for which `inputs` are the keys of the models, empty
    for those without one; `columns` that the first of them learnt from; `merge` and `colours`
    as `class_table` takes them; `truth`, the path of a mask, `truth_array` in an .npz,
    `truth_classes`.
    """
    asked = order.params
    target = Path(order.path)
    scene = _scene(asked, registry, context)
    links = _links(asked["uses"], order.inputs, registry, workspace)
    _require_bands(scene, asked.get("columns", ()))
    last = links[-1].model
    table = class_table(
        int(last.settings.get("k", 0)),
        last.settings.get("names", ()),
        asked.get("merge", ()),
        asked.get("colours"),
    )
    truth = None
    if asked.get("truth"):
        array = {"array": asked["truth_array"]} if asked.get("truth_array") else {}
        mask = _opened(asked["truth"], "reader/raster", array, registry, context)
        classes = parse_classes(str(asked.get("truth_classes", "")))
        truth = find_truth(scene, mask, classes, context.check)

    def label(pixels: Dataset) -> Any:
        data = pixels
        for link in links[:-1]:
            data = link.component.apply(link.model, data, context)
        found = links[-1].component.apply(last, data, context)
        if not isinstance(found, Clustering):
            raise PluginError(f"{asked['uses'][-1]} gave no groups. Tell its author.")
        return found.labels

    partial = PartialMap(target, scene, table, _identity(order, scene, context))
    # One after the other, methods that look around a pixel look as far as all of them together.
    reach = 0
    for link in links:
        if isinstance(link.component, Transform):
            reach += link.component.reach(link.model)
    classify_scene(scene, label, table, partial, context, reach=reach)
    grid = MapGrid(
        height=scene.height,
        width=scene.width,
        names=table.names,
        colours=table.colours,
        nodata=table.nodata,
        dtype=table.dtype,
        crs=scene.crs,
        transform=scene.transform,
    )
    notes = _write(target, grid, partial, context)
    if truth is not None:
        notes += judge_map(target, grid, partial.read, truth, context.check)
    partial.remove()
    return notes


def _write(target: Path, grid: MapGrid, partial: PartialMap, context: Context) -> list[str]:
    """The map beside its place, which it takes when all of it is there, and what goes with it."""
    beside = target.with_name(f".{target.stem}-{os.getpid()}{target.suffix}")
    made = {
        beside.with_suffix(".qml"): target.with_suffix(".qml"),
        beside.with_name(f"{beside.name}.aux.xml"): target.with_name(f"{target.name}.aux.xml"),
        beside: target,
    }
    try:
        counts = write_map(beside, grid, partial.read, context.check)
        for file, place in made.items():
            file.replace(place)
    finally:
        for file in made:
            file.unlink(missing_ok=True)
    pixels = counts.sum(axis=0)
    shown = [i for i in range(len(grid.names)) if pixels[i]]
    write_areas(target.with_suffix(".csv"), grid, counts)
    write_look(target.with_suffix(".png"), grid, partial.read, shown)
    total = int(pixels.sum())
    notes = [f"{grid.names[i]}: {pixels[i] / total:.1%} of the valid pixels." for i in shown]
    if missing := grid.height * grid.width - total:
        notes.append(f"{missing:,} pixels without data are not classified.")
    if not grid.crs:
        notes.append("The scene has no coordinate system, and so has the map.")
    return notes


def _scene(asked: Any, registry: Registry, context: Context) -> Scene:
    return _opened(asked["scene"], asked["reader"], asked["reader_params"], registry, context)


def _opened(path: str, use: str, params: Any, registry: Registry, context: Context) -> Scene:
    reader = registry.component(use)
    values = parse_params(reader.Params, params, use)
    data = reader().compute(Path(path), params=values, context=context)
    if not isinstance(data, Dataset) or not data.on_disk:
        raise DataError(f"'{Path(path).name}' is no scene. Open one that reader/raster reads.")
    return scene_of(data)


def _links(
    uses: Sequence[str], keys: Sequence[str], registry: Registry, workspace: Workspace
) -> list[Link]:
    links = []
    for use, key in zip(uses, keys, strict=True):
        component = registry.component(use)()
        if not key:
            if isinstance(component, Transform) and component.chooses_items:
                continue
            raise RecipeError(
                f"{use} left no model, so it cannot be done to new pixels in the same way. "
                "Classify by a recipe without it."
            )
        links.append(Link(component, workspace.load(key)))
    return links


def _require_bands(scene: Scene, columns: Sequence[str]) -> None:
    if columns and len(columns) != len(scene.bands):
        raise DataError(
            f"The recipe learnt from {len(columns)} bands ({', '.join(columns):.120}). "
            f"'{scene.name}' has {len(scene.bands)} ({', '.join(scene.band_names):.120}). "
            "Choose the same ones with --bands."
        )


def _identity(order: Order, scene: Scene, context: Context) -> str:
    """The same for the same work: only then may a run that was broken off be gone on with."""
    pixels = file_hash(Path(scene.path), context.check, partly=True)
    described = replace(scene, path=scene.name).as_json()
    asked = {k: order.params[k] for k in ("uses", "merge") if k in order.params}
    work = [pixels, described, asked, list(order.inputs)]
    return hashlib.sha256(canonical_json(work).encode()).hexdigest()
