"""Which bands of a scene make up a colour picture, and how their values become brightness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.views.map.base_layer import Ground

Bands = tuple[int, int, int]

# Centres in nanometres and how far off a band may be to be taken for that colour.
_COLOURS = {
    "blue": (485.0, 40.0),
    "green": (560.0, 40.0),
    "red": (662.0, 40.0),
    "red edge": (705.0, 15.0),
    "nir": (842.0, 60.0),
    "swir 1": (1620.0, 90.0),
    "swir 2": (2200.0, 120.0),
}
_WORDS = {
    "blue": ("blue",),
    "green": ("green",),
    "red": ("red",),
    "nir": ("nir", "near infrared", "near-infrared"),
    "swir 1": ("swir1", "swir 1", "swir_1", "mir1"),
    "swir 2": ("swir2", "swir 2", "swir_2", "mir2"),
}
_SENTINEL2 = {
    "blue": "B02", "green": "B03", "red": "B04", "red edge": "B05", "nir": "B08",
    "swir 1": "B11", "swir 2": "B12",
}  # fmt: skip
_LANDSAT = {"blue": 1, "green": 2, "red": 3, "nir": 4, "swir 1": 5, "swir 2": 7}  # 4 to 7
_LANDSAT8 = {"blue": 2, "green": 3, "red": 4, "nir": 5, "swir 1": 6, "swir 2": 7}  # 8 and 9
_PRESETS = (
    ("Natural colour", ("red", "green", "blue")),
    ("False colour, vegetation red", ("nir", "red", "green")),
    ("Short-wave infrared", ("swir 2", "nir", "red")),
    ("Clouds and snow", ("swir 1", "nir", "blue")),
    ("Agriculture", ("swir 1", "nir", "green")),
    ("Red edge", ("nir", "red edge", "red")),
)


@dataclass(frozen=True)
class Preset:
    """Three bands with a name."""

    title: str
    bands: Bands


def sensor_of(ground: Ground) -> str:
    """Return the sensor's name, or nothing, as the names of bands and file suggest."""
    names = {name.casefold() for name in ground.bands}
    file = ground.scene.name.casefold() if ground.scene is not None else ""
    if {"b02", "b03", "b04", "b08"} <= names or {"b2", "b3", "b4", "b8a"} <= names:
        return "Sentinel-2"
    if "landsat" in file or file.startswith(("lc0", "le0", "lt0", "lm0")):
        return "Landsat"
    if any(name.startswith("radiance_") for name in names) and ground.wavelengths:
        return "MERIS"
    return ""


def colours_of(ground: Ground) -> dict[str, int]:
    """Return which band is which colour: by wavelength, else by name, else by the sensor's habit.

    >>> from dataclasses import replace
    >>> ground = Ground("", 1, 1, ("a", "b"), wavelengths=(842.0, 665.0))
    >>> colours_of(ground)
    {'red': 1, 'nir': 0}
    """
    found: dict[str, int] = {}
    waves = ground.wavelengths
    if waves and any(waves):
        for colour, (centre, reach) in _COLOURS.items():
            nearest = min(range(len(waves)), key=lambda i: abs(waves[i] - centre))
            if abs(waves[nearest] - centre) <= reach:
                found[colour] = nearest
        return found
    names = [name.casefold() for name in ground.bands]
    sensor = sensor_of(ground)
    if sensor == "Sentinel-2":
        for colour, band in _SENTINEL2.items():
            for name in (band.casefold(), f"b{int(band[1:])}"):
                if name in names:
                    found[colour] = names.index(name)
        return found
    for colour, words in _WORDS.items():
        exact = [i for i, name in enumerate(names) if name in words]
        within = [i for i, name in enumerate(names) if any(word in name for word in words)]
        if exact or within:
            found[colour] = (exact or within)[0]
    if sensor == "Landsat" and len(found) < 3:
        found = _by_number(names, ground)
    return found


def presets_of(ground: Ground) -> tuple[Preset, ...]:
    """Return the combinations that the bands allow, the most natural first, and three at least.

    >>> [p.title for p in presets_of(Ground("", 1, 1, ("red", "green", "blue")))][0]
    'Natural colour'
    """
    colours = colours_of(ground)
    found = [
        Preset(title, (colours[r], colours[g], colours[b]))
        for title, (r, g, b) in _PRESETS
        if r in colours and g in colours and b in colours
    ]
    count = len(ground.bands)
    if not found:
        first = (2, 1, 0) if count >= 3 else (0, min(1, count - 1), min(1, count - 1))
        found.append(Preset("First bands", first if count > 1 else (0, 0, 0)))
    if not any(preset.title == "First bands" for preset in found) or count > 3:
        last = count - 1
        spread = Preset("Spread over the bands", (last, last // 2, 0))
        if count > 3 and spread.bands not in [preset.bands for preset in found]:
            found.append(spread)
    return tuple(found)


def _by_number(names: Sequence[str], ground: Ground) -> dict[str, int]:
    """By the numbering of Landsat's bands, where the names end in numbers."""
    numbers: dict[int, int] = {}
    for i, name in enumerate(names):
        digits = "".join(c for c in name.rpartition("b")[2] or name if c.isdigit())
        if digits:
            numbers.setdefault(int(digits) // 10 if int(digits) >= 10 else int(digits), i)
    file = ground.scene.name.casefold() if ground.scene is not None else ""
    habit = _LANDSAT8 if file.startswith(("lc08", "lc09")) or 9 in numbers else _LANDSAT
    return {colour: numbers[number] for colour, number in habit.items() if number in numbers}


@dataclass(frozen=True)
class BandSettings:
    """How a scene is drawn.

    Attributes
    ----------
    bands : shown as red, green and blue
    low, high : percentiles of the valid pixels that become black and white
    gamma : above 1 brightens the middle
    """

    bands: Bands = (0, 0, 0)
    low: float = 2.0
    high: float = 98.0
    gamma: float = 1.0


def shaded(
    values: Floats, valid: Array, limits: Sequence[tuple[float, float]], gamma: float
) -> Bytes:
    """Return (height, width, 4) bytes of three bands; pixels without data are transparent.

    >>> shaded(np.array([[[0.0, 5.0]]] * 3), np.array([[True, True]]), [(0, 10)] * 3, 1.0).tolist()
    [[[0, 0, 0, 255], [128, 128, 128, 255]]]
    """
    picture = np.empty((*valid.shape, 4), dtype=np.uint8)
    for channel in range(3):
        low, high = limits[channel]
        share = np.clip((values[channel] - low) * (1.0 / (high - low)), 0.0, 1.0)
        share = np.where(valid, share, 0.0)
        if gamma != 1:
            share **= 1.0 / gamma
        picture[..., channel] = np.floor(255.0 * share + 0.5)
    picture[..., 3] = np.where(valid, 255, 0)
    return picture
