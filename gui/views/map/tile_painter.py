"""Draws tiles of a map as bytes; called on a thread, a few tiles at a time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.views.map.bands import BandSettings, shaded
from coterie.gui.views.map.base_layer import Ground, PreparedOverviews, read_tile
from coterie.gui.views.map.layers.class_sources import coloured
from coterie.gui.views.map.layers.state import Layer, LayerKey
from coterie.gui.views.map.tile_cache import Address
from coterie.projects.sources.rasters import OpenScene


@dataclass(frozen=True, eq=False)
class TileRequest:
    """A tile that is wanted."""

    layer: Layer
    address: Address


@dataclass(frozen=True, eq=False)
class PaintedTile:
    """A tile that was drawn: (height, width, 4) bytes."""

    key: LayerKey
    version: Hashable
    address: Address
    picture: Bytes


def draw_tiles(
    ground: Ground, prepared: PreparedOverviews, look: BandSettings, wishes: Sequence[TileRequest]
) -> list[PaintedTile]:
    """Read and colour some tiles; the files are open for no longer than that."""
    limits = prepared.limits(ground, look.bands, look.low, look.high)
    tiles = []
    scene: Any = nullcontext(None)
    if ground.scene is not None and any(wish.layer.key == "scene" for wish in wishes):
        made = prepared.levels if prepared.sketch is None else ()
        scene = OpenScene(ground.scene, made)
    with scene as opened:
        for wish in wishes:
            level = prepared.levels[wish.address.level]
            window = wish.address.window(level)
            layer = wish.layer
            if layer.codes is None:
                values, valid = read_tile(
                    ground, opened, level, window, look.bands, prepared.sketch
                )
                picture = shaded(values, valid, limits, look.gamma)
            else:
                whole = wish.address.ground(level, ground.height, ground.width)
                picture = coloured(layer.codes.read(whole, window.shape), layer.colours)
            tiles.append(PaintedTile(layer.key, layer.version, wish.address, picture))
    return tiles
