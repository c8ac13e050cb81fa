"""The spectra of a library as the bands of a scene would measure them."""

from __future__ import annotations

from dataclasses import replace

from coterie.core import Context, Cost, Dataset, Model, Output, Transform
from coterie.core.formats.spectra.bands import on_bands_of
from coterie.core.numerics.similarity.check_columns import require_columns


class SpectraToBands(Transform):
    """Bring the spectra of a library to the bands of a scene, to compare its pixels with them.

    The first input is the scene or a sample of it, the second the library. Spectra are read off at
    the wavelengths of the bands, linearly between channels. A classifier such as spectral angle
    learns from the result which pixel is most like which material; pixels pass unchanged.
    """

    id, title = "spectra-to-bands", "Spectra brought to bands"
    needs = ("dataset", "dataset")

    def compute(
        self, data: Dataset, library: Dataset, *, params: Transform.Params, context: Context
    ) -> Output:
        """Return the spectra at the bands, and the model that lets pixels pass."""
        context.check()
        spectra = on_bands_of(data, library)
        details = {k: v for k, v in library.details.items() if k != "wavelengths"}
        made = replace(
            library,
            features=spectra,
            columns=data.columns,
            table=(),
            notes=(*library.notes, f"Spectra at the {len(data.columns)} bands of '{data.title}'."),
            details=details,
        )
        model = Model(title=self.title, settings={"bands": list(data.columns)})
        return Output(made, {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Return the pixels as they are: they are measured in these bands."""
        require_columns(data, len(model.settings["bands"]))
        return data

    def estimate(self, data: Dataset, library: Dataset, *, params: Transform.Params) -> Cost:
        """The spectra, twice."""
        return Cost(bytes=16 * library.n * (library.d + len(data.columns)), seconds=0.01)
