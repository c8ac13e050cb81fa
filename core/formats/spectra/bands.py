"""Spectra of a library at the bands of a scene."""

from __future__ import annotations

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.rasters.scene import scene_of
from coterie.core.formats.spectra.library import SpectralLibrary
from coterie.core.model.arrays import Floats
from coterie.core.model.dataset import Dataset


def on_bands_of(data: Dataset, library: Dataset) -> Floats:
    """Return (spectra, bands) of a library at the bands of a scene, or of a sample of it.

    Where both know their wavelengths, spectra are read off between their channels; otherwise the
    library must have as many columns as there are bands.
    """
    library.on_disk and library.clean_features()
    waves = np.array(
        scene_of(data).wavelengths if data.on_disk else data.details.get("wavelengths", ()),
        dtype=np.float64,
    )
    own = np.array(library.details.get("wavelengths", ()), dtype=np.float64)
    spectra = np.asarray(library.features, dtype=np.float64)
    if len(waves) == len(data.columns) and (waves > 0).all() and len(own) == library.d:
        found = SpectralLibrary(library.item_names, own, spectra).at(waves)
    elif library.d == len(data.columns):
        found = spectra
    else:
        raise DataError(
            f"'{library.title}' has {library.d} channels and '{data.title}' {len(data.columns)} "
            "bands, and not all wavelengths are known. Open a scene that says its wavelengths, "
            "or a library with a column for each band.",
            code="columns-mismatch",
        )
    if not np.isfinite(found).all():
        band = int(np.flatnonzero(~np.isfinite(found).all(axis=0))[0])
        item = int(np.flatnonzero(~np.isfinite(found[:, band]))[0])
        raise DataError(
            f"'{library.item_names[item]:.60}' has no value at band '{data.columns[band]:.40}'"
            f"{f' ({waves[band]:g} nm)' if len(waves) > band else ''}. Leave out that band or "
            "spectrum.",
            code="missing-values",
        )
    return found
