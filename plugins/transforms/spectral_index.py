"""Spectral indices: brightness, whiteness, slopes, ratios and differences of bands."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Dataset, Field, Floats, ParameterError
from coterie.core.formats.rasters.derived import BandTransform, derivations_of
from coterie.core.formats.rasters.scene import scene_of

# Centres in nanometres, and how far from them a band of that colour may be.
COLOURS = {
    "green": (560.0, 40.0),
    "red": (665.0, 40.0),
    "NIR": (842.0, 60.0),
    "SWIR": (1610.0, 120.0),
    "SWIR 2": (2200.0, 150.0),
}
NAMED = {
    "ndvi": ("NIR", "red"),
    "ndwi": ("green", "NIR"),
    "ndsi": ("green", "SWIR"),
    "ndmi": ("NIR", "SWIR"),
    "nbr": ("NIR", "SWIR 2"),
}
PAIR = 'Each as "first, second": the names of two bands, or their positions from 1.'
MOST_NEGATIVE = 0.2  # of the items; offsets of a sensor put a few of the darkest below zero
CENTRED = (
    "Many values are negative. Ratios and normalised differences are meant for reflectance or "
    "radiance: compute them from the bands before standardising."
)


class SpectralIndex(BandTransform):
    """Brightness, whiteness, slopes, ratios and normalised differences of the bands of each item.

    Clouds are bright and white; (NIR − red) / (NIR + red) is large for plants, (green − NIR) /
    (green + NIR) for water. Item by item, so any table will do. Where the data know the
    wavelengths of their bands, means are taken over wavelength and slopes are per micrometre. Of a
    scene on disk they are computed window by window, as its pixels are read.
    """

    id, title = "spectral-index", "Spectral indices"
    reference = (
        "Gómez-Chova et al. (2007). Cloud-screening algorithm for ENVISAT/MERIS multispectral "
        "images. IEEE TGRS 45(12)."
    )

    class Params(BandTransform.Params):
        """Which quantities."""

        brightness: bool = Field(True, description="Mean of the bands, B.")
        whiteness: bool = Field(
            True, description="Mean of |band − B| over the bands; 0 for white and grey."
        )
        ndvi: bool = Field(False, title="NDVI", description="Plants: (NIR − red) / (NIR + red).")
        ndwi: bool = Field(
            False, title="NDWI", description="Open water: (green − NIR) / (green + NIR)."
        )
        ndsi: bool = Field(
            False, title="NDSI", description="Snow: (green − SWIR) / (green + SWIR)."
        )
        ndmi: bool = Field(
            False, title="NDMI", description="Moist leaves: (NIR − SWIR) / (NIR + SWIR)."
        )
        nbr: bool = Field(
            False, title="NBR", description="Unburnt land: (NIR − SWIR 2) / (NIR + SWIR 2)."
        )
        differences: list[str] = Field(
            default_factory=list,
            description=f"Others (first − second) / (first + second). {PAIR}",
            json_schema_extra={"between": ";"},
        )
        ratios: list[str] = Field(
            default_factory=list,
            description=f"Ratios first / second. {PAIR}",
            json_schema_extra={"between": ";"},
        )
        slopes: list[str] = Field(
            default_factory=list,
            description=f"Slopes (second − first) / wavelength between them. {PAIR}",
            json_schema_extra={"between": ";"},
        )

    def settings_of(self, data: Dataset, params: Params) -> dict[str, Any]:
        """Return the pairs of bands, and their wavelengths where they are known."""
        settings = params.as_json()
        for word in ("differences", "ratios", "slopes"):
            # By name from now on: new items may have their bands in another order.
            pairs = [_bands(data, text) for text in getattr(params, word)]
            settings[word] = [[data.columns[a], data.columns[b]] for a, b in pairs]
        waves = _wavelengths(data)
        for word, pair in NAMED.items():
            if settings.pop(word):
                first, second = (_nearest(data, waves, colour) for colour in pair)
                named = [data.columns[first], data.columns[second], word.upper()]
                settings["differences"] = [*settings["differences"], named]
        if waves is not None:
            settings["wavelengths"] = dict(zip(data.columns, waves.tolist(), strict=True))
        settings["bands"] = list(data.columns)
        return settings

    def remarks(self, data: Dataset, settings: dict[str, Any]) -> tuple[str, ...]:
        """Say when the values look standardised."""
        made = settings["differences"] or settings["ratios"]
        return (CENTRED,) if made and _is_centred(data) else ()

    def columns_made(self, _params: Params) -> int:
        """Return about how many indices there are."""
        return 4


def _is_centred(data: Dataset) -> bool:
    """Whether a band is below zero for more than some noisy items, as no measured light is."""
    below = (data.dense_features() < 0).mean(axis=0) if data.n else np.zeros(1)
    return bool((below > MOST_NEGATIVE).any())


def _bands(data: Dataset, text: str) -> tuple[int, int]:
    """The positions of the two bands that a text names."""
    words = [word.strip() for word in text.split(",")]
    if len(words) != 2:
        raise ParameterError(
            f'An index takes two bands, such as "{data.columns[0]}, {data.columns[-1]}". '
            f"Got '{text}'.",
            code="invalid-index",
        )
    first, second = (_band(data, word) for word in words)
    return first, second


def _band(data: Dataset, word: str) -> int:
    if word in data.columns:  # a name goes before a position
        return data.columns.index(word)
    if word.isdecimal() and 1 <= int(word) <= len(data.columns):
        return int(word) - 1
    count = len(data.columns)
    known = ", ".join(data.columns[:20]) + (", …" if count > 20 else "")
    raise ParameterError(
        f"'{data.title}' has no band '{word}'. Its bands are, from 1 to {count}: {known}.",
        code="unknown-band",
    )


def _nearest(data: Dataset, waves: Floats | None, colour: str) -> int:
    """The position of the band nearest to a colour, or a sentence on what to do without one."""
    centre, reach = COLOURS[colour]
    apart = np.full(1, np.inf) if waves is None else np.abs(waves - centre)
    found = int(np.argmin(apart))
    if not apart[found] <= reach:
        raise ParameterError(
            f"'{data.title}' does not say which of its bands is {colour} (near {centre:.0f} nm). "
            "Name the two bands under differences instead.",
            code="invalid-index",
        )
    return found


def _wavelengths(data: Dataset) -> Floats | None:
    """Nanometres, one for each column, if the data know them."""
    waves = data.details.get("wavelengths")
    if data.on_disk:  # what was derived from its bands has none
        waves = None if derivations_of(data) else scene_of(data).wavelengths
    if not isinstance(waves, list | tuple) or len(waves) != len(data.columns):
        return None
    values = np.asarray(waves, dtype=np.float64)
    return values if np.isfinite(values).all() else None
