"""Features made of the features of pixels: spectral indices, and what is around a pixel.

The transforms of these names call them for tables, and `core.rasters.derived` for scenes on disk,
window by window: both give the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core.errors import DataError, ParameterError
from coterie.core.model.arrays import Array, Floats
from coterie.core.model.query import computed_values
from coterie.core.numerics.features.bands import (
    brightness,
    normalised_difference,
    ratio,
    slope,
    whiteness,
)
from coterie.core.numerics.features.changes import change_between
from coterie.core.numerics.features.local_statistics import local_moments
from coterie.core.numerics.features.picture_grid import as_bands, as_items
from coterie.core.numerics.features.unmixing import unmixed

INDICES, SURROUNDINGS = "spectral-index", "local-statistics"
FORMULAS, CHANGE, UNMIXING = "band-math", "change", "unmix"
LARGEST = 1e150  # of a derived feature: distances square it
MOST_COLUMNS = 4096
MOST_WINDOW = 101
Named = tuple[Floats, tuple[str, ...]]


def names_of(use: str, columns: Sequence[str], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the columns are called after a derivation of `columns`."""
    if len(columns) > MOST_COLUMNS:
        raise DataError(
            f"There are too many features to derive more from. Got {len(columns):,}.",
            code="too-many-features",
        )
    return derive(use, np.zeros((1, len(columns))), columns, settings, (1, 1))[1]


def reach_of(use: str, settings: Mapping[str, Any]) -> int:
    """Return how many pixels around a pixel a derivation looks at."""
    return int(settings["window"]) // 2 if use == SURROUNDINGS else 0


def derive(
    use: str,
    X: Floats,
    columns: Sequence[str],
    settings: Mapping[str, Any],
    grid: tuple[int, int],
    valid: Array | None = None,
) -> Named:
    """Return the features after a derivation, and their names.

    Parameters
    ----------
    X : (n, d), the pixels of a picture of that height and width, row by row
    valid : (n,) which of them hold data; all when None
    """
    if use == INDICES:
        return with_indices(X, columns, settings)
    if use == SURROUNDINGS:
        return with_surroundings(X, columns, settings, grid, valid)
    if use == FORMULAS:
        return with_formulas(X, columns, settings)
    if use == CHANGE:
        return with_change(X, columns, settings)
    if use == UNMIXING:
        return with_shares(X, columns, settings)
    known = ", ".join((INDICES, SURROUNDINGS, FORMULAS, CHANGE, UNMIXING))
    raise DataError(
        f"Features are derived by {known}. Got '{use:.60}'.",
        code="invalid-index",
    )


def with_indices(X: Floats, columns: Sequence[str], settings: Mapping[str, Any]) -> Named:
    """Return n × d features with spectral indices after them, or in their place."""
    place = {name: j for j, name in enumerate(columns)}
    missing = [name for name in settings["bands"] if name not in place]
    if missing:
        raise DataError(
            f"The data have no band '{missing[0]}', from which an index is made. "
            "Choose data with the same bands.",
            code="unknown-band",
        )
    bands = X[:, [place[name] for name in settings["bands"]]]
    found = dict(_indices(bands, settings))
    if not found:
        raise ParameterError(
            "No index is chosen. Choose brightness, or name two bands.", code="invalid-index"
        )
    added = np.column_stack(list(found.values()))
    if broken := int(np.count_nonzero(~np.isfinite(added))):
        raise DataError(
            f"The values of the bands are too large: {broken} indices overflow. Scale them first.",
            code="values-too-large",
        )
    if settings["keep"] == "replace":
        return added, tuple(found)
    return np.hstack([X, added]), (*columns, *found)


def with_formulas(X: Floats, columns: Sequence[str], settings: Mapping[str, Any]) -> Named:
    """Return n × d features with those that formulas give after them, or in their place.

    Where a formula divides by 0 its value is 0, as that of an index is.
    """
    bands = {name: X[:, j] for j, name in enumerate(columns)}
    made: list[Floats] = []
    for _, formula in settings["formulas"]:
        with np.errstate(all="ignore"):
            values = computed_values(formula, bands, len(X))
        made.append(np.where(np.isfinite(values), values, 0.0))
    names = tuple(str(name) for name, _ in settings["formulas"])
    return _added(X, columns, np.column_stack(made), names, settings)


def with_change(X: Floats, columns: Sequence[str], settings: Mapping[str, Any]) -> Named:
    """Return what changed between two dates of each pixel, after its features or in their place."""
    place = {name: j for j, name in enumerate(columns)}
    pairs = [(str(first), str(second)) for first, second in settings["pairs"]]
    missing = [name for pair in pairs for name in pair if name not in place]
    if missing:
        raise DataError(
            f"The data have no band '{missing[0]}', of which a change is taken. "
            "Choose data with the same bands.",
            code="unknown-band",
        )
    before = X[:, [place[first] for first, _ in pairs]]
    after = X[:, [place[second] for _, second in pairs]]
    named = [f"{second} − {first}" for first, second in pairs]
    with np.errstate(over="ignore", invalid="ignore"):  # what is too large is refused below
        found, names = change_between(before, after, str(settings["what"]), named)
    return _added(X, columns, found, names, settings)


def with_shares(X: Floats, columns: Sequence[str], settings: Mapping[str, Any]) -> Named:
    """Return the shares of materials in each pixel, and what they leave, or after its features."""
    place = {name: j for j, name in enumerate(columns)}
    missing = [name for name in settings["bands"] if name not in place]
    if missing:
        raise DataError(
            f"The data have no band '{missing[0]}', which is to be unmixed. Choose data with the "
            "same bands.",
            code="unknown-band",
        )
    materials = np.array(settings["spectra"], dtype=np.float64)
    bands = X[:, [place[name] for name in settings["bands"]]]
    if materials.shape != (len(settings["names"]), bands.shape[1]) or not len(materials):
        raise DataError(
            f"Unmixing needs a spectrum of {bands.shape[1]} bands for each material. Got "
            f"{len(settings['names'])} materials with spectra of shape {materials.shape}.",
            code="wrong-shape",
        )
    if not all((np.abs(values) < LARGEST).all() for values in (bands, materials)):
        raise DataError(
            "The values of the bands are too large to unmix. Scale them first.",
            code="values-too-large",
        )
    shares, left = unmixed(bands, materials)
    names = (*map(str, settings["names"]), "residual")
    return _added(X, columns, np.column_stack([shares, left]), names, settings)


def _added(
    X: Floats,
    columns: Sequence[str],
    made: Floats,
    names: tuple[str, ...],
    settings: Mapping[str, Any],
) -> Named:
    if not (np.abs(made) < LARGEST).all():
        raise DataError(
            "The derived values are too large. Scale the bands first.", code="values-too-large"
        )
    if settings["keep"] == "replace":
        return made, names
    return np.hstack([X, made]), (*columns, *names)


def _indices(bands: Floats, settings: Mapping[str, Any]) -> Iterator[tuple[str, Floats]]:
    """Each index with its name, in the order of the parameters."""
    names = list(settings["bands"])
    known = settings.get("wavelengths")
    waves = None if known is None else np.array([known[name] for name in names])
    if settings["brightness"]:
        yield "brightness", brightness(bands, waves)
    if settings["whiteness"]:
        yield "whiteness", whiteness(bands, waves)
    for first, second, *called in settings["differences"]:
        a, b = bands[:, names.index(first)], bands[:, names.index(second)]
        formula = f"({first} − {second}) / ({first} + {second})"
        yield called[0] if called else formula, normalised_difference(a, b)
    for first, second in settings["ratios"]:
        a, b = bands[:, names.index(first)], bands[:, names.index(second)]
        yield f"{first} / {second}", ratio(a, b)
    for first, second in settings["slopes"]:
        i, j = names.index(first), names.index(second)
        apart = 1.0 if waves is None else float(waves[j] - waves[i]) / 1000  # nanometres
        yield f"slope {first} to {second}", slope(bands[:, i], bands[:, j], apart or 1.0)


def with_surroundings(
    X: Floats,
    columns: Sequence[str],
    settings: Mapping[str, Any],
    grid: tuple[int, int],
    valid: Array | None = None,
) -> Named:
    """Return n × d features with mean and variance around each pixel after them, or for them."""
    wanted, window = str(settings["statistics"]), settings["window"]
    if not isinstance(window, int) or not 1 <= window <= MOST_WINDOW or window % 2 == 0:
        raise ParameterError(
            f"The square around a pixel must have an odd side. Got {window!r:.40}.",
            code="invalid-window",
        )
    known = None if valid is None else np.asarray(valid).reshape(grid)
    found: dict[str, list[Floats]] = {"mean": [], "variance": []}
    for band in as_bands(X, grid):  # one by one: the sums take a multiple of a band's memory
        moments = local_moments(band[None], window, known, variance=wanted != "mean")
        found["mean"].append(moments.mean[0])
        if moments.variance is not None:
            found["variance"].append(moments.variance[0])
    parts: list[Floats] = [X] if settings["keep"] == "append" else []
    names = list(columns) if settings["keep"] == "append" else []
    for word, made in found.items():
        if wanted in ("both", word):
            parts.append(as_items(np.stack(made)))
            names += [f"{word} of {column}" for column in columns]
    return np.hstack(parts), tuple(names)
