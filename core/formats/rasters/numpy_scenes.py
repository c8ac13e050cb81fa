"""Cubes that numpy saved: .npy mapped where it is, .npz unpacked once into the cache folder."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from pathlib import Path
from typing import Any, Literal

import numpy as np

from coterie.core.errors import DataError, no_file
from coterie.core.formats.rasters.scene import Band, Scene
from coterie.core.io.atomic_write import writing_place
from coterie.core.io.folders import cache_folder
from coterie.core.model.arrays import BAD_HEADER, Array
from coterie.core.wording import size_in_words

Axes = Literal["auto", "bands-last", "bands-first"]
MOST_BANDS_GUESSED = 512
_BLOCK = 1 << 20
_KEPT_FREE = 64 << 20


def scene_of_cube(path: Path, array: str = "", axes: Axes = "auto") -> Scene:
    """Return the scene in an .npy or .npz: height × width, or with bands first or last.

    Parameters
    ----------
    array : name of the array in an .npz; empty for the largest one
    axes : where the bands are; "auto" decides by the shape, and asks in doubt
    """
    cube = _opened(path, array)
    part = array or (_largest(path) if path.suffix.lower() == ".npz" else "")
    if cube.ndim not in (2, 3) or cube.dtype.kind not in "biuf" or not cube.size:
        raise DataError(
            f"'{path.name}' is not a scene: it must hold numbers in height × width × bands. "
            f"Got shape {cube.shape} of {cube.dtype}.",
            code="not-a-scene",
        )
    if cube.ndim == 2:
        height, width, count, form = *cube.shape, 1, "bands-last"
    elif (axes if axes != "auto" else _likely_axes(path, cube.shape)) == "bands-first":
        (count, height, width), form = cube.shape, "bands-first"
    else:
        (height, width, count), form = cube.shape, "bands-last"
    return Scene(
        path=str(path.absolute()),
        bands=tuple(Band(f"band {i + 1}", part=part, index=i + 1) for i in range(count)),
        height=int(height),
        width=int(width),
        dtype=str(cube.dtype),
        form="bands-first" if form == "bands-first" else "bands-last",
    )


def _likely_axes(path: Path, shape: tuple[int, ...]) -> Axes:
    """Where the bands of a cube are by its shape, or an error that asks.

    Pictures are often square, and bands fewer than rows and columns; in doubt the last axis, as
    most programs have it, and never the first unless it is clearly the shortest.

    >>> _likely_axes(Path("a.npy"), (145, 145, 200)), _likely_axes(Path("a.npy"), (6, 90, 80))
    ('bands-last', 'bands-first')
    """
    first, middle, last = shape
    if first == middle != last:
        likely: Axes | None = "bands-last"
    elif middle == last != first:
        likely = "bands-first"
    elif last <= min(first, middle):
        likely = "bands-last"
    else:
        likely = "bands-first" if 2 * first <= min(middle, last) else None
    if likely is None or shape[-1 if likely == "bands-last" else 0] > MOST_BANDS_GUESSED:
        raise DataError(
            f"The shape {shape} of '{path.name}' does not show which axis holds the bands. "
            "Set the parameter 'axes'.",
            code="ambiguous-axes",
        )
    return likely


def open_cube(scene: Scene) -> Array:
    """Return the cube of a scene, mapped rather than read, with three axes."""
    cube = _opened(Path(scene.path), scene.bands[0].part)
    if cube.ndim == 2:
        cube = cube[:, :, None] if scene.form == "bands-last" else cube[None]
    expected = (scene.height, scene.width)
    got = cube.shape[:2] if scene.form == "bands-last" else cube.shape[1:]
    if got != expected:
        raise DataError(
            f"'{scene.name}' has changed: it was {expected[0]} × {expected[1]} pixels and is "
            f"{got[0]} × {got[1]} now. Open it again.",
            code="file-changed",
        )
    return cube


def _opened(path: Path, array: str) -> Array:
    file = path if path.suffix.lower() == ".npy" else _unpacked(path, array or _largest(path))
    try:
        mapped: Any = np.load(file, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise no_file(path) from None
    except (*BAD_HEADER, OSError, EOFError) as error:
        raise DataError(
            f"'{path.name}' is not a complete NumPy file ({error!s:.120}). Save it again.",
            code="file-damaged",
        ) from None
    return np.asanyarray(mapped)  # stays a map of the file


def arrays_of(path: Path) -> tuple[str, ...]:
    """Return the names of the arrays in an .npz; of any other file none."""
    return tuple(_members(path)) if path.suffix.lower() == ".npz" and path.is_file() else ()


def _members(path: Path) -> dict[str, int]:
    """The arrays in an .npz, each with its unpacked size."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
    except FileNotFoundError:
        raise no_file(path) from None
    except (zipfile.BadZipFile, OSError) as error:
        raise DataError(
            f"'{path.name}' is not a complete NumPy file ({error!s:.120}). Save it again.",
            code="file-damaged",
        ) from None
    return {
        i.filename.removesuffix(".npy"): i.file_size for i in infos if i.filename[-4:] == ".npy"
    }


def _largest(path: Path) -> str:
    members = _members(path)
    if not members:
        raise DataError(
            f"'{path.name}' has no arrays. Save the scene with numpy.savez.", code="no-numbers"
        )
    return max(members, key=lambda name: members[name])


def _unpacked(path: Path, array: str) -> Path:
    """The array of an .npz as a file of its own in the cache folder."""
    members = _members(path)
    if array not in members:
        known = ", ".join(members)
        raise DataError(
            f"'{path.name}' has no array '{array}'. It has: {known:.200}.", code="unknown-array"
        )
    status = path.stat()
    identity = f"{path.absolute()}\0{status.st_size}\0{status.st_mtime_ns}\0{array}"
    name = hashlib.sha256(identity.encode()).hexdigest()[:32]
    folder = cache_folder() / "cubes"
    target = folder / f"{name}.npy"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    require_space(folder, members[array], f"unpack '{path.name}'")
    temporary = writing_place(target)
    try:
        with (
            zipfile.ZipFile(path) as archive,
            archive.open(f"{array}.npy") as packed,
            temporary.open("wb") as stream,
        ):
            shutil.copyfileobj(packed, stream, _BLOCK)
        temporary.replace(target)
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise DataError(
            f"'{path.name}' cannot be unpacked ({error!s:.120}).", code="file-damaged"
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
    return target


def require_space(folder: Path, needed: int, purpose: str) -> None:
    """Raise a clear error when a folder's disk cannot take so many bytes more."""
    free = shutil.disk_usage(folder).free
    if needed + _KEPT_FREE > free:
        raise DataError(
            f"There is not enough space to {purpose}: it needs {size_in_words(needed)}, and "
            f"'{folder}' has {size_in_words(free)} left. Free some, or set XDG_CACHE_HOME to a "
            "folder on a larger disk.",
            code="disk-full",
        )
