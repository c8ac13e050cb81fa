"""Shares of materials in each pixel."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from coterie.core import Context, Cost, DataError, Dataset, Field, Floats, Model, Output, Transform
from coterie.core.formats.rasters.derived import with_derivation
from coterie.core.formats.spectra.bands import on_bands_of
from coterie.core.numerics.features.derived import UNMIXING, with_shares

MOST = 30


class Unmix(Transform):
    """Divide the spectrum of each pixel among materials: how much of each is in it.

    The first input is the scene or a sample of it, the second the spectra of the materials: a
    library, or pixels that are pure. Shares are from 0 to 1 and sum to 1 (fully constrained least
    squares); "residual" is the root mean square of what they do not explain. Of a scene on disk
    they are computed window by window, as its pixels are read.
    """

    id, title = "unmix", "Linear unmixing"
    needs = ("dataset", "dataset")
    reference = (
        "Heinz, Chang (2001). Fully constrained least squares linear spectral mixture analysis. "
        "IEEE TGRS 39(3)."
    )

    class Params(Transform.Params):
        """What is one material, and what is kept."""

        materials: Literal["classes", "items"] = Field(
            "classes",
            description="Whether spectra of one known class are averaged to one material, or each "
            "spectrum is a material.",
        )
        keep: Literal["append", "replace"] = Field(
            "replace", description="Whether the bands are kept before the new columns, or replaced."
        )

    def compute(
        self, data: Dataset, library: Dataset, *, params: Params, context: Context
    ) -> Output:
        """Return the items with their shares, and the model that gives new items the same."""
        context.check()
        if not data.on_disk:
            data.clean_features()
        spectra, names = on_bands_of(data, library), library.item_names
        truth = library.truth
        if params.materials == "classes" and truth is not None and (truth >= 0).any():
            kinds = np.unique(truth[truth >= 0])
            spectra = np.stack([spectra[truth == kind].mean(axis=0) for kind in kinds])
            names = tuple(
                library.truth_names[kind] if kind < len(library.truth_names) else f"class {kind}"
                for kind in kinds.tolist()
            )
        if not 2 <= len(names) <= MOST:
            raise DataError(
                f"Unmixing takes 2 to {MOST} materials. Got {len(names)}. Choose some spectra, or "
                "give those of one material the same class.",
                code="too-few-groups" if len(names) < 2 else "too-many-items",
            )
        _require_unlike(spectra, names)
        settings = {
            "bands": list(data.columns),
            "names": list(_unlike(names, data.columns if params.keep == "append" else ())),
            "spectra": spectra.tolist(),
            "keep": params.keep,
        }
        model = Model(title="Spectra of materials", dataset=data, settings=settings)
        if data.on_disk:
            return Output(with_derivation(data, UNMIXING, settings), {"model": model})
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Give new items, with bands of the same names, their shares."""
        context.check()
        changed = data.with_features(
            *with_shares(data.dense_features(), data.columns, model.settings)
        )
        details = {k: v for k, v in data.details.items() if k != "wavelengths"}
        return replace(changed, details=details)

    def estimate(self, data: Dataset, library: Dataset, *, params: Params) -> Cost:
        """The shares, and a few copies of a block; of a scene, nothing yet."""
        if data.on_disk:
            return Cost(bytes=1 << 20, seconds=0.01)
        return Cost(bytes=32 * data.n * (data.d + MOST), seconds=2e-6 * data.n)


def _require_unlike(spectra: Floats, names: tuple[str, ...]) -> None:
    """Refuse materials whose shares cannot be separated."""
    _, first, which = np.unique(spectra, axis=0, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[which.reshape(-1)] != np.arange(len(spectra)))
    if len(again):
        one, other = names[first[which.reshape(-1)[again[0]]]], names[again[0]]
        raise DataError(
            f"'{one:.60}' and '{other:.60}' have the same spectrum, so their shares cannot be "
            "separated. Leave out one of them, or give both the same class.",
            code="too-few-groups",
        )


def _unlike(names: tuple[str, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
    """The names, each once and none taken."""
    found: list[str] = []
    for name in names:
        number, new = 1, name
        while new in found or new in taken or new == "residual":
            number += 1
            new = f"{name} {number}"
        found.append(new)
    return tuple(found)
