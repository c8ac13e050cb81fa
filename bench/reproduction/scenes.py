"""Clouds and land cover of real scenes: `coterie cross-validate` with the shipped recipes."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from reproduction.shared import data_folder, markdown

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "projects" / "recipe" / "shipped" / "scenes"
TIMES = 10
CLOUDS = {
    "clouds-joint": ("all,10,50,80,100,110,150", "50,100,200,400"),
    "clouds-dominant": ("all,5,10", "50,100,200,400,800"),
}


def clouds() -> str:
    """Over the best-ranked pixels of each group, and over the size of the sample."""
    scene = data_folder().absolute() / "cloud_scene_sentinel2.npz"
    if not scene.is_file():
        return "no file"
    parts = []
    for name, (tops, sizes) in CLOUDS.items():
        common = [str(RECIPES / f"{name}.toml"), "--set", f"data.open={scene}", "--of", "cloud"]
        parts += [
            _table(f"`{name}`, best-ranked of each group", [*common, "--top", tops]),
            _table(f"`{name}`, pixels in the sample", [*common, "--sizes", sizes]),
        ]
    return "\n\n".join(parts)


def landcover() -> str:
    """Groups without labels and known kinds, judged by pixels they were not learnt from."""
    if not (data_folder() / "nc_landsat_multiband.tif").is_file():
        return "no file"
    script = ROOT / "bench" / "reproduce_landcover.py"
    with tempfile.TemporaryDirectory() as folder:
        numbers = Path(folder) / "numbers.json"
        subprocess.run(
            [sys.executable, str(script), "--times", str(TIMES), "--numbers", str(numbers)],
            stdout=subprocess.DEVNULL, check=True,
            env=os.environ | {"COTERIE_DATA": str(data_folder().absolute())},
        )  # fmt: skip
        found = json.loads(numbers.read_text(encoding="utf-8"))
    half, every = (np.array(found[which]) for which in ("half", "all"))
    learnt = half.sum()  # one half judges the other
    rows = [
        [f"groups without labels (`landcover`: k-means, 30 groups), {TIMES} samples"
         if number == 0 else "the same",
         f"{one['size']} pixels of the polygons, balanced", "the other pixels of the polygons",
         *(f"{one[what]['mean']:.3f} ± {one[what]['sd']:.3f}" for what in ("overall", "kappa"))]
        for number, one in enumerate(reversed(found["sizes"]))
    ]  # fmt: skip
    known = "known kinds, five nearest neighbours"
    rows += [
        [known, "a random half of the polygons' pixels", f"the other half ({learnt:,})",
         *_agreement(half)],
        ["the same", "all pixels of the polygons", f"the points ({every.sum():,})",
         *_agreement(every)],
    ]  # fmt: skip
    names = found["names"]
    matrix = [
        [name, *map(str, row), f"{row[at] / sum(row):.2f}" if sum(row) else "–"]
        for at, (name, row) in enumerate(zip(names, found["half"], strict=True))
    ]
    header = ["how", "learnt from", "judged by", "accuracy", "kappa"]
    return f"{markdown(header, rows)}\n\n" + markdown(
        ["half against half: map, truly", *names, "user's"], matrix
    )


def _agreement(counts: Any) -> list[str]:
    """Accuracy and kappa of the pixels themselves."""
    total = counts.sum()
    right = np.trace(counts) / total
    chance = counts.sum(axis=0) @ counts.sum(axis=1) / total**2
    return [f"{right:.3f}", f"{(right - chance) / (1 - chance):.3f}"]


def _table(title: str, words: list[str]) -> str:
    """Return the means of a cross-validation as a table."""
    from coterie.projects.cli.main import main as coterie

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "means.csv"
        command = ["cross-validate", *words, "--times", str(TIMES), "-o", str(file)]
        if coterie(command) != 0:
            sys.exit(f"{title}: that failed.")
        with file.open(encoding="utf-8") as stream:
            rows = [_row(row) for row in csv.DictReader(stream)]
    header = ["pixels", "trained on", "accuracy", "IoU of cloud", "more than all, 95%", "p"]
    return f"{title}, {TIMES} samples:\n\n{markdown(header, rows)}"


def _row(row: dict[str, str]) -> list[str]:
    def mean(name: str) -> str:
        return f"{float(row[f'{name} mean']):.3f} ± {float(row[f'{name} sd']):.3f}"

    than = "overall more than all"
    compared = bool(row.get(f"{than} p"))
    apart = (float(row[f"{than} {end}_95"]) for end in ("low", "high")) if compared else ()
    return [
        row["size"],
        f"best {row['top']} of each group" if int(row["top"]) else "all",
        mean("overall"),
        mean("iou cloud"),
        " to ".join(f"{value:+.3f}" for value in apart),
        f"{float(row[f'{than} p']):.2f}" if compared else "",
    ]
