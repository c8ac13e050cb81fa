"""Scenes on disk with derived features: computed window by window, as they are read.

A transform of a scene computes nothing. Its result is the scene with one more line in its
description; whoever reads windows of it gets the derived features, with as much of the scene
around the window as they look at. Memory is that of a window, whatever the size of the scene.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np

from coterie.core.api.components import Cost, Output, Transform
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.errors import DataError
from coterie.core.formats.rasters.scene import Scene, scene_of
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.model.arrays import Array, Floats
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Model
from coterie.core.numerics.features.derived import derive, names_of, reach_of

# A window of one pixel takes as long as so many pixels of a large one (measured: 1.1 million a
# second, and about a millisecond).
SINGLE = 1000
DERIVED = "derived"  # in a raster's details: [{"use": …, "settings": {…}}, …], in order


@dataclass(frozen=True)
class Derivation:
    """One step from the bands to the features of a scene: a transform's name and its model."""

    use: str
    settings: Mapping[str, Any]


def derivations_of(data: Dataset) -> tuple[Derivation, ...]:
    """Return what is done to the bands of a scene, in order; it may come from another's file."""
    listed = data.details.get(DERIVED, [])
    try:
        found = tuple(Derivation(str(one["use"]), dict(one["settings"])) for one in listed)
        columns: Sequence[str] = scene_of(data).band_names
        for one in found:  # each looks first whether there are too many
            columns = names_of(one.use, columns, one.settings)
        sound = tuple(columns) == data.columns
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise DataError(
            f"The derived features of '{data.title}' are damaged: {error!s:.80}.",
            code="invalid-scene",
        ) from None
    if not sound:
        raise DataError(
            f"The derived features of '{data.title}' are damaged. Run the step again.",
            code="invalid-scene",
        )
    return found


def with_derivation(data: Dataset, use: str, settings: Mapping[str, Any]) -> Dataset:
    """Return a scene on disk with the features that a transform makes of those it has."""
    columns = names_of(use, data.columns, settings)
    listed = [*data.details.get(DERIVED, []), {"use": use, "settings": dict(settings)}]
    return replace(data, columns=columns, details={**data.details, DERIVED: listed})


class DerivedReader:
    """An open scene, read with its derived features; used as a `SceneReader` is."""

    def __init__(self, scene: Scene, derivations: Sequence[Derivation]) -> None:
        self.scene = scene
        self._derivations = tuple(derivations)
        self._reader = SceneReader(scene)
        self._reach = sum(reach_of(one.use, one.settings) for one in self._derivations)
        columns: Sequence[str] = scene.band_names
        for one in self._derivations:
            columns = names_of(one.use, columns, one.settings)
        self.columns = tuple(columns)
        self.single = SINGLE if self._derivations else SceneReader.single
        self.dtype = np.dtype(np.float64) if self._derivations else self._reader.dtype

    def __enter__(self) -> Self:
        self._reader.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._reader.__exit__(kind, error, traceback)

    def read(self, window: Window) -> tuple[Floats, Array]:
        """Return (columns, height, width) values and (height, width) whether each is valid."""
        if not self._derivations:
            return self._reader.read(window)
        wider = window.grown(self._reach, self.scene.height, self.scene.width)
        values, valid = self._reader.read(wider)
        known = valid.reshape(-1)
        X: Floats = values.reshape(len(values), -1).T.astype(np.float64)
        X[~known] = 0.0  # what is not there must be finite, and counts for nothing
        columns: Sequence[str] = self.scene.band_names
        for one in self._derivations:
            X, columns = derive(one.use, X, columns, one.settings, wider.shape, known)
        grid = X.T.reshape(len(columns), *wider.shape)
        rows = slice(window.top - wider.top, window.bottom - wider.top)
        across = slice(window.left - wider.left, window.right - wider.left)
        return grid[:, rows, across], valid[rows, across]


def reader_of(data: Dataset) -> DerivedReader:
    """Return what reads windows of a scene, with its derived features if it has some."""
    return DerivedReader(scene_of(data), derivations_of(data))


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
