"""The layers of a map: what each shows, as tiles or as dots, and how it is explained."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from coterie.core.model.arrays import Array, Ints
from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.views.map.layers.class_sources import Codes
from coterie.gui.views.shown_items.colouring import LegendEntry

LayerKey = Literal["scene", "map", "uncertainty", "groups", "truth", "errors", "rank", "selection"]
TITLES: dict[LayerKey, str] = {
    "scene": "Scene",
    "map": "Classification",
    "uncertainty": "Uncertainty",
    "groups": "Groups",
    "truth": "Known classes",
    "errors": "Errors",
    "rank": "Rank",
    "selection": "Selection",
}
# From the bottom to the top.
ORDER: tuple[LayerKey, ...] = (
    "scene", "map", "uncertainty", "groups", "truth", "errors", "rank", "selection",
)  # fmt: skip
_SHOWN: tuple[LayerKey, ...] = ("scene", "map", "groups", "selection")
_OPACITIES: dict[LayerKey, float] = {
    "map": 0.65, "uncertainty": 0.85, "truth": 0.7, "errors": 0.85, "rank": 0.8,
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """Whether a layer is seen, and how opaque it is."""

    visible: bool = True
    opacity: float = 1.0


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer as it is to be drawn.

    Either tiles of `codes`, or dots at `rows` and `columns` with a number each in `dots`; a number
    stands for a colour. The scene has neither: it is drawn from its bands.

    Attributes
    ----------
    version : differs when anything that is drawn does
    """

    key: LayerKey
    title: str
    colours: Bytes
    version: Hashable
    codes: Codes | None = None
    rows: Array | None = None
    columns: Array | None = None
    dots: Ints | None = None
    entries: tuple[LegendEntry, ...] = ()
    scale: tuple[str, ...] = ()
    ends: tuple[str, str] = ("", "")

    @property
    def is_dots(self) -> bool:
        """Whether it is drawn as dots rather than tiles."""
        return self.dots is not None


@dataclass
class Settings:
    """What a person set for each layer, kept in the project's view."""

    of: dict[LayerKey, Setting] = field(default_factory=dict)

    @classmethod
    def from_json(cls, kept: Any) -> Settings:
        """Take what was kept; what does not fit is passed over."""
        settings = cls()
        for key in ORDER:
            found = kept.get(key) if isinstance(kept, Mapping) else None
            if isinstance(found, Mapping):
                opacity = found.get("opacity", settings.get(key).opacity)
                sound = isinstance(opacity, int | float) and 0 <= opacity <= 1
                settings.of[key] = Setting(
                    bool(found.get("visible", True)), float(opacity) if sound else 1.0
                )
        return settings

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        return {k: {"visible": s.visible, "opacity": s.opacity} for k, s in self.of.items()}

    def get(self, key: LayerKey) -> Setting:
        """Return the setting of a layer, or how it begins."""
        return self.of.get(key) or Setting(key in _SHOWN, _OPACITIES.get(key, 1.0))

    def change(self, key: LayerKey, **changes: Any) -> None:
        """Change the setting of a layer."""
        self.of[key] = replace(self.get(key), **changes)


def entries_of(
    names: tuple[str, ...], colours: Bytes, codes: Array | None
) -> tuple[LegendEntry, ...]:
    """Return lines of a legend: names, colours, and how many there are when that is known."""
    counts: Ints = np.full(len(names), -1, dtype=np.int64)
    if codes is not None:
        known = np.asarray(codes)
        known = known[(known >= 0) & (known < len(names))]
        counts = np.bincount(known.ravel(), minlength=len(names))
    return tuple(
        LegendEntry(name, "#" + bytes(colour).hex(), int(count), code)
        for code, (name, colour, count) in enumerate(zip(names, colours, counts, strict=False))
        if codes is None or count
    )
