"""The known classes of a scene's pixels: a second raster of the same size and place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.products.quality import quality_of
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import (
    SceneReader,
    Window,
    bounded_gdal,
    open_raster,
    tile_side,
    windows_over,
)
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.dataset import Dataset

TRUTH = "mask"
MOST_CLASSES = 255


@dataclass(frozen=True)
class Truth:
    """A mask: the raster, and what its values mean; pixels of other values have no known class.

    Attributes
    ----------
    values : the numbers in the raster that mean a class
    meanings : for each of them the class, as an index into `names`; several may mean the same
    """

    scene: Scene
    values: tuple[int, ...]
    meanings: tuple[int, ...]
    names: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        return {
            "scene": self.scene.as_json(),
            "values": list(self.values),
            "meanings": list(self.meanings),
            "names": list(self.names),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Truth:
        """Build it again from `as_json`."""
        try:
            names = tuple(str(name) for name in value["names"])
            values = tuple(int(number) for number in value["values"])
            meanings = tuple(int(number) for number in value["meanings"])
            scene = value["scene"]
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(
                f"The description of the mask is damaged: {error!r:.80}.", code="invalid-mask"
            ) from None
        if len(meanings) != len(values) or not all(0 <= m < len(names) for m in meanings):
            raise DataError(
                "The description of the mask is damaged. Open the scene again.", code="invalid-mask"
            )
        return cls(Scene.from_json(scene), values, meanings, names)

    def classes(self, numbers: Array, valid: Array) -> Ints:
        """Return the class of each pixel as an index into the names, −1 where it is not known."""
        found = np.full(numbers.shape, -1, dtype=np.int64)
        for index, value in zip(self.meanings, self.values, strict=True):
            found[(numbers == value) & valid] = index
        return found


class TruthReader:
    """An open mask. Use it in a `with` statement."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self._reader = SceneReader(replace(truth.scene, bands=truth.scene.bands[:1]))

    def __enter__(self) -> TruthReader:
        self._reader.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._reader.__exit__(*error)

    def read(self, window: Window) -> Ints:
        """Return the classes in a window."""
        values, valid = self._reader.read(window)
        return self.truth.classes(values[0], valid)


def truth_of(data: Dataset) -> Truth | None:
    """Return the mask of a raster dataset, None when it has none."""
    described = data.details.get(TRUTH)
    return Truth.from_json(described) if isinstance(described, Mapping) else None


def parse_classes(text: str) -> dict[int, str]:
    """Return what mask values mean, from "4 = cloud, 1 = water".

    >>> parse_classes("4 = cloud, 1 = water, 7")
    {4: 'cloud', 1: 'water', 7: '7'}
    """
    classes = {}
    for part in text.split(","):
        value, _, name = (word.strip() for word in part.partition("="))
        if not value:
            continue
        try:
            classes[int(value)] = name or value
        except ValueError:
            raise DataError(
                f"'{part.strip():.60}' names no class of the mask. "
                'Write value = name, such as "4 = cloud, 1 = water".',
                code="invalid-mask-classes",
            ) from None
    return classes


def find_truth(
    scene: Scene, mask: Scene, classes: Mapping[int, str], check: Callable[[], None]
) -> Truth:
    """Return the truth of `scene` in `mask`, or say why the two do not fit.

    Values of one name are one class. Without `classes`, each value that occurs in the mask is a
    class; 0 is one too unless the file calls it no-data. The whole mask is read for that. The bits
    of quality layers known by their names are classes by what they mean. A mask of another pixel
    size is brought to the grid of the scene, by the nearest pixel.
    """
    mask = on_grid(scene, mask)
    if len(mask.bands) > 1:
        names = ", ".join(mask.band_names)
        raise DataError(
            f"The mask '{mask.name}' has {len(mask.bands)} bands ({names:.100}); "
            "it must have one, with a number for each class.",
            code="invalid-mask",
        )
    if not classes:
        values = values_in(mask, check)
        quality = quality_of(mask.bands[0].file or mask.name)
        given = quality.meanings(values) if quality is not None else _names_in(mask)
        known = [value for value in values if quality is None or value in given]
        classes = {value: given.get(value, str(value)) for value in known}
    if not classes:
        raise DataError(
            f"The mask '{mask.name}' has no valid pixels, so no classes are known.",
            code="invalid-mask",
        )
    order = sorted(classes)
    called = tuple(dict.fromkeys(classes[value] for value in order))
    return Truth(mask, tuple(order), tuple(called.index(classes[v]) for v in order), called)


def on_grid(scene: Scene, mask: Scene) -> Scene:
    """Return a mask on the grid of its scene, by the nearest pixel where it has another one."""
    there = (mask.height, mask.width) == (scene.height, scene.width)
    if there or not scene.crs or not mask.crs or not _covers(mask, scene):
        require_same_grid(scene, mask)
        return mask
    return replace(
        mask,
        height=scene.height,
        width=scene.width,
        transform=scene.transform,
        resampling="nearest",
    )


def _covers(mask: Scene, scene: Scene) -> bool:
    """Whether a raster of another pixel size, along the same axes, covers the same ground."""
    turned = any(raster.transform[1] or raster.transform[3] for raster in (scene, mask))
    sizes = [abs(raster.transform[0]) for raster in (scene, mask)]
    if turned or max(sizes) < 1.01 * min(sizes) or not _same_crs(scene.crs, mask.crs):
        return False
    pairs = zip(_corners(mask), _corners(scene), strict=True)
    return all(abs(one - other) <= 1.01 * max(sizes) for one, other in pairs)


def _corners(scene: Scene) -> tuple[float, ...]:
    a, _, c, _, e, f = scene.transform
    return c, f, c + a * scene.width, f + e * scene.height


def require_same_grid(scene: Scene, mask: Scene) -> None:
    """Raise a clear error unless two rasters match pixel by pixel."""
    if (scene.height, scene.width) != (mask.height, mask.width):
        raise DataError(
            f"The mask '{mask.name}' has {mask.height} × {mask.width} pixels, the scene "
            f"'{scene.name}' {scene.height} × {scene.width}. Resample it to the scene's grid.",
            code="grid-mismatch",
        )
    if not scene.crs or not mask.crs:
        return  # a mask without coordinates is assumed to cover the scene
    if not _same_crs(scene.crs, mask.crs):
        raise DataError(
            f"The mask '{mask.name}' and the scene '{scene.name}' have different coordinate "
            "systems. Reproject the mask to that of the scene.",
            code="grid-mismatch",
        )
    pixel = max(abs(v) for v in (*scene.transform[:2], *scene.transform[3:5])) or 1.0
    offset = max(abs(s - m) for s, m in zip(scene.transform, mask.transform, strict=True))
    if offset > 0.5 * pixel:
        raise DataError(
            f"The mask '{mask.name}' does not cover the scene '{scene.name}': their corners "
            f"are {offset / pixel:.1f} pixels apart. Resample it to the scene's grid.",
            code="grid-mismatch",
        )


def _same_crs(one: str, other: str) -> bool:
    if one == other:
        return True
    from rasterio.crs import CRS

    return bool(CRS.from_wkt(one) == CRS.from_wkt(other))


def _names_in(mask: Scene) -> dict[int, str]:
    """What the file itself calls its values, in tags such as class_4 of its band."""
    if mask.form != "gdal":
        return {}
    with bounded_gdal(), open_raster(Path(mask.path), mask.bands[0].file) as source:
        tags = source.tags(mask.bands[0].index)
    numbers = ((name.removeprefix("class_"), text) for name, text in tags.items())
    return {int(number): str(text) for number, text in numbers if number.isdigit() and text}


def values_in(mask: Scene, check: Callable[[], None]) -> list[int]:
    """Return the whole numbers that occur in a mask; more than a mask has are an error."""
    found: set[float] = set()
    with SceneReader(mask) as reader:
        for window in windows_over(mask.height, mask.width, tile_side(mask, 1024)):
            check()
            values, valid = reader.read(window)
            found.update(np.unique(values[0][valid]).tolist())
            if len(found) > MOST_CLASSES or any(value != int(value) for value in found):
                raise DataError(
                    f"'{mask.name}' does not look like a mask: it must hold at most "
                    f"{MOST_CLASSES} whole numbers, one for each class.",
                    code="invalid-mask",
                )
    return sorted(int(value) for value in found)
