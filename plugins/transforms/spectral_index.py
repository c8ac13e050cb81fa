"""Spectral indices: brightness, whiteness, slopes, ratios and differences of bands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from coterie.core import (
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Model,
    Output,
    ParameterError,
    Transform,
    hookimpl,
)
from coterie.core.features.bands import (
    brightness,
    normalised_difference,
    ratio,
    slope,
    whiteness,
)

PAIR = 'Each as "first, second": the names of two bands, or their positions from 1.'


class SpectralIndex(Transform):
    """Brightness, whiteness, slopes, ratios and normalised differences of the bands of each item.

    Clouds are bright and white; (NIR − red) / (NIR + red) is large for plants, (green − NIR) /
    (green + NIR) for water. Item by item, so that any table will do. Where the data know the
    wavelengths of their bands, means are taken over wavelength and slopes are per micrometre.
    """

    id, title = "spectral-index", "Spectral indices"
    reference = (
        "Gómez-Chova et al. (2007). Cloud-screening algorithm for ENVISAT/MERIS multispectral "
        "images. IEEE TGRS 45(12)."
    )

    class Params(Transform.Params):
        """Which quantities."""

        brightness: bool = Field(True, description="Mean of the bands, B.")
        whiteness: bool = Field(
            True, description="Mean of |band − B| over the bands; 0 for white and grey."
        )
        differences: list[str] = Field(
            default_factory=list,
            description=f"Normalised differences (first − second) / (first + second). {PAIR}",
        )
        ratios: list[str] = Field(
            default_factory=list, description=f"Ratios first / second. {PAIR}"
        )
        slopes: list[str] = Field(
            default_factory=list,
            description=f"Slopes (second − first) / wavelength between them. {PAIR}",
        )
        keep: Literal["append", "replace"] = Field(
            "append", description="Whether the bands are kept before the new columns, or replaced."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the items with their indices, and the model that gives new items the same."""
        context.check()
        if data.features is None or not data.d:
            data.clean_features()  # says what is wrong
        settings = params.as_json()
        for word in ("differences", "ratios", "slopes"):
            # By name from now on: new items may have their bands in another order.
            pairs = [_bands(data, text) for text in getattr(params, word)]
            settings[word] = [[data.columns[a], data.columns[b]] for a, b in pairs]
        if (waves := _wavelengths(data)) is not None:
            settings["wavelengths"] = dict(zip(data.columns, waves.tolist(), strict=True))
        settings["bands"] = list(data.columns)
        model = Model(title="Spectral indices", dataset=data, settings=settings)
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Give new items, with bands of the same names, the same indices."""
        X = data.dense_features()
        context.check()
        settings = model.settings
        place = {name: j for j, name in enumerate(data.columns)}
        missing = [name for name in settings["bands"] if name not in place]
        if missing:
            raise DataError(
                f"'{data.title}' has no band '{missing[0]}', from which an index is made. "
                "Choose data with the same bands."
            )
        bands = X[:, [place[name] for name in settings["bands"]]]
        found = dict(_indices(bands, settings))
        if not found:
            raise ParameterError("No index is chosen. Choose brightness, or name two bands.")
        added, names = np.column_stack(list(found.values())), tuple(found)
        broken = int(np.count_nonzero(~np.isfinite(added)))
        if broken:
            raise DataError(
                f"The values of '{data.title}' are too large: {broken} indices overflow. "
                "Scale them first."
            )
        changed = (
            data.with_features(added, names)
            if settings["keep"] == "replace"
            else data.with_features(np.hstack([X, added]), (*data.columns, *names))
        )
        # The new columns have no wavelengths.
        details = {k: v for k, v in data.details.items() if k != "wavelengths"}
        return replace(changed, details=details)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result, and a copy of the bands."""
        cells = data.n * (3 * data.d + 8)
        return Cost(bytes=8 * cells, seconds=2e-8 * cells)


def _indices(bands: Floats, settings: Mapping[str, Any]) -> Iterator[tuple[str, Floats]]:
    """Each index with its name, in the order of the parameters."""
    names = list(settings["bands"])
    known = settings.get("wavelengths")
    waves = None if known is None else np.array([known[name] for name in names])
    if settings["brightness"]:
        yield "brightness", brightness(bands, waves)
    if settings["whiteness"]:
        yield "whiteness", whiteness(bands, waves)
    for first, second in settings["differences"]:
        a, b = bands[:, names.index(first)], bands[:, names.index(second)]
        yield f"({first} − {second}) / ({first} + {second})", normalised_difference(a, b)
    for first, second in settings["ratios"]:
        a, b = bands[:, names.index(first)], bands[:, names.index(second)]
        yield f"{first} / {second}", ratio(a, b)
    for first, second in settings["slopes"]:
        i, j = names.index(first), names.index(second)
        apart = 1.0 if waves is None else float(waves[j] - waves[i]) / 1000  # nanometres
        yield f"slope {first} to {second}", slope(bands[:, i], bands[:, j], apart or 1.0)


def _bands(data: Dataset, text: str) -> tuple[int, int]:
    """The positions of the two bands that a text names."""
    words = [word.strip() for word in text.split(",")]
    if len(words) != 2:
        raise ParameterError(
            f'An index takes two bands, such as "{data.columns[0]}, {data.columns[-1]}". '
            f"Got '{text}'."
        )
    first, second = (_band(data, word) for word in words)
    return first, second


def _band(data: Dataset, word: str) -> int:
    if word in data.columns:  # a name goes before a position
        return data.columns.index(word)
    if word.isdecimal() and 1 <= int(word) <= data.d:
        return int(word) - 1
    known = ", ".join(data.columns[:20]) + (", …" if data.d > 20 else "")
    raise ParameterError(
        f"'{data.title}' has no band '{word}'. Its bands are, from 1 to {data.d}: {known}."
    )


def _wavelengths(data: Dataset) -> Floats | None:
    """Nanometres, one for each column, if the data know them."""
    waves = data.details.get("wavelengths")
    if not isinstance(waves, list | tuple) or len(waves) != data.d:
        return None
    values = np.asarray(waves, dtype=np.float64)
    return values if np.isfinite(values).all() else None


@hookimpl
def coterie_transforms() -> Sequence[type[Transform]]:
    """Offer spectral indices."""
    return [SpectralIndex]
