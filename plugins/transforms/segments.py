"""Segments of a scene or picture (superpixels) as items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from coterie.core import (
    Context,
    Cost,
    Dataset,
    Field,
    Ints,
    Model,
    Output,
    ParameterError,
    Transform,
)
from coterie.core.formats.rasters.derived import DERIVED, reader_of
from coterie.core.formats.rasters.scene import scene_of
from coterie.core.formats.rasters.segmented import (
    SegmentTable,
    scale_of,
    scaled_by,
    segment_scene,
    segment_window,
)
from coterie.core.formats.rasters.truth import TruthReader, truth_of
from coterie.core.formats.rasters.windows import windows_over
from coterie.core.model.dataset import SCENE
from coterie.core.numerics.features.picture_grid import MEMBERS, as_bands, grid_of, valid_of
from coterie.core.numerics.features.segments import (
    SIDE,
    Segmenting,
    class_of_each,
    names_of_segments,
)
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares

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
            description="Pixels of a segment, about.",
            json_schema_extra={"slider": [16, 1000], "log": True, "unit": "pixels"},
        )
        compactness: float = Field(
            1.0,
            gt=0,
            le=1000,
            description="How much place counts against look: segments are more like squares when "
            "it is larger, and follow edges more closely when it is smaller.",
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
        chosen = context.rng.permutation(data.n)[:4000]
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
