"""The scenes in a folder, and one table of the classes found in all of them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.formats.products.archives import is_archive

ENDINGS = (".tif", ".tiff", ".jp2", ".img", ".nc", ".vrt", ".n1", ".npz")
FOLDERS = ("*_MTL.txt", "*_MTL.xml", "MTD_MSIL*.xml")
SUMMARY = "summary.csv"


@dataclass(frozen=True)
class Outcome:
    """What came of a scene: its map, or why there is none."""

    scene: Path
    target: Path
    problem: str = ""


def scenes_in(folder: Path) -> list[Path]:
    """Return the scenes directly inside a folder, by name: files, archives and product folders."""
    found = [
        path
        for path in sorted(folder.iterdir())
        if not path.name.startswith(".") and (_is_file(path) or _is_product(path))
    ]
    if not found:
        raise DataError(
            f"There is no scene in '{folder}'. Choose a folder of rasters or products.",
            code="file-not-found",
        )
    return found


def is_collection(path: Path) -> bool:
    """Whether a path is a folder of scenes rather than one scene."""
    return path.is_dir() and not _is_product(path)


def targets_for(scenes: Sequence[Path], folder: Path) -> list[Path]:
    """Return the map of each scene in a folder; each has a name of its own.

    >>> [path.as_posix() for path in targets_for([Path("in/LC08.tar.gz")], Path("out"))]
    ['out/LC08-map.tif']
    >>> [path.name for path in targets_for([Path("a.1.tif"), Path("a.2.tif")], Path("out"))]
    ['a.1.tif-map.tif', 'a.2.tif-map.tif']
    """
    short = [scene.name.split(".")[0] for scene in scenes]
    often = Counter(name.casefold() for name in short)
    stems = [
        name if often[name.casefold()] == 1 else scene.name
        for scene, name in zip(scenes, short, strict=True)
    ]
    return [folder / f"{stem}-map.tif" for stem in stems]


def write_summary(folder: Path, outcomes: Sequence[Outcome]) -> Path:
    """Write a line for each class of each scene, and one for each that could not be classified."""
    path = folder / SUMMARY
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["scene", "map", "class", "pixels", "share", "area_ha", "problem"])
        for one in outcomes:
            if one.problem:
                writer.writerow([one.scene.name, "", "", "", "", "", one.problem])
                continue
            with one.target.with_suffix(".csv").open(encoding="utf-8", newline="") as table:
                for row in csv.DictReader(table):
                    writer.writerow(
                        [one.scene.name, one.target.name]
                        + [row[name] for name in ("class", "pixels", "share", "area_ha")]
                        + [""]
                    )
    return path


def _is_file(path: Path) -> bool:
    return path.is_file() and (path.suffix.lower() in ENDINGS or is_archive(path))


def _is_product(path: Path) -> bool:
    named = path.suffix.upper() == ".SAFE"
    return path.is_dir() and (named or any(next(path.glob(end), None) for end in FOLDERS))
