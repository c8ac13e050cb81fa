"""What transforms of the bands of a pixel share, of tables and of scenes on disk."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Literal

from coterie.core.api.components import Cost, Output, Transform
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.formats.rasters.derived import with_derivation
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Model
from coterie.core.numerics.features.derived import derive


class BandTransform(Transform):
    """Features computed from the bands of each item, by the derivation of the transform's id.

    Of a scene on disk they are computed window by window, as its pixels are read. Subclasses say
    what the derivation is to know (`settings_of`).
    """

    class Params(Transform.Params):
        """What becomes of the bands."""

        keep: Literal["append", "replace"] = Field(
            "append", description="Whether the bands are kept before the new columns, or replaced."
        )

    def compute(self, data: Dataset, *, params: Any, context: Context) -> Output:
        """Return the items with the new features, and the model that gives new items the same."""
        context.check()
        if not data.on_disk and (data.features is None or not data.d):
            data.clean_features()  # says what is wrong
        settings = self.settings_of(data, params)
        model = Model(title=self.title, dataset=data, settings=settings)
        if data.on_disk:
            return Output(with_derivation(data, self.id, settings), {"model": model})
        made = self.apply(model, data, context)
        made = replace(made, notes=(*made.notes, *self.remarks(data, settings)))
        return Output(made, {"model": model})

    @abstractmethod
    def settings_of(self, data: Dataset, params: Any) -> dict[str, Any]:
        """Return the settings of the derivation, with bands by name; refuse what is wrong."""

    def remarks(self, _data: Dataset, _settings: dict[str, Any]) -> tuple[str, ...]:
        """Return what is to be said of the bands."""
        return ()

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Give new items, with bands of the same names, the same features."""
        context.check()
        X = data.dense_features()
        changed = data.with_features(*derive(self.id, X, data.columns, model.settings, (data.n, 1)))
        # The new columns have no wavelengths.
        details = {k: v for k, v in data.details.items() if k != "wavelengths"}
        return replace(changed, details=details)

    def estimate(self, data: Dataset, *, params: Any) -> Cost:
        """The result, and a copy of the bands; of a scene, nothing yet."""
        if data.on_disk:
            return Cost(bytes=1 << 20, seconds=0.01)
        cells = data.n * (4 * data.d + 2 * self.columns_made(params))
        return Cost(bytes=8 * cells, seconds=2e-8 * cells)

    def columns_made(self, _params: Any) -> int:
        """Return about how many columns are made beside those of each band."""
        return 0
