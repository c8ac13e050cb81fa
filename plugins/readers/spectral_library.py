"""Read a library of spectra of known materials."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from coterie.core import Context, Dataset, Field, Reader
from coterie.core.errors import no_file
from coterie.core.formats.spectra.library import material_of, read_library


class SpectralLibraryReader(Reader):
    """Spectra of known materials: an ENVI spectral library, or a table with wavelengths.

    Each spectrum is an item, each channel a column, and the material its known class. A table has
    wavelengths in its first column and a spectrum in each other one, or a spectrum in each row and
    wavelengths in its heading. `transform/spectra-to-bands` brings them to the bands of a scene.
    """

    id, title = "spectral-library", "Spectral library"
    extensions = (".sli",)

    class Params(Reader.Params):
        """What the material of a spectrum is."""

        material: Literal["stem", "name"] = Field(
            "stem",
            description="Whether the material is the name without a number at its end, or the "
            "name.",
        )
        truth: str = Field("", description="Not used.", json_schema_extra={"hidden": True})
        items: str = Field("", description="Not used.", json_schema_extra={"hidden": True})

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the spectra in the file at `path`."""
        path = Path(path)
        context.check()
        if not path.is_file():
            raise no_file(path)
        found = read_library(path)
        whole = [material_of(n) if params.material == "stem" else n for n in found.names]
        materials = tuple(dict.fromkeys(whole))
        spectra, notes = found.spectra, []
        if missing := int(np.isnan(spectra).sum()):
            notes.append(f"{missing:,} channels of spectra have no value.")
        return Dataset(
            title=path.stem,
            features=spectra,
            columns=tuple(f"{wave:.6g} nm" for wave in found.wavelengths),
            items=found.names,
            truth=np.array([materials.index(name) for name in whole], dtype=np.int64),
            truth_names=materials,
            truth_column="material",
            notes=tuple(notes),
            details={"wavelengths": found.wavelengths.tolist()},
        )
