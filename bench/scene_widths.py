"""How wide a Gaussian of sampled pixels is to be for their dominant sets to be worth naming.

A thousand random pixels, standardised; widths as multiples of the median distance; dominant sets
of at least ten, the others to the nearest. A group stands for the class that most of its pixels in
the sample have, and a pixel for that of its nearest in the sample. Printed are the number of
groups, the accuracy over the pixels outside the sample, and its mean over the classes.

The files are read from the folder COTERIE_DATA; the sample of clouds comes with Coterie.

    python bench/scene_widths.py [--seeds 5]
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from coterie.core import Affinity, Clustering, Context, Dataset, Floats, Ints, Output
from coterie.core.formats.samples import SAMPLES
from coterie.core.numerics.similarity.nearest import NearestGroup
from coterie.plugins.clusterers.dominant_sets import DominantSets
from coterie.plugins.kernels.gaussian import Gaussian

WIDTHS = (0.15, 1.0, 2.0, 3.0, 4.0, 6.0)
SIZE = 1000


def scenes() -> Iterator[tuple[str, Floats, Ints]]:
    """Each scene: its name, its pixels of known class, and their classes."""
    folder = Path(os.environ.get("COTERIE_DATA", "."))
    with np.load(folder / "cloud_scene_sentinel2.npz") as file:
        pixels = file["img"].reshape(-1, 6).astype(np.float64)
        yield "Sentinel-2, cloud or clear", pixels, (file["msk"].reshape(-1) == 4).astype(np.int64)
    table = np.genfromtxt(
        folder / "nc_landsat7_labelled.csv", delimiter=",", names=True, dtype=None, encoding="utf-8"
    )
    bands = np.column_stack([table[f"b{number}"] for number in range(1, 6)]).astype(np.float64)
    classes = np.unique(table["label"], return_inverse=True)[1]
    yield "Landsat 7, seven kinds", bands, classes.astype(np.int64)
    made = SAMPLES["cloud-scene"].make()
    assert made.truth is not None
    yield "cloud-scene, six kinds", made.dense_features(), np.asarray(made.truth)


def groups_of(pixels: Floats, width: float) -> Ints:
    """Group a sample as the recipe does that a scene is opened with."""
    data = Dataset(title="pixels", features=pixels)
    wide = Gaussian.Params(auto_fraction=width)
    near: Affinity = Gaussian().compute(data, params=wide, context=Context())
    params = DominantSets.Params(min_size=10, rest="nearest")
    output = DominantSets().compute(near, params=params, context=Context())
    found = output.main if isinstance(output, Output) else output
    assert isinstance(found, Clustering)
    return np.asarray(found.labels)


def judged(pixels: Floats, truth: Ints, chosen: Ints, labels: Ints) -> tuple[int, float, float]:
    """Return the number of groups, the accuracy, and its mean over the classes."""
    grouped = labels >= 0
    sample, groups = chosen[grouped], labels[grouped]
    counts = np.zeros((int(groups.max()) + 1, int(truth.max()) + 1), dtype=np.int64)
    np.add.at(counts, (groups, truth[sample]), 1)
    nearest = NearestGroup(pixels[sample], groups).labels_of(pixels)
    others = np.ones(len(truth), dtype=bool)
    others[chosen] = False
    right = (counts.argmax(axis=1)[nearest] == truth)[others]
    each = [right[truth[others] == kind].mean() for kind in np.unique(truth)]
    return len(counts), float(right.mean()), float(np.mean(each))


def main() -> None:
    """Print a line for each scene and width."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    asked = parser.parse_args()
    for name, values, truth in scenes():
        for width in WIDTHS:
            found = []
            for seed in range(asked.seeds):
                chosen = np.random.default_rng(seed).choice(len(values), SIZE, replace=False)
                mean, spread = values[chosen].mean(axis=0), values[chosen].std(axis=0)
                pixels = (values - mean) / spread
                found.append(judged(pixels, truth, chosen, groups_of(pixels[chosen], width)))
            numbers = np.array(found)
            few, many = numbers[:, 0].min(), numbers[:, 0].max()
            print(
                f"{name:28s} {width:5.2f} × median: {few:.0f} to {many:.0f} groups, accuracy "
                f"{numbers[:, 1].mean():.3f} ± {numbers[:, 1].std(ddof=1):.3f}, "
                f"mean of classes {numbers[:, 2].mean():.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
