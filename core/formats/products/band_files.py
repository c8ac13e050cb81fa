"""Folders and lists of band files, stacked as one scene: bands of a date, or dates of a band."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.formats.products.quality import is_no_band
from coterie.core.formats.products.sentinel2 import WAVELENGTHS
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.wording import first_of

ENDINGS = (".tif", ".tiff", ".jp2", ".img", ".bil", ".bsq", ".nc", ".vrt")
MOST_FILES = 500
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?!\d)")
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)(00[1-9]|0[1-9]\d|[12]\d\d|3[0-6]\d)(?!\d)")
_DIGITS = re.compile(r"(\d+)")


def has_band_files(folder: Path) -> bool:
    """Return whether a folder has rasters that could be bands of one scene."""
    return folder.is_dir() and bool(_files_in(folder))


def scene_of_folder(folder: Path, describe: Callable[[Path], Scene]) -> Scene:
    """Return the scene made of all rasters in a folder that are bands, each as `describe` says."""
    files = _files_in(folder)
    bands = [file for file in files if not is_no_band(file)]
    left_out = [file for file in files if is_no_band(file)]
    if not bands:
        raise DataError(
            f"The folder '{folder.name}' has no rasters that are bands. Choose a file in it.",
            code="not-a-scene",
        )
    scene = stacked(folder, bands, describe)
    if not left_out:
        return scene
    note = f"Left out, because they describe other bands: {first_of(left_out)}."
    return replace(scene, notes=(*scene.notes, note))


def stacked(folder: Path, files: Sequence[str], describe: Callable[[Path], Scene]) -> Scene:
    """Return the scene made of files in a folder, on the grid of the finest.

    Bands are called after what differs between the names of the files. They are in the order of
    dates in those names, of Sentinel-2's bands, of their wavelengths, or of their names, whichever
    is known first; numbers in names count as numbers.
    """
    if len(files) > MOST_FILES:
        raise DataError(
            f"'{folder.name}' has {len(files)} rasters, more than {MOST_FILES}. Choose a file in "
            "it, or a folder with the bands of one scene.",
            code="not-a-scene",
        )
    ordered = sorted(files, key=_natural)
    scenes = {file: describe(folder / file) for file in ordered}
    finest = min(scenes.values(), key=lambda scene: abs(scene.transform[0]))
    coarser = [file for file, scene in scenes.items() if _place(file, scene, finest)]
    titles = _titles(ordered)
    bands = tuple(
        replace(band, file=file, name=_named(titles[file], band, len(scene.bands) > 1))
        for file, scene in scenes.items()
        for band in scene.bands
    )
    bands, order = _ordered(bands)
    notes = [f"Made of {len(ordered)} files, in the order of {order}."] if len(ordered) > 1 else []
    if coarser:
        notes.append(f"Brought to the finest grid: {first_of(coarser)}.")
    types = {scene.dtype for scene in scenes.values()}
    return replace(
        finest,
        path=str(folder.absolute()),
        bands=bands,
        dtype=finest.dtype if len(types) == 1 else _common(types),
        notes=tuple(notes),
    )


def _files_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.is_file()]
    except OSError as error:
        raise DataError(
            f"The folder '{folder.name}' cannot be listed ({error.strerror}).", code="file-access"
        ) from None
    return sorted(n for n in names if n.lower().endswith(ENDINGS) and not n.startswith("."))


def _place(file: str, scene: Scene, grid: Scene) -> bool:
    """Whether a file must be brought to the grid of another; an error where it cannot be."""
    same = (scene.height, scene.width) == (grid.height, grid.width)
    if not scene.crs and not grid.crs and same:
        return False
    if not _same_system(scene.crs, grid.crs):
        raise DataError(
            f"'{file}' does not have the coordinate system of the other files. Reproject it, "
            "or choose one file.",
            code="grid-mismatch",
        )
    pixel = max(abs(scene.transform[0]), abs(grid.transform[0]))
    apart = [abs(a - b) / pixel for a, b in zip(_corners(scene), _corners(grid), strict=True)]
    if not scene.crs or max(apart) > 1.5:
        raise DataError(
            f"'{file}' covers another area than the other files ({scene.height} × {scene.width} "
            f"pixels instead of {grid.height} × {grid.width}, corners {max(apart):.1f} pixels "
            "apart). Cut them to one area, or choose one file.",
            code="grid-mismatch",
        )
    return not same


def _same_system(one: str, other: str) -> bool:
    if one == other or not (one and other):
        return one == other
    from rasterio.crs import CRS

    return bool(CRS.from_wkt(one) == CRS.from_wkt(other))


def _corners(scene: Scene) -> tuple[float, ...]:
    a, b, c, d, e, f = scene.transform
    right, bottom = scene.width, scene.height
    return c, f, a * right + b * bottom + c, d * right + e * bottom + f


def _titles(files: Sequence[str]) -> dict[str, str]:
    """What differs between the names: dates where each has another, else the words in between."""
    stems = {file: Path(file).stem for file in files}
    dates = {file: _date(stem) for file, stem in stems.items()}
    if len(files) > 1 and all(dates.values()) and len(set(dates.values())) == len(files):
        return dates
    words = {file: re.split(r"[_\s.-]+", stem) for file, stem in stems.items()}
    if len(files) == 1:
        return stems
    begin = _alike(list(words.values()))
    end = _alike([list(reversed(rest[begin:])) for rest in words.values()])
    titles = {f: "_".join(rest[begin : len(rest) - end]) for f, rest in words.items()}
    return {file: title or stems[file] for file, title in titles.items()}


def _alike(lists: Sequence[list[str]]) -> int:
    """With how many equal words all begin."""
    count = 0
    while all(len(words) > count for words in lists) and len({w[count] for w in lists}) == 1:
        count += 1
    return count


def _date(stem: str) -> str:
    if found := _DATE.search(stem):
        return "-".join(found.groups())
    if day := _DAY.search(stem):
        from datetime import date, timedelta

        first = date(int(day.group(1)), 1, 1)
        return (first + timedelta(days=int(day.group(2)) - 1)).isoformat()
    return ""


def _named(title: str, band: Band, several: bool) -> str:
    return f"{title} {band.name}" if several else title


def _ordered(bands: tuple[Band, ...]) -> tuple[tuple[Band, ...], str]:
    names = [band.name for band in bands]
    if all(re.match(r"\d{4}-\d\d-\d\d", name) for name in names):
        return bands, "their dates"
    known = [re.sub(r"_\d\dm$", "", name).upper() for name in names]
    if len(bands) > 1 and set(known) <= set(WAVELENGTHS) and len(set(known)) == len(known):
        order = list(WAVELENGTHS)
        sentinel = (
            replace(band, name=name, wavelength=band.wavelength or WAVELENGTHS[name])
            for band, name in zip(bands, known, strict=True)
        )
        return tuple(sorted(sentinel, key=lambda band: order.index(band.name))), "Sentinel-2"
    if len(bands) > 1 and all(band.wavelength for band in bands):
        return tuple(sorted(bands, key=lambda band: band.wavelength)), "their wavelengths"
    return bands, "their names"


def _natural(name: str) -> list[tuple[int, str]]:
    """A key under which B2 comes before B10."""
    parts = _DIGITS.split(name.casefold())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _common(types: set[str]) -> str:
    import numpy as np

    return str(np.result_type(*types))


def names_of(folder: Path, text: str) -> list[str]:
    """Return the files that a list such as "b4.tif, b3.tif" or "*_B?.tif" names in a folder."""
    found: dict[str, None] = {}
    for word in (part.strip() for part in text.split(",")):
        if not word:
            continue
        if Path(word).name != word or word in (".", ".."):
            raise DataError(
                f"'{word:.80}' must be in the folder of the scene. Give only its name.",
                code="outside-folder",
            )
        matching = sorted((f.name for f in folder.glob(word) if f.is_file()), key=_natural)
        if not matching:
            raise DataError(
                f"There is no file '{word:.80}' in the folder '{folder.name}'.",
                code="file-not-found",
            )
        found.update(dict.fromkeys(matching))
    return list(found)
