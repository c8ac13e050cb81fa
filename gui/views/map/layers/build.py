"""Makes the layers of a map from its state: colours, legends, tiles or dots."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.formats.maps.error_maps import ERROR_COLOURS, ERROR_NAMES
from coterie.core.formats.maps.uncertainty import uncertainty_path
from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing.palette import UNASSIGNED, Bytes, group_colour, rgb
from coterie.gui.views.map.layers.class_sources import ArrayCodes, ErrorCodes, FileCodes, ShareCodes
from coterie.gui.views.map.layers.state import TITLES, Layer, LayerKey, entries_of
from coterie.gui.views.shown_items.colouring import by_amount
from coterie.gui.views.shown_items.columns import columns_of

if TYPE_CHECKING:
    from coterie.gui.views.map.state import MapState

# From sure to torn between two classes; light to dark, so it is read without colours too.
UNCERTAINTY = (
    "#fff7ec", "#fee8c8", "#fdd49e", "#fdbb84", "#fc8d59", "#ef6548", "#d7301f", "#b30000",
    "#7f0000", "#4d0000",
)  # fmt: skip
SELECTED = "#ffe14d"  # seen on dark water, green land and brown soil


class LayerMaker:
    """Knows how each layer is drawn."""

    def __init__(self, state: MapState) -> None:
        self._state = state

    def layers(self, selected: Array, *, dark: bool) -> list[Layer]:
        """Return the layers that there are, from the bottom to the top."""
        if self._state.ground is None:
            return []
        none: Bytes = np.zeros((0, 3), dtype=np.uint8)
        found: list[Layer | None] = [
            Layer("scene", TITLES["scene"], none, (self._state.look, id(self._state.ground))),
            self._map_layer(),
            self._uncertainty_layer(),
            self._groups_layer(dark=dark),
            self._truth_layer(),
            self._errors_layer(),
            self._rank_layer(dark=dark),
            self._selection_layer(selected),
        ]
        return [layer for layer in found if layer is not None]

    def _map_layer(self) -> Layer | None:
        made, codes = self._state.made, self._state.map_codes()
        if made is None or codes is None:
            return None
        colours = np.stack([rgb(colour) for colour in made.colours])
        entries = entries_of(made.names, colours, None)
        if any(made.counts):
            counted = zip(entries, made.counts, strict=True)
            entries = tuple(replace(entry, count=count) for entry, count in counted if count)
        version = (made, made.complete)
        return Layer("map", TITLES["map"], colours, version, codes, entries=entries)

    def _uncertainty_layer(self) -> Layer | None:
        made, ground = self._state.made, self._state.ground
        if made is None or ground is None or not made.complete:
            return None
        path = uncertainty_path(made.path)
        try:
            version = path, path.stat().st_mtime_ns
        except OSError:
            return None
        shape = ground.height, ground.width
        colours = np.stack([rgb(colour) for colour in UNCERTAINTY])
        codes = ShareCodes(FileCodes(path, shape, 101), len(colours))
        title = TITLES["uncertainty"]
        layer = Layer("uncertainty", title, colours, version, codes)
        return replace(layer, scale=UNCERTAINTY, ends=("0%", "100%"))

    def _groups_layer(self, *, dark: bool) -> Layer | None:
        codes = self._state.item_classes()
        if codes is None or self._state.classes is None:
            return None
        colours = self._state.classes.colours(dark=dark)
        colours = np.vstack([colours, rgb(group_colour(UNASSIGNED, dark=dark))])
        codes = np.where(codes < 0, len(colours) - 1, codes)
        names = (*self._state.class_names(), "unassigned")
        version = (
            id(self._state.shown.clustering),
            str(self._state.classes.as_json()),
            self._state.session.results.key(self._state.shown.clustering_step),
            dark,
        )
        return self._item_layer("groups", codes, colours, version, names)

    def _truth_layer(self) -> Layer | None:
        known = self._state.truth_codes()
        names = self._state.truth_names()
        colours = _known_colours(len(names))
        if known is not None:
            entries = entries_of(names, colours, None)
            version = (id(self._state.root), str(self._state.known.as_json()))
            return Layer("truth", TITLES["truth"], colours, version, known, entries=entries)
        data = self._state.shown.dataset
        if data is None or data.truth is None or data.n != self._state.n:
            return None
        return self._item_layer("truth", data.truth, colours, id(data), names)

    def _errors_layer(self) -> Layer | None:
        judged, known = self._state.judged(), self._state.truth_codes()
        if judged is None or known is None or self._state.verdict is None:
            return None
        if len(self._state.verdict.names) != len(judged[1]):
            return None
        codes = ErrorCodes(judged[0], known, self._state.verdict.into, self._state.error_of)
        colours = np.stack([rgb(colour) for colour in ERROR_COLOURS])
        names = ERROR_NAMES
        listed = entries_of(names, colours, None)
        kept = (0, 3) if self._state.error_of < 0 else (0, 1, 2)
        taken, into = str(self._state.known.as_json()), self._state.verdict.into
        version = (id(self._state.counted), taken, self._state.error_of, into)
        title = TITLES["errors"]
        if self._state.error_of >= 0:
            title = f"Errors: {self._state.truth_names()[self._state.error_of]}"
        return Layer(
            "errors", title, colours, version, codes, entries=tuple(listed[i] for i in kept)
        )

    def _rank_layer(self, *, dark: bool) -> Layer | None:
        columns = columns_of(self._state.shown)
        ranks = next((column for column in columns if column.kind == "rank"), None)
        if ranks is None or len(ranks.values) != self._state.n:
            return None
        colouring = by_amount(ranks, dark=dark)
        colours = np.stack([rgb(colour) for colour in colouring.colours[1:]])
        version = (
            id(self._state.shown.ranking),
            self._state.session.results.key(self._state.shown.ranking_step),
            dark,
        )
        layer = self._item_layer("rank", colouring.codes - 1, colours, version, ())
        ends = (colouring.low, colouring.high)
        return replace(layer, scale=colouring.scale, ends=ends)

    def _selection_layer(self, selected: Array) -> Layer | None:
        if not self._state.n or len(selected) != self._state.n:
            return None
        codes = np.where(selected, 0, -1)
        colours = rgb(SELECTED)[None]
        return self._item_layer("selection", codes, colours, hash(selected.tobytes()), ())

    def _item_layer(
        self, key: LayerKey, codes: Array, colours: Bytes, version: Any, names: tuple[str, ...]
    ) -> Layer:
        assert self._state.ground is not None
        entries = entries_of(names, colours, codes) if names else ()
        version = (version, self._state.full, self._state.n)
        if self._state.full:
            grid = codes.reshape(self._state.ground.height, self._state.ground.width)
            source = ArrayCodes(grid)
            return Layer(key, TITLES[key], colours, version, source, entries=entries)
        shown = np.flatnonzero(codes >= 0)
        return Layer(
            key,
            TITLES[key],
            colours,
            version,
            rows=self._state.rows[shown],
            columns=self._state.columns[shown],
            dots=np.asarray(codes[shown], dtype=np.int64),
            entries=entries,
        )


def _known_colours(count: int) -> Bytes:
    """Colours of known classes, other than those of groups, which they are compared with."""
    if not count:
        return np.zeros((0, 3), dtype=np.uint8)
    return np.stack([rgb(group_colour(number, dark=True)) for number in range(count)])
