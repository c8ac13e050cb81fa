"""Masks of scenes: found beside a scene or inside a product, by name or by what they are called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.formats.files.textfiles import beside
from coterie.core.formats.products.archives import is_archive, place_of, product_in, unpacked
from coterie.core.formats.products.landsat_metadata import metadata_file
from coterie.core.formats.products.quality import quality_of
from coterie.core.formats.rasters.formats import scene_of_file
from coterie.core.formats.rasters.numpy_scenes import scene_of_cube
from coterie.core.formats.rasters.scene import Scene, Validity
from coterie.core.formats.rasters.truth import Truth

_ENDINGS = (".tif", ".tiff", ".jp2", ".img", ".vrt")
_MOST_LOOKED_AT = 2000


def mask_scene(path: Path, name: str) -> Scene:
    """Return the raster that a scene's mask is in.

    Parameters
    ----------
    path : what the scene was opened by
    name : an array of its .npz, a file beside it or inside the product, or how the name of one
        ends: "BQA", "QA_PIXEL", "SCL", "fmask"
    """
    if path.suffix.lower() == ".npz":
        return scene_of_cube(path, name)
    home = product_folder(path)
    if home is None:
        found = beside(path, name)
        if not found.exists() and (alike := _ending_in(path.parent, name, deep=False)):
            found = alike
        from coterie.core.formats.rasters.formats import scene_of

        return scene_of(found)
    file = _inside(home, name)
    scene = scene_of_file(file)
    root = unpacked(path) if is_archive(path) else home
    inner = file.relative_to(root).as_posix()
    bands = tuple(replace(band, file=inner) for band in scene.bands)
    return replace(scene, path=str(path.absolute() if is_archive(path) else home), bands=bands)


def product_folder(path: Path) -> Path | None:
    """Return the folder of the product that a path stands for; None for a file of its own."""
    if is_archive(path):
        return product_in(place_of(path))
    if path.is_dir():
        return path.absolute()
    described = metadata_file(path) is not None or path.name.upper().startswith("MTD_MSI")
    return path.absolute().parent if described else None


def quality_files(path: Path) -> tuple[str, ...]:
    """Return the quality layers inside a product, by their names."""
    home = product_folder(path)
    if home is None:
        return ()
    files = (file.name for file in _rasters(home, deep=True) if quality_of(file.name))
    return tuple(dict.fromkeys(files))


def left_out(scene: Scene, truth: Truth, names: str, others: tuple[int, ...]) -> Scene:
    """Return the scene without the pixels of some classes of its mask.

    Parameters
    ----------
    names : classes, with commas between
    others : numbers of the mask that mean no data
    """
    wanted = [word.strip() for word in names.split(",") if word.strip()]
    unknown = [word for word in wanted if word not in truth.names]
    if unknown:
        known = ", ".join(truth.names)
        raise DataError(
            f"The mask '{truth.scene.name}' has no class '{unknown[0]:.60}'. It has: {known:.200}.",
            code="unknown-class",
        )
    pairs = zip(truth.values, truth.meanings, strict=True)
    numbers = tuple(value for value, index in pairs if truth.names[index] in wanted)
    return replace(scene, validity=Validity(truth.scene, (*numbers, *others)))


def _inside(home: Path, name: str) -> Path:
    """The file in a product that is called so, or whose name ends so."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise DataError(
            f"'{name:.80}' must be in the folder of the scene. Give only its name.",
            code="outside-folder",
        )
    if (home / name).is_file():
        return home / name
    for file in _rasters(home, deep=True):
        if file.name == name:
            return file
    if (found := _ending_in(home, name, deep=True)) is not None:
        return found
    raise DataError(
        f"There is no file '{name:.80}' in '{home.name}', and none whose name ends like that.",
        code="file-not-found",
    )


def _ending_in(folder: Path, name: str, *, deep: bool) -> Path | None:
    """The file whose name ends in a word such as "SCL", before its pixel size; the finest."""
    word = f"_{name.lower()}"
    for file in _rasters(folder, deep=deep):
        stem = f"_{file.stem.lower()}"
        if stem.endswith(word) or (quality_of(file.name) and f"{word}_" in f"{stem}_"):
            return file
    return None


def _rasters(folder: Path, *, deep: bool) -> list[Path]:
    found = []
    for count, file in enumerate(folder.rglob("*") if deep else folder.iterdir()):
        if count > _MOST_LOOKED_AT:
            break
        if file.suffix.lower() in _ENDINGS and file.is_file():
            found.append(file)
    return sorted(found)
