"""Kinds of ground in a real Landsat 7 scene: learnt from some known pixels, judged by others.

Three questions, each through the program as a person would ask it.

1. Without labels: groups of a sample, named by the known pixels in it (`coterie repeat` with the
   recipe `scenes/landcover.toml`); judged by the known pixels outside the sample, over ten samples.
2. With labels: a classifier learns one half of the known pixels, drawn at random, and is judged by
   the other (`coterie classify --truth`). The pixels are in polygons, so both halves have much
   in common; a classifier that learns all of them is judged by single points elsewhere, too.
3. A larger scene, labelled tile by tile once: time and the most memory that the engine took.

The files `nc_landsat_multiband.tif`, `nc_landsat7_labelled.csv`, `nc_landsat7_points.csv` and
`landsat7_large.tif` are read from the folder COTERIE_DATA.

    python bench/reproduce_landcover.py [--times 10] [--numbers FILE.json]

With `--numbers` the accuracies and error matrices are written as JSON, too, for the tables of the
documentation.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from coterie.core import Array
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.maps import MapGrid, write_map
from coterie.core.formats.rasters.scene import Scene
from coterie.projects.cli.main import main as coterie

RECIPES = Path(__file__).resolve().parents[1] / "projects" / "recipe" / "shipped" / "scenes"
BANDS = tuple(f"b{number}" for number in range(1, 6))
UNKNOWN = 255
SUPERVISED = """\
format = 2
title = "Land cover, learnt from polygons"
[data]
open = "known.csv"
truth = "label"
params = {{ leave_out = ["row", "col"] }}
[[step]]
name = "scaled"
use = "transform/standardise"
of = "data"
[[step]]
name = "known"
use = "clusterer/by-hand"
of = "scaled"
params = {{ groups = {groups}, names = {names} }}
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["scaled", "known"]
params = {{ neighbours = 5 }}
"""
LARGE = """\
format = 2
title = "A large scene"
[data]
open = "landsat7_large.tif"
[[step]]
name = "pixels"
use = "transform/sample"
of = "data"
params = { size = 1000 }
[[step]]
name = "scaled"
use = "transform/standardise"
of = "pixels"
[[step]]
name = "groups"
use = "clusterer/kmeans"
of = "scaled"
params = { k = 8 }
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["scaled", "groups"]
"""


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a table."""
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def write_mask(path: Path, scene: Scene, pixels: list[dict[str, str]], names: list[str]) -> None:
    """The known pixels as a raster on the grid of the scene."""
    codes: Array = np.full((scene.height, scene.width), UNKNOWN, dtype=np.uint8)
    for pixel in pixels:
        codes[int(pixel["row"]), int(pixel["col"])] = names.index(pixel["label"])
    colours = np.linspace(40, 220, 3 * len(names)).astype(np.uint8).reshape(-1, 3)
    grid = MapGrid(
        height=scene.height,
        width=scene.width,
        names=tuple(names),
        colours=colours,
        nodata=UNKNOWN,
        dtype=np.dtype(np.uint8),
        crs=scene.crs,
        transform=scene.transform,
    )
    write_map(path, grid, lambda top, bottom: codes[top:bottom], lambda: None)


def run(*words: object) -> None:
    """Carry a command out, or give up."""
    print(f"\n$ coterie {' '.join(map(str, words))}", flush=True)
    if coterie([str(word) for word in words]) != 0:
        sys.exit("That failed.")


def supervised(title: str, learnt: list[dict[str, str]], names: list[str], mask: str) -> None:
    """Learn known pixels, label the scene, and compare it with the mask."""
    with Path("known.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, ["row", "col", *BANDS, "label"])
        writer.writeheader()
        writer.writerows(learnt)
    groups = [[i for i, p in enumerate(learnt) if p["label"] == name] for name in names]
    text = SUPERVISED.format(groups=groups, names=names)
    Path(f"{title}.toml").write_text(text, encoding="utf-8")
    run("run", f"{title}.toml")
    run(
        *("classify", f"{title}.coterie.h5", "nc_landsat_multiband.tif", "-o", f"{title}.tif"),
        *("--truth", mask, "--errors", f"{title}-errors.tif"),
    )


def matrix(made: str, mask: str, names: list[str]) -> list[list[int]]:
    """How many pixels of each true class (columns) the map has in each of its classes (rows)."""
    import rasterio

    with rasterio.open(made) as map_file, rasterio.open(mask) as mask_file:
        found, truly = map_file.read(1).ravel(), mask_file.read(1).ravel()
    known = (truly != UNKNOWN) & (found < len(names))
    counts = np.zeros((len(names), len(names)), dtype=np.int64)
    np.add.at(counts, (found[known], truly[known]), 1)
    return counts.tolist()


def main() -> None:
    """All three, in a folder that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--numbers", type=Path)
    asked = parser.parse_args()
    numbers = asked.numbers and asked.numbers.absolute()
    data = Path(os.environ.get("COTERIE_DATA", ".")).absolute()
    if not (data / "nc_landsat_multiband.tif").is_file():
        sys.exit(f"There is no 'nc_landsat_multiband.tif' in '{data}'. Set COTERIE_DATA.")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("nc_landsat_multiband.tif", "landsat7_large.tif"):
            shutil.copy(data / name, name)
        shutil.copy(RECIPES / "landcover.toml", "landcover.toml")
        known, points = (read(data / f"nc_landsat7_{n}.csv") for n in ("labelled", "points"))
        names = sorted({pixel["label"] for pixel in known})
        scene = scene_of(Path("nc_landsat_multiband.tif"))
        write_mask(Path("nc_labelled.tif"), scene, known, names)
        places = {(pixel["row"], pixel["col"]) for pixel in known}
        others = [pixel for pixel in points if (pixel["row"], pixel["col"]) not in places]
        write_mask(Path("nc_points.tif"), scene, others, names)
        half = np.random.default_rng(0).permutation(len(known)) < len(known) // 2
        learnt, kept = ([p for p, in_it in zip(known, half, strict=True) if in_it == which]
                        for which in (True, False))  # fmt: skip
        write_mask(Path("nc_half.tif"), scene, kept, names)
        run("cross-validate", "landcover.toml", "--times", asked.times)
        run(
            "cross-validate",
            "landcover.toml",
            "--times",
            asked.times,
            "--sizes",
            "70,140,210,280,350",
            "-o",
            "sizes.json",
        )
        supervised("half", learnt, names, "nc_half.tif")
        supervised("all", known, names, "nc_points.tif")
        if numbers:
            found = {
                "sizes": json.loads(Path("sizes.json").read_text(encoding="utf-8"))["means"],
                "names": names,
                "half": matrix("half.tif", "nc_half.tif", names),
                "all": matrix("all.tif", "nc_points.tif", names),
            }
            numbers.write_text(json.dumps(found), encoding="utf-8")
        Path("large.toml").write_text(LARGE, encoding="utf-8")
        run("run", "large.toml")
        began = time.perf_counter()
        run("classify", "large.coterie.h5", "landsat7_large.tif", "-o", "large.tif")
        took = time.perf_counter() - began
        # Of the children, the largest: that is an engine. Kilobytes, as Linux counts.
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"\nlabelled in {took:.1f} s; an engine took at most {most:.0f} MB")
        os.chdir(data)


if __name__ == "__main__":
    main()
