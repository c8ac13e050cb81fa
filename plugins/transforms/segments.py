"""Segments of a scene or picture (superpixels) as items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from coterie.core import (
    Array,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Ints,
    Model,
    Output,
    ParameterError,
    Transform,
)
from coterie.core.formats.rasters.derived import DERIVED, reader_of
from coterie.core.formats.rasters.sampling import ClassSource, WindowReader, sample_at_random
from coterie.core.formats.rasters.scene import scene_of
from coterie.core.formats.rasters.truth import TruthReader, truth_of
from coterie.core.formats.rasters.windows import windows_over
from coterie.core.model.dataset import SCENE
from coterie.core.numerics.features.picture_grid import MEMBERS, as_bands, grid_of, valid_of
from coterie.core.numerics.features.segments import (
    SIDE,
    Segmenting,
    class_of_each,
    described,
    names_of_segments,
    segments_of,
)
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares

LOOKED_AT = 4000  # pixels whose spread is the scale of the bands
MOST_SEGMENTS = 2_000_000
Description = Literal["means", "spreads", "texture", "shape"]


class Segments(Transform):
    """Join neighbouring pixels that look alike to segments, which become the items.

    Segments (superpixels) have the mean and spread of each band, the texture and the shape as
    features. They are clustered and classified as pixels are, and a map of them has fewer specks.
    A scene is segmented in squares of 512 pixels, in which no segment crosses the edge, so memory
    does not grow with the scene. The known class of a segment is that of most of its pixels.
    """

    id, title = "segments", "Segments (superpixels)"
    by_window = True
    reference = (
        "Achanta and others (2012). SLIC superpixels compared to state-of-the-art superpixel "
        "methods. IEEE TPAMI 34(11)."
    )

    class Params(Transform.Params):
        """How large segments are, and how they are described."""

        size: int = Field(
            100,
            ge=4,
            le=100_000,
            description="Approximate number of pixels in a segment.",
            json_schema_extra={"slider": [16, 1000], "log": True, "unit": "pixels"},
        )
        compactness: float = Field(
            1.0,
            gt=0,
            le=1000,
            description="Weight of position against values: larger ones give squarer segments, "
            "smaller ones follow edges more closely.",
            json_schema_extra={"slider": [0.1, 10], "log": True},
        )
        describe: list[Description] = Field(
            ["means", "spreads", "texture"],
            description="What becomes features: mean and spread of each band, texture, shape "
            "(size, elongation and compactness).",
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the segments, and the model that finds them in other windows."""
        if not params.describe:
            raise ParameterError(
                "Segments need at least one kind of feature. Choose means.",
                code="invalid-parameters",
            )
        context.check()
        if data.on_disk:
            return self._of_scene(data, params, context)
        X, wide = data.dense_features(), grid_of(data)[1]
        require_squares(X)
        chosen = context.rng.permutation(data.n)[:LOOKED_AT]
        how = scaled_by(X[chosen], params.size, params.compactness)
        model = self._model(data, how, params)
        found, members = _of_picture(data, how, params.describe, context)
        k = len(found.positions)
        truth = None if data.truth is None else class_of_each(members, data.truth, k)
        details = {k: v for k, v in data.details.items() if k not in ("height", "width")}
        made = Dataset(
            title=data.title,
            features=found.features,
            columns=names_of_segments(data.columns, params.describe),
            truth=truth,
            truth_names=data.truth_names,
            truth_column=data.truth_column,
            notes=(*data.notes, _note(k, data.n)),
            details={**details, **_places(found.positions, wide)},
        )
        return Output(made, {"model": model})

    def _of_scene(self, data: Dataset, params: Params, context: Context) -> Output:
        scene, truth = scene_of(data), truth_of(data)
        how = scale_of(reader_of(data), params.size, params.compactness, context)
        known = None if truth is None else TruthReader(truth)
        found = segment_scene(reader_of(data), how, params.describe, context, known)
        columns = names_of_segments(data.columns, params.describe)
        waves = {"wavelengths": list(scene.wavelengths)}
        spectral = tuple(params.describe) == ("means",) and not data.details.get(DERIVED)
        made = Dataset(
            title=data.title,
            features=found.features,
            columns=columns,
            truth=found.classes,
            truth_names=data.truth_names if found.classes is not None else (),
            truth_column=data.truth_column if found.classes is not None else "",
            notes=(*data.notes, _note(len(found.positions), scene.n)),
            details={
                SCENE: scene.as_json(),
                **_places(found.positions, scene.width),
                **(waves if spectral else {}),
            },
        )
        return Output(made, {"model": self._model(data, how, params)})

    def _model(self, data: Dataset, how: Segmenting, params: Params) -> Model:
        settings = {
            "size": how.size,
            "compactness": how.compactness,
            "centre": list(how.centre),
            "scale": list(how.scale),
            "describe": list(params.describe),
        }
        return Model(title="How pixels are joined to segments", settings=settings)

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Return the segments of a picture or window; each pixel knows which is its own."""
        known = model.settings
        centre, scale = tuple(known["centre"]), tuple(known["scale"])
        require_columns(data, len(centre))
        how = Segmenting(int(known["size"]), float(known["compactness"]), centre, scale)
        found, members = _of_picture(data, how, known["describe"], context)
        columns = names_of_segments(data.columns, known["describe"])
        return Dataset(
            title=data.title,
            features=found.features,
            columns=columns,
            details={MEMBERS: members, "positions": found.positions.tolist()},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """A square of the scene, several times, and the features of the segments."""
        bands = len(data.columns)
        made = 8 * (data.n // params.size) * (2 * bands + 8)
        square = min(data.n, SIDE * SIDE) * bands * 60
        whole = 0 if data.on_disk else 16 * data.n * data.d
        return Cost(bytes=4 * made + square + whole + (96 << 20), seconds=3e-6 * data.n)


def _of_picture(
    data: Dataset, how: Segmenting, chosen: Sequence[str], context: Context
) -> tuple[SegmentTable, Ints]:
    """The segments of a picture whose pixels are the items, and the segment of each pixel."""
    high, wide = grid = grid_of(data)
    bands = as_bands(data.dense_features(), grid)
    known = valid_of(data)
    valid = np.ones(grid, dtype=bool) if known is None else known.reshape(grid)
    members = np.full(grid, -1, dtype=np.int64)
    features, places, count = [], [], 0
    for window in windows_over(high, wide, (SIDE, SIDE)):
        context.check()
        here = window.slices
        labels, found = segment_window(bands[:, *here], valid[here], how, chosen)
        if not len(found.positions):
            continue
        members[here] = np.where(labels >= 0, labels + count, -1)
        rows, columns = np.divmod(found.positions, window.shape[1])
        places.append((rows + window.top) * wide + columns + window.left)
        features.append(found.features)
        count += len(found.positions)
    table = SegmentTable(np.vstack(features), np.concatenate(places))
    return table, members.reshape(-1)


def _places(positions: Ints, wide: int) -> dict[str, list[int]]:
    rows, columns = np.divmod(positions, wide)
    return {
        "positions": positions.tolist(),
        "rows": rows.tolist(),
        "columns": columns.tolist(),
    }


def _note(segments: int, pixels: int) -> str:
    return f"{segments:,} segments of {pixels / max(segments, 1):.0f} pixels on average."


@dataclass(frozen=True, eq=False)
class SegmentTable:
    """The segments of a scene.

    Attributes
    ----------
    features : (segments, features)
    positions : (segments,) row · width + column of the pixel nearest to the middle of each
    classes : (segments,) the known class of most of its pixels, −1 for none; None if nobody knows
    """

    features: Floats
    positions: Ints
    classes: Ints | None = None


def scaled_by(values: Floats, size: int, compactness: float) -> Segmenting:
    """Return how to segment, with the scale of some pixels: (n, bands)."""
    spread = values.std(axis=0)
    spread[~(spread > 0)] = 1.0
    centre = tuple(values.mean(axis=0).tolist())
    return Segmenting(size, compactness, centre, tuple(spread.tolist()))


def scale_of(reader: WindowReader, size: int, compactness: float, context: Context) -> Segmenting:
    """Return how to segment a scene, scaled by some of its pixels."""
    taken = sample_at_random(reader, LOOKED_AT, context)
    return scaled_by(np.asarray(taken.values, dtype=np.float64), size, compactness)


def segment_scene(
    reader: WindowReader,
    how: Segmenting,
    chosen: Sequence[str],
    context: Context,
    known: ClassSource | None = None,
) -> SegmentTable:
    """Return the segments of all squares of a scene."""
    scene = reader.scene
    if scene.n // how.size > MOST_SEGMENTS:
        raise DataError(
            f"'{scene.name}' would have some {scene.n // how.size:,} segments, more than "
            f"{MOST_SEGMENTS:,}. Choose larger segments.",
            code="too-many-items",
        )
    windows = windows_over(scene.height, scene.width, (SIDE, SIDE))
    parts: list[SegmentTable] = []
    with reader:
        for done, window in enumerate(windows):
            context.progress(done, len(windows), "finding segments")
            values, valid = reader.read(window)
            labels, found = segment_window(values, valid, how, chosen)
            if not len(found.positions):
                continue
            rows, columns = np.divmod(found.positions, window.shape[1])
            places = (rows + window.top) * scene.width + columns + window.left
            classes = None
            if known is not None:
                with known:
                    classes = class_of_each(labels, known.read(window), len(places))
            parts.append(replace(found, positions=places, classes=classes))
    if not parts:
        raise DataError(
            f"'{scene.name}' has no valid pixel. Choose other bands, or another value for no data.",
            code="no-valid-pixels",
        )
    every = [part.classes for part in parts if part.classes is not None]
    return SegmentTable(
        np.vstack([part.features for part in parts]),
        np.concatenate([part.positions for part in parts]),
        np.concatenate(every) if every else None,
    )


def segment_window(
    values: Array, valid: Array, how: Segmenting, chosen: Sequence[str]
) -> tuple[Ints, SegmentTable]:
    """Return the segment of each pixel of a window, −1 for none, and the window's own table."""
    if not valid.any():
        return np.full(valid.shape, -1, dtype=np.int64), SegmentTable(
            np.empty((0, 0)), np.empty(0, dtype=np.int64)
        )
    values = np.where(valid, values, 0)  # what is not there may be NaN
    labels = segments_of(values, valid, how)
    return labels, SegmentTable(*described(values, labels, how, chosen))
