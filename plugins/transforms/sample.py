"""Take some of the items."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from coterie.core import (
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Ints,
    Transform,
)
from coterie.core.formats.rasters.derived import DERIVED, reader_of
from coterie.core.formats.rasters.regions import parse_regions
from coterie.core.formats.rasters.sampling import (
    classes_at,
    sample_at_random,
    sample_by_class,
)
from coterie.core.formats.rasters.scene import NO_TRANSFORM, Band, Scene, scene_of
from coterie.core.formats.rasters.truth import TruthReader, truth_of
from coterie.core.formats.rasters.windows import Window
from coterie.core.model.dataset import SCENE
from coterie.core.model.subset import chosen_items


class RandomSubset(Transform):
    """A random subset of the items, optionally with equally many of each known class.

    The items keep their order. Which ones are taken depends on the seed alone. Of a scene, valid
    pixels are taken as a table of their bands; only the windows that contain them are read, and
    the sample remembers where in the scene each of them is.
    """

    id, title = "sample", "Sample of the items"
    chooses_items = True

    class Params(Transform.Params):
        """The number of items, and whether classes are balanced."""

        size: int = Field(
            1000,
            ge=1,
            description="Number of items to take; all when there are fewer.",
            json_schema_extra={"slider": [100, 10_000], "log": True, "unit": "items"},
        )
        balanced_by: Literal["none", "truth", "regions"] = Field(
            "none",
            description="Whether to take equally many items from each known class or drawn region.",
        )
        regions: str = Field(
            "",
            description="Named polygons in the coordinates of the scene, as GeoJSON.",
            json_schema_extra={"only_if": {"balanced_by": ["regions"]}, "advanced": True},
        )
        others: int = Field(
            0,
            ge=0,
            description="Number of additional random items without a known class, for methods "
            "that learn from labelled and unlabelled items together.",
            json_schema_extra={
                "only_if": {"balanced_by": ["truth", "regions"]},
                "advanced": True,
                "unit": "items",
            },
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Dataset:
        """Return the sample."""
        context.check()
        if data.on_disk:
            return _pixels(data, params, context)
        if params.balanced_by == "regions":
            data = _with_regions(data, params.regions)
        if data.n == 0:
            raise DataError(
                f"'{data.title}' is empty, so there is nothing to take.", code="empty-data"
            )
        if params.balanced_by != "none":
            chosen = _balanced(data, params.size, context)
            if params.others:
                data, chosen = _with_others(data, chosen, params.others, context)
        else:
            chosen = context.rng.permutation(data.n)[: params.size]
        chosen = np.sort(chosen)
        note = f"A sample of {len(chosen)} of {data.n} items."
        return replace(chosen_items(data, chosen), notes=(*data.notes, note))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The sample."""
        taken = min(data.n, params.size + params.others)
        if data.on_disk:
            bands = len(data.columns)
            return Cost(bytes=64 * taken * (bands + 8) + (96 << 20), seconds=1e-3 * taken)
        return Cost(bytes=16 * taken * (data.d + 8) + 16 * data.n, seconds=1e-7 * data.n)


def _pixels(data: Dataset, params: RandomSubset.Params, context: Context) -> Dataset:
    """A sample of a scene's pixels, as a table that knows where they are."""
    scene, truth, reader = scene_of(data), truth_of(data), reader_of(data)
    names, column = data.truth_names, data.truth_column
    if params.balanced_by == "none":
        classes = None if truth is None else TruthReader(truth)
        taken = sample_at_random(reader, params.size, context, classes)
    elif params.balanced_by == "truth":
        if truth is None:
            raise DataError(
                f"'{data.title}' has no known classes to balance a sample by. "
                "Name a mask when opening it, or balance by none.",
                code="known-classes-needed",
            )
        known = TruthReader(truth)
        taken = sample_by_class(reader, params.size, context, known, len(truth.names))
    else:
        regions = parse_regions(params.regions, scene)
        taken = sample_by_class(reader, params.size, context, regions, len(regions.names))
        names, column = regions.names, "region"
    lost = _without_pixels(names, taken.classes) if params.balanced_by != "none" else ""
    if params.others and params.balanced_by != "none":
        taken = taken.joined(sample_at_random(reader_of(data), params.others, context))
    rows, columns = np.divmod(taken.positions, scene.width)
    note = f"A sample of {len(taken.positions):,} of {scene.n:,} pixels."
    note += lost
    wanted = params.size + (params.others if params.balanced_by != "none" else 0)
    if len(taken.positions) < min(wanted, scene.n):
        note += " There are no more valid ones."
    return Dataset(
        title=data.title,
        features=taken.values,
        columns=reader.columns,
        truth=taken.classes,
        truth_names=names if taken.classes is not None else (),
        truth_column=column if taken.classes is not None else "",
        notes=(*data.notes, note),
        details={
            SCENE: scene.as_json(),
            "positions": taken.positions.tolist(),
            "rows": rows.tolist(),
            "columns": columns.tolist(),
            # Derived features have no wavelengths.
            **({} if data.details.get(DERIVED) else {"wavelengths": list(scene.wavelengths)}),
        },
    )


def _without_pixels(names: tuple[str, ...], classes: Ints | None) -> str:
    """Say which classes have no valid pixel, such as regions outside the scene; empty for none."""
    there = set() if classes is None else set(classes.tolist())
    missing = [name for number, name in enumerate(names) if number not in there]
    return f" No valid pixel is in: {', '.join(missing):.200}." if missing else ""


def _with_regions(data: Dataset, text: str) -> Dataset:
    """Pixels of a picture, or segments of a scene, with the class of the region they are in."""
    if SCENE in data.details:
        return _segments_in_regions(data, text)
    height, width = (data.details.get(side) for side in ("height", "width"))
    if not isinstance(height, int) or not isinstance(width, int) or height * width != data.n:
        raise DataError(
            f"The items of '{data.title}' are not the pixels of a scene or picture, so no "
            "region can contain them. Balance by truth or none.",
            code="no-valid-pixels",
        )
    transform = tuple(float(v) for v in data.details.get("transform", NO_TRANSFORM))
    grid = Scene(data.title, (Band("picture"),), height, width, transform=transform)
    regions = parse_regions(text, grid)
    inside = regions.read(Window(0, 0, height, width)).reshape(-1)
    if not (inside >= 0).any():
        raise DataError(
            f"No pixel of '{data.title}' is in a region. Check the coordinates of the regions.",
            code="no-valid-pixels",
        )
    return replace(data, truth=inside, truth_names=regions.names, truth_column="region")


def _segments_in_regions(data: Dataset, text: str) -> Dataset:
    """Segments of a scene have the class of the region that has the pixel in their middle."""
    regions = parse_regions(text, scene_of(data))
    positions = np.asarray(data.details.get("positions", ()), dtype=np.int64)
    inside = classes_at(scene_of(data), regions, positions, Context())
    if len(positions) != data.n or not (inside >= 0).any():
        raise DataError(
            f"No item of '{data.title}' is in a region. Check the coordinates of the regions.",
            code="no-valid-pixels",
        )
    return replace(data, truth=inside, truth_names=regions.names, truth_column="region")


def _with_others(
    data: Dataset, chosen: Ints, others: int, context: Context
) -> tuple[Dataset, Ints]:
    """The same items and others at random, whose class is not known."""
    assert data.truth is not None
    rest = np.setdiff1d(np.arange(data.n), chosen)
    more = context.rng.permutation(rest)[:others]
    truth = np.full(data.n, -1, dtype=np.int64)
    truth[chosen] = data.truth[chosen]
    return replace(data, truth=truth), np.concatenate([chosen, more])


def _balanced(data: Dataset, size: int, context: Context) -> Ints:
    """As many of each class as there are; the others make up for a small class."""
    if data.truth is None or not (data.truth >= 0).any():
        raise DataError(
            f"'{data.title}' has no known classes to balance a sample by. "
            "Choose a column of classes when reading it, or balance by none.",
            code="known-classes-needed",
        )
    classes = [np.flatnonzero(data.truth == c) for c in range(int(data.truth.max()) + 1)]
    classes = sorted((members for members in classes if len(members)), key=len)
    parts, left = [], size
    for number, members in enumerate(classes):
        share = min(len(members), -(-left // (len(classes) - number)))
        parts.append(context.rng.permutation(members)[:share])
        left -= share
    return np.concatenate(parts)
