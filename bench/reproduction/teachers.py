"""Scenes taught by 400 labels: each method of *Teach* beside scikit-learn's random forest.

The first method listed is what *Teach* begins with. Labels are 400 pixels at random, or sixteen
squares of 25 pixels, in turn of each class, of which those of the square's class are labelled, as
by a brush. Judged on 40,000 of the other pixels: the IoU of cloud, or the mean IoU of all classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Clustering, Context, Dataset, Floats, Ints
from coterie.core.formats.samples import SAMPLES
from coterie.projects.recipe.teaching import OTHERS, TEACHERS, Teacher
from reproduction.shared import component, data_folder, markdown, run, short

LABELS, JUDGED, SEEDS = 400, 40_000, 10
SQUARES, SIDE = 16, 5
PEER = "random forest of scikit-learn"
Scene = tuple[str, Floats, Ints, int, bool]  # name, pixels, classes, width, whether two classes


def teachers() -> str:
    """Return a table for labels at random and one for squares."""
    parts = []
    for what, draw in (("400 pixels at random", at_random), ("sixteen squares", in_squares)):
        columns, rows = [], {name: [] for name in (PEER, *(t.title for t in TEACHERS))}
        for scene in scenes():
            if draw is in_squares and not scene[3]:
                continue
            columns.append(scene[0])
            found = np.array([scores(scene, draw, seed) for seed in range(SEEDS)])
            for name, values in zip(rows, found.T, strict=True):
                apart = np.median(values) - np.median(found[:, 0])
                than = "" if name == PEER else f" ({apart:+.3f})"
                rows[name].append(f"{short(float(np.median(values)))}{than}")
            print(what, columns[-1], {k: v[-1] for k, v in rows.items()}, flush=True)
        table = markdown(["method", *columns], ([name, *row] for name, row in rows.items()))
        parts.append(f"{what.capitalize()}, the median of {SEEDS} draws:\n\n{table}")
    return "\n\n".join(parts)


def scenes() -> list[Scene]:
    """Those whose files are there, and the sample."""
    found: list[Scene] = []
    folder = data_folder()
    for name, file in (
        ("Sentinel-2", "cloud_scene_sentinel2.npz"),
        ("Landsat 5", "scenes/cloud_scene_landsat5.npz"),
    ):
        if (folder / file).exists():
            with np.load(folder / file) as arrays:
                cube, mask = arrays["img"], arrays["msk"]
            pixels = cube.reshape(-1, cube.shape[2]).astype(np.float64)
            found.append((name, pixels, (mask.reshape(-1) == 4).astype(int), mask.shape[1], True))
    table = folder / "nc_landsat7_labelled.csv"
    if table.exists():
        read = np.genfromtxt(table, delimiter=",", names=True, dtype=None, encoding="utf-8")
        bands = np.column_stack([read[f"b{number}"] for number in range(1, 6)]).astype(np.float64)
        kinds = np.unique(read["label"], return_inverse=True)[1]
        found.append(("Landsat 7, seven kinds", bands, kinds, 0, False))
    made = SAMPLES["cloud-scene"].make()
    truth = np.asarray(made.truth)
    width = int(np.sqrt(made.n)) if int(np.sqrt(made.n)) ** 2 == made.n else 0
    found.append(("cloud-scene, six kinds", made.dense_features(), truth, width, False))
    return found


def at_random(scene: Scene, rng: np.random.Generator) -> Ints:
    """Return pixels to label."""
    return rng.choice(len(scene[2]), LABELS, replace=False)


def in_squares(scene: Scene, rng: np.random.Generator) -> Ints:
    """Return the pixels of some squares that have the class of its middle."""
    _, _, truth, width, _ = scene
    kinds = np.unique(truth[truth >= 0])
    found: set[int] = set()
    for number in range(SQUARES):
        middle = int(rng.choice(np.flatnonzero(truth == kinds[number % len(kinds)])))
        row, column = divmod(middle, width)
        reach = range(-(SIDE // 2), SIDE // 2 + 1)
        for i in reach:
            for j in reach:
                at = (row + i) * width + column + j
                inside = 0 <= column + j < width and 0 <= at < len(truth)
                if inside and truth[at] == truth[middle]:
                    found.add(at)
    return np.array(sorted(found))


def scores(scene: Scene, draw: Any, seed: int) -> list[float]:
    """Return the score of the peer and of each method for one draw of labels."""
    from sklearn.ensemble import RandomForestClassifier

    _, pixels, truth, _, binary = scene
    rng = np.random.default_rng(seed)
    chosen = draw(scene, rng)
    rest = np.setdiff1d(np.flatnonzero(truth >= 0), chosen)
    others = rng.choice(rest, min(OTHERS, len(rest)), replace=False)
    judged = rng.choice(rest, min(JUDGED, len(rest)), replace=False)
    peer = RandomForestClassifier(random_state=seed, n_jobs=1).fit(pixels[chosen], truth[chosen])
    found = [score(peer.predict(pixels[judged]), truth[judged], binary)]
    for teacher in TEACHERS:
        said = taught(teacher, pixels, truth, chosen, others, judged, seed)
        found.append(score(said, truth[judged], binary))
    return found


def taught(
    teacher: Teacher,
    pixels: Floats,
    truth: Ints,
    chosen: Ints,
    others: Ints,
    judged: Ints,
    seed: int,
) -> Ints:
    """Return what a method of *Teach* says of the judged pixels, by the steps that it makes."""
    learnt = np.concatenate([chosen, others]) if teacher.spread_by else chosen
    labels = np.concatenate([truth[chosen], np.full(len(learnt) - len(chosen), -1)])
    X, asked = pixels[learnt], pixels[judged]
    if teacher.scaled:
        mean, spread = X.mean(axis=0), X.std(axis=0)
        X, asked = (X - mean) / spread, (asked - mean) / spread
    data = Dataset(features=X)
    groups = Clustering(dataset=data, labels=labels)
    if teacher.spread_by:
        near = run("graph/knn", data, weights="affinity")
        groups = run(teacher.spread_by, near, groups, **teacher.spreading)
    model = run(teacher.use, data, groups, seed=seed, held_out=0)
    found = component(teacher.use)().apply(model, Dataset(features=asked), Context())
    return np.asarray(found.labels)


def score(said: Ints, truth: Ints, binary: bool) -> float:
    """Return the IoU of class 1, or the mean of all."""
    kinds = [1] if binary else np.unique(truth).tolist()
    each = [
        ((said == kind) & (truth == kind)).sum() / ((said == kind) | (truth == kind)).sum()
        for kind in kinds
    ]
    return float(np.mean(each))
