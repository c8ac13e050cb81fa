"""The map itself: layers of tiles and dots under one mouse, with scale, north and regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPointF

from coterie.core.formats.rasters.windows import Window
from coterie.core.model.arrays import Array
from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.dots import DotsItem, DotStyle
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.map.base_layer import Ground, PreparedOverviews
from coterie.gui.views.map.canvas_items import MapFurniture, RegionItem, TileItem, image_of
from coterie.gui.views.map.layers.build import SELECTED
from coterie.gui.views.map.layers.state import Layer, LayerKey, Setting
from coterie.gui.views.map.mouse import MapBox
from coterie.gui.views.map.state import MapState
from coterie.gui.views.map.tile_cache import visible
from coterie.gui.views.map.tile_painter import PaintedTile, TileRequest
from coterie.gui.views.shown_items.colouring import Colouring
from coterie.gui.views.shown_items.legend import Legend

_RIM = "#20242a"
BATCH = 6  # tiles drawn in one go on the thread, so what is seen can change in between


class MapCanvas(QObject):
    """Draws a map's layers, and says which tiles it lacks."""

    def __init__(self) -> None:
        super().__init__()
        self.canvas = plotting.canvas("Map of the scene")
        self.box = MapBox()
        self.canvas.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.canvas.ci.addItem(self.box, 0, 0)
        self._legend = Legend()  # for pictures; on the screen it stands beside the map
        self.canvas.ci.addItem(self._legend, 0, 1)
        self._legend.give_way(True)
        self.tiles: dict[LayerKey, TileItem] = {}
        self.dots: dict[LayerKey, DotsItem] = {}
        self.layers: list[Layer] = []
        self._items = 0
        self.hidden = False  # flicker: only the scene is seen
        self.explained: LayerKey | None = None
        self.colouring: Colouring | None = None  # of the layer that is explained
        self._ground: Ground | None = None
        self._prepared: PreparedOverviews | None = None
        self._drawn_of_sketch = -1.0  # share of the scene that had been read then
        self._settings: dict[LayerKey, Setting] = {}
        self.regions = RegionItem()
        self.regions.setZValue(900)
        self.box.addItem(self.regions, ignoreBounds=True)
        self._picks = pg.ScatterPlotItem(symbol="+", size=15, pxMode=True)
        self._picks.setZValue(950)
        self.box.addItem(self._picks, ignoreBounds=True)
        self._place = pg.ScatterPlotItem(symbol="o", size=26, pxMode=True, brush=None)
        self._place.setPen(pg.mkPen(SELECTED, width=3))
        self._place.setZValue(960)
        self.box.addItem(self._place, ignoreBounds=True)
        self.furniture = MapFurniture(self.box)
        self.box.sigRangeChanged.connect(self._on_moved)
        self.box.sigResized.connect(self._on_moved)

    def restyle(self) -> None:
        """Take the colours of the theme again."""
        colours = theme.current()
        plotting.style_canvas(self.canvas, colours)
        self.box.restyle(colours)

    # What is drawn

    def show_ground(self, ground: Ground, prepared: PreparedOverviews | None) -> None:
        """Lay the layers over this ground."""
        if ground is not self._ground:
            for item in self.tiles.values():
                item.store.clear()
            self._ground, fresh = ground, True
        else:
            fresh = False
        self._prepared = prepared
        metres = prepared.metres if prepared is not None else 0.0
        self.furniture.show_place(metres, ground.north())
        if fresh:
            self.fit()

    def show_sketch(self, prepared: PreparedOverviews) -> None:
        """Draw what has been read by now of a scene whose smaller copies are being made."""
        if self._ground is None or prepared.sketch is None:
            return
        if self._prepared is not prepared:
            self._drawn_of_sketch = -1.0
            self.show_ground(self._ground, prepared)
        if prepared.sketch.done > self._drawn_of_sketch:
            self._drawn_of_sketch = prepared.sketch.done
            self.outdate_scene()

    def show_layers(self, state: MapState, layers: Sequence[Layer]) -> None:
        """Draw these layers as they are set."""
        self.layers, self._items = list(layers), state.n
        self._settings = {layer.key: state.setting(layer.key) for layer in layers}
        for key in (*self.tiles, *self.dots):
            if key not in self._settings:
                for items in (self.tiles, self.dots):
                    if key in items:
                        items[key].hide()
        for height, layer in enumerate(layers):
            item = self._dots_of(layer) if layer.is_dots else self._tiles_of(layer)
            other = (self.tiles if layer.is_dots else self.dots).get(layer.key)
            if other is not None:
                other.hide()
            item.setZValue(10 * height)
            item.setOpacity(self._settings[layer.key].opacity)
        self._show_visible()
        self._explain()

    def flicker(self, hidden: bool) -> None:
        """Hide all but the scene, or show it again."""
        if hidden != self.hidden:
            self.hidden = hidden
            self._show_visible()

    def show_regions(self, state: MapState, last: Array | None) -> None:
        """Draw the regions and the shape that was drawn last."""
        if state.ground is None:
            return
        ground = state.ground
        shapes = [(region.name, region.in_pixels(ground)) for region in state.regions.listed]
        self.regions.show_regions(shapes, last, theme.current().accent)

    def show_picks(self, picks: Sequence[tuple[int, int]], colours: Sequence[str]) -> None:
        """Mark the pixels whose spectra are shown, (row, column) each."""
        self._picks.setData(
            x=[column + 0.5 for _, column in picks],
            y=[row + 0.5 for row, _ in picks],
            pen=[pg.mkPen(colour, width=2.5) for colour in colours[: len(picks)]],
        )

    def show_place(self, place: tuple[int, int] | None) -> None:
        """Mark a pixel that a person is asked about, (row, column); None for none."""
        found = [] if place is None else [place]
        self._place.setData(
            x=[column + 0.5 for _, column in found], y=[row + 0.5 for row, _ in found]
        )

    def look_at(self, row: int, column: int, reach: int) -> None:
        """Show a pixel in the middle, and so many around it."""
        middle = column + 0.5, row + 0.5
        x, y = ((value - reach, value + reach) for value in middle)
        self.box.setRange(xRange=x, yRange=y, padding=0)

    def fit(self) -> None:
        """Show the whole ground."""
        if self._ground is not None:
            ground = self._ground
            self.box.setRange(xRange=(0, ground.width), yRange=(0, ground.height), padding=0.02)

    # Tiles

    def wishes(self) -> list[TileRequest]:
        """Return the tiles that are seen and not drawn yet, a few of them."""
        ground, prepared = self._ground, self._prepared
        if ground is None or prepared is None:
            return []
        (x0, x1), (y0, y1) = self.box.viewRange()
        level = prepared.level_for(float(self.box.viewPixelSize()[0]))
        wanted = visible(level, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
        found: list[TileRequest] = []
        for layer in self.layers:
            item = self.tiles.get(layer.key)
            if layer.is_dots or item is None or not self._settings[layer.key].visible:
                continue
            if item.wanted != wanted:
                item.wanted = wanted
                item.update()
            found += [TileRequest(layer, at) for at in item.store.missing(wanted, layer.version)]
        return found[:BATCH]

    def take(self, tiles: Sequence[PaintedTile]) -> None:
        """Keep tiles that were drawn."""
        for tile in tiles:
            item = self.tiles.get(tile.key)
            if item is not None:
                item.store.put(tile.address, tile.version, image_of(tile.picture))
                item.update()

    def outdate(self, key: LayerKey, window: Window) -> None:
        """Have a part of a layer drawn again."""
        if key in self.tiles:
            self.tiles[key].store.outdate({}, window)

    def outdate_scene(self) -> None:
        """Have the whole scene drawn again; it stays on the screen until it is."""
        if self._ground is not None:
            self.outdate("scene", Window(0, 0, self._ground.height, self._ground.width))

    def pointer(self, scene: QPointF) -> tuple[float, float] | None:
        """Return the place under the pointer in columns and rows."""
        if not self.box.sceneBoundingRect().contains(scene):
            return None
        point = self.box.mapSceneToView(scene)
        return float(point.x()), float(point.y())

    # Inside

    def _on_moved(self, *_: Any) -> None:
        self.furniture.prepareGeometryChange()
        self.furniture.update()

    def _tiles_of(self, layer: Layer) -> TileItem:
        item = self.tiles.get(layer.key)
        if item is None:
            item = self.tiles[layer.key] = TileItem(is_picture=layer.codes is None)
            self.box.addItem(item, ignoreBounds=True)
        if self._ground is not None:
            item.set_area(self._ground.height, self._ground.width)
        return item

    def _dots_of(self, layer: Layer) -> DotsItem:
        item = self.dots.get(layer.key)
        if item is None:
            item = self.dots[layer.key] = DotsItem()
            self.box.addItem(item, ignoreBounds=True)
        assert layer.dots is not None
        assert layer.rows is not None
        assert layer.columns is not None
        chosen = layer.key == "selection"
        size = _dot_size(self._items)
        looks = tuple(DotStyle("#" + bytes(c).hex(), size, 235, _RIM) for c in layer.colours)
        if chosen:  # a ring, so the group is seen inside it
            looks = (DotStyle(SELECTED, size + 2.5, 70, SELECTED),)
        item.set_dots(layer.columns + 0.5, layer.rows + 0.5, layer.dots, looks)
        return item

    def _show_visible(self) -> None:
        for layer in self.layers:
            item = self.dots.get(layer.key) if layer.is_dots else self.tiles.get(layer.key)
            if item is not None:
                seen = self._settings[layer.key].visible
                item.setVisible(seen and (layer.key == "scene" or not self.hidden))

    def _explain(self) -> None:
        """Explain the colours of the topmost layer that has a meaning."""
        explained = [
            layer
            for layer in self.layers
            if self._settings[layer.key].visible and (layer.entries or layer.scale)
        ]
        self.explained, self.colouring = None, None
        if explained:
            layer = explained[-1]
            self.explained = layer.key
            none = np.zeros(0, dtype=np.int64)
            low, high = layer.ends
            shades = ("", *layer.scale)
            self.colouring = Colouring(layer.title, none, shades, layer.entries, low, high)

    @contextmanager
    def legend_inside(self) -> Iterator[None]:
        """Have the legend on the canvas as well, for a picture that goes elsewhere."""
        layout = self.canvas.ci.layout
        if self.colouring is not None:
            self._legend.show_colouring(self.colouring)
            self._legend.give_way(False)
            layout.setContentsMargins(0, 0, 8, 0)
            layout.activate()
        try:
            yield
        finally:
            self._legend.give_way(True)
            layout.setContentsMargins(0, 0, 0, 0)
            layout.activate()


def _dot_size(n: int) -> float:
    for most, size in ((300, 7.5), (1000, 6.0), (3000, 4.5)):
        if n <= most:
            return size
    return 3.5
