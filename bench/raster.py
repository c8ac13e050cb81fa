"""Labelling every pixel of a scene: speed against the bare arithmetic, and peak memory.

1. One nearest neighbour of 1,153 × 1,153 pixels × 19 features among 400 samples, against the bare
   chunked float32 product with argmin over the same data on the same cores (limit: 1.3 ×), and
   against scikit-learn's `KNeighborsClassifier` at its best setting. Labels are compared with those
   of float64 differences.
2. A synthetic scene of 10,980 × 10,980 pixels × 13 bands, tiled and compressed, classified tile by
   tile in a process of its own (limit: 600 MB at the peak), its overviews, its first view from them
   (limit: 1 s) and a pan step.

`--quick` takes a ninth of the pixels of the first and a scene of 2,048 × 2,048; `--keep FOLDER`
keeps the scene there for the next time.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from tools.measuring import report, seconds_of

from coterie.core import Array, Clustering, Context, Dataset, Floats, Ints

WORKERS = os.cpu_count() or 1
REPETITIONS = 5
BANDS = 13


def bare(X: Floats, samples: Floats, labels: Ints, high: int) -> Callable[[], Ints]:
    """The same by one product and one argmin a chunk, chunks shared among the cores."""
    from threadpoolctl import threadpool_limits

    squares = np.einsum("ij,ij->i", samples, samples)
    sides = np.ascontiguousarray(np.vstack([-2 * samples.T, squares]).astype(np.float32))
    augmented = np.hstack([X, np.ones((len(X), 1), dtype=np.float32)]).astype(np.float32)
    found = np.empty(len(X), dtype=np.int64)

    def chunk(at: int) -> None:
        found[at : at + high] = labels[(augmented[at : at + high] @ sides).argmin(axis=1)]

    def run() -> Ints:
        with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(chunk, range(0, len(X), high)))
        return found

    return run


def nearest(side: int) -> None:
    """One nearest neighbour for every pixel."""
    from sklearn.neighbors import KNeighborsClassifier

    from coterie.core.numerics.similarity.nearest import NearestGroup

    rng = np.random.default_rng(0)
    n, d, m = side * side, 19, 400
    centres = rng.normal(size=(6, d))
    X = (centres[rng.integers(0, 6, n)] + 0.7 * rng.normal(size=(n, d))).astype(np.float32)
    samples = X[rng.choice(n, m, replace=False)].astype(np.float64)
    labels = ((samples[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    ours = NearestGroup(samples, labels)

    def own() -> Ints:
        return ours.labels_of(X, workers=WORKERS)

    peers = {high: bare(X, samples, labels, high) for high in (1024, 4096, 16_384)}
    best = min(peers, key=lambda high: min(seconds_of(peers[high], 2)))
    taken: list[list[float]] = [[], []]
    for _ in range(REPETITIONS):
        for times, action in zip(taken, (own, peers[best]), strict=True):
            times += seconds_of(action, 1)
    what = f"nearest of {m}, {n:,} × {d}"
    peer = f"bare product and argmin, chunks of {best}"
    report(what, taken[0], peer, statistics.median(taken[1]))
    # On a busy machine wall-clock time is that of the others.
    used = [min(_processor_seconds(action) for _ in range(3)) for action in (own, peers[best])]
    report(f"{what}, processor time", used[:1], peer, used[1])
    settings = ("brute", "kd_tree", "ball_tree")
    part = X[: n // 20]
    theirs = {}
    for algorithm in settings:
        fitted = KNeighborsClassifier(1, algorithm=algorithm, n_jobs=WORKERS).fit(samples, labels)
        theirs[algorithm] = (seconds_of(lambda f=fitted: f.predict(part), 1)[0], fitted)
    name = min(theirs, key=lambda key: theirs[key][0])
    best_peer = seconds_of(lambda: theirs[name][1].predict(X), 1)[0]
    report(what, taken[0], f"KNeighborsClassifier ({name})", best_peer)
    print(f"labels unlike those of float64: {_different(X, samples, labels, own())}", flush=True)


def _processor_seconds(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def _different(X: Array, samples: Floats, labels: Ints, found: Ints) -> int:
    wrong = 0
    for at in range(0, len(X), 2000):
        apart = X[at : at + 2000, None].astype(np.float64) - samples[None]
        exact = labels[np.einsum("ijk,ijk->ij", apart, apart).argmin(axis=1)]
        wrong += int((exact != found[at : at + 2000]).sum())
    return wrong


def make_scene(path: Path, side: int) -> None:
    """A tiled, compressed scene with clouds over fields, written block by block."""
    import rasterio
    from rasterio.transform import Affine
    from rasterio.windows import Window

    rng = np.random.default_rng(0)
    profile: dict[str, Any] = {
        "driver": "GTiff",
        "count": BANDS,
        "height": side,
        "width": side,
        "dtype": "uint16",
        "nodata": 0,
        "tiled": True,
        "blockxsize": 512,
        "blockysize": 512,
        "compress": "deflate",
        "zlevel": 1,
        "crs": "EPSG:32633",
        "transform": Affine(10, 0, 300_000, 0, -10, 5_000_000),
        "num_threads": WORKERS,
    }
    blocks = []
    for kind in range(8):
        level = np.kron(rng.integers(500, 3000, (BANDS, 16, 16)), np.ones((32, 32), dtype=int))
        cloud = np.kron(rng.random((16, 16)) < kind / 10, np.ones((32, 32), dtype=bool))
        level = np.where(cloud, 8000, level) + rng.integers(0, 64, (BANDS, 512, 512))
        blocks.append(level.astype(np.uint16))
    with rasterio.open(path, "w", **profile) as target:
        for top in range(0, side, 512):
            for left in range(0, side, 512):
                high, wide = min(512, side - top), min(512, side - left)
                block = blocks[int(rng.integers(8))][:, :high, :wide]
                target.write(block, window=Window(left, top, wide, high))


def classify_whole(path: Path) -> None:
    """Classify the scene as the engine does, in this process; print its own peak."""
    from coterie.core.formats.rasters.classes import class_table
    from coterie.core.formats.rasters.formats import scene_of
    from coterie.core.formats.rasters.maps import MapGrid, write_map
    from coterie.core.formats.rasters.sampling import sample_at_random
    from coterie.core.formats.rasters.tiles import PartialMap, classify_scene
    from coterie.plugins.classifiers.nearest import Nearest
    from coterie.plugins.transforms.standardise import Standardise

    context = Context(workers=WORKERS)
    scene = scene_of(path)
    taken = sample_at_random(scene, 400, context)
    data = Dataset(features=taken.values, columns=scene.band_names)
    fitting = Standardise().compute(data, params=Standardise.Params(), context=context)
    scaled: Any = fitting.main
    scales: Any = fitting.parts["model"]
    bright = (taken.values.mean(axis=1) > 5000).astype(np.int64)
    groups = Clustering(labels=bright)
    model = Nearest().compute(scaled, groups, params=Nearest.Params(), context=context)

    def label(pixels: Dataset) -> Ints:
        fitted = Standardise().apply(scales, pixels, context)
        return Nearest().apply(model, fitted, context).labels

    table = class_table(2)
    target = path.with_name("map.tif")
    partial = PartialMap(target, scene, table, str(time.time()))
    began = time.perf_counter()
    classify_scene(scene, label, table, partial, context)
    grid = MapGrid(
        scene.height,
        scene.width,
        table.names,
        table.colours,
        table.nodata,
        table.dtype,
        scene.crs,
        scene.transform,
    )
    write_map(target, grid, partial.read, context.check)
    partial.remove()
    print(f"{time.perf_counter() - began} {peak_megabytes()}")


def look_at(path: Path, cache: Path) -> None:
    """Make the overviews and look at the scene as a view does; print times and the peak."""
    from coterie.core.formats.rasters.formats import scene_of
    from coterie.core.formats.rasters.overviews import overviews_of
    from coterie.core.formats.rasters.windows import Window

    scene = scene_of(path)
    made = seconds_of(lambda: overviews_of(scene, Context(), cache), 1)[0]

    def first_view() -> None:
        with overviews_of(scene_of(path), Context(), cache) as opened:
            last = opened.levels[-1]
            opened.read_window(last.number, Window(0, 0, last.height, last.width), (3, 2, 1))
            opened.stretch((3, 2, 1))

    first = seconds_of(first_view, 3)
    steps = []
    with overviews_of(scene, Context(), cache) as opened:
        high = min(800, opened.levels[1].height - 100)
        for step in range(10):  # a strip that comes into view
            window = Window(0, 10 * step, high, 10 * step + 100)
            steps += seconds_of(lambda w=window: opened.read_window(1, w, (3, 2, 1)), 1)
    print(f"{made} {statistics.median(first)} {statistics.median(steps)} {peak_megabytes()}")


def peak_megabytes() -> float:
    """The most memory that this process has held."""
    # Not getrusage: a process that was started by a large one begins with that one's peak.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line) / 1024


def in_a_process(*arguments: str) -> list[float]:
    """Run a part of this file by itself and return the numbers it prints."""
    done = subprocess.run(
        [sys.executable, __file__, *arguments], check=True, capture_output=True, text=True
    )
    return [float(word) for word in done.stdout.split()]


def whole_scene(folder: Path, side: int) -> None:
    """Make the scene unless it is there, classify it and look at it."""
    path = folder / f"scene-{side}.tif"
    if not path.exists():
        seconds = seconds_of(lambda: make_scene(path, side), 1)[0]
        print(f"made {path.stat().st_size / 1e6:,.0f} MB of scene in {seconds:.0f} s", flush=True)
    took, peak = in_a_process("--classify", str(path))
    pixels = f"{side:,} × {side:,} × {BANDS}"
    report(f"classify {pixels}, peak", [peak], "limit", 600, "MB")
    print(
        f"classify {pixels}: {took:.1f} s, {side * side / took / 1e6:.2f} million pixels a second"
    )
    made, first, step, peak = in_a_process("--look", str(path), "--cache", str(folder / "cache"))
    report(f"overviews of {pixels} ({made:.1f} s), peak", [peak], "limit", 600, "MB")
    report("first view from overviews", [first], "limit", 1.0)
    report("pan step, reading", [step], "limit", 0.05)


def main() -> None:
    """Measure all, or a small part of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--classify", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--look", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.classify:
        classify_whole(asked.classify)
        return
    if asked.look:
        look_at(asked.look, asked.cache)
        return
    nearest(384 if asked.quick else 1153)
    with tempfile.TemporaryDirectory() as folder:
        place = asked.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        whole_scene(place, 2048 if asked.quick else 10_980)


if __name__ == "__main__":
    main()
