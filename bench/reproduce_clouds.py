"""Which pixels of a real Sentinel-2 scene are cloud: the experiment of the joint-ranking source.

A few hundred random pixels of six bands are grouped without labels; a group is called cloud when
most of its pixels in the sample are, as a person would call it after a look; every pixel of the
scene then takes the class of its nearest sample. Accuracy and intersection over union of cloud are
against the scene's mask, mean and standard deviation over the draws: trained on all pixels of the
sample, and on the best-ranked of each group only. The source reports 99.13 % on its own scene, and
up to 99.68 % when pruned by rank.

The recipes `clouds-joint.toml` and `clouds-dominant.toml` of `scenes` are run by `coterie repeat`:
over the number of best-ranked pixels, and over the size of the sample. `--by-hand` does the same
with the methods alone, without recipes, session and engine, to check one by the other.

The file `cloud_scene_sentinel2.npz` is sought in the folder COTERIE_DATA.

    python bench/reproduce_clouds.py [--times 20] [--into FOLDER]
    python bench/reproduce_clouds.py --by-hand [--seeds 10] [--size 400] [--quick]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Array, Clustering, Context, Dataset, Floats, Ints, Output
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.windows import SceneReader, Window
from coterie.core.numerics.partitions.training import training_items
from coterie.core.numerics.similarity.nearest import NearestGroup
from coterie.plugins.clusterers.dominant_sets import DominantSets
from coterie.plugins.clusterers.joint import Joint
from coterie.plugins.embedders.joint import JointEmbedding
from coterie.plugins.kernels.gaussian import Gaussian
from coterie.plugins.kernels.probabilistic_cluster import ProbabilisticCluster
from coterie.plugins.rankers.joint import JointRanking
from coterie.plugins.rankers.membership import Membership
from coterie.plugins.transforms.standardise import Standardise
from coterie.projects.cli.main import main as coterie

RECIPES = Path(__file__).resolve().parents[1] / "projects" / "recipe" / "shipped" / "scenes"
FILE = "cloud_scene_sentinel2.npz"
TOPS = {
    "joint": ",".join(["all", *(str(top) for top in range(10, 151, 10))]),
    "dominant": "all,5,10,20,30",
}
SIZES = {"joint": "50,100,200,400", "dominant": "50,100,200,400,800"}
CLOUD = 4
BEST = (30, 60, 100)  # of each group


def place() -> Path:
    """Where the scene lies."""
    path = Path(os.environ.get("COTERIE_DATA", ".")).absolute() / FILE
    if not path.is_file():
        sys.exit(f"There is no '{path}'. Set COTERIE_DATA to its folder.")
    return path


def load() -> tuple[Floats, Array]:
    """All pixels of the scene, and whether each is cloud."""
    path = place()
    with np.load(path) as arrays:
        mask = arrays["msk"].reshape(-1) == CLOUD
    scene: Scene = scene_of(path)
    with SceneReader(scene) as reader:
        values, _ = reader.read(Window(0, 0, scene.height, scene.width))
    return values.reshape(len(values), -1).T, mask


def joint(data: Dataset, seed: int, quick: bool) -> tuple[Clustering, Any]:
    """Probabilistic cluster kernel, joint groups and the ranking within each of them."""
    context = Context(seed=seed, workers=os.cpu_count() or 1)
    few: dict[str, Any] = {"initialisations": 8, "max_components": 15} if quick else {}
    kernel = ProbabilisticCluster()
    affinity: Any = _main(
        kernel.compute(data, params=ProbabilisticCluster.Params(**few), context=context)
    )
    form = Joint.Params(form="document")
    groups: Any = _main(Joint().compute(affinity, params=form, context=context))
    whole = JointEmbedding.Params(components=0, form="document")
    place: Any = _main(JointEmbedding().compute(affinity, params=whole, context=context))
    params = JointRanking.Params(scope="within-cluster")
    order: Any = _main(
        JointRanking().compute(place, affinity, groups, params=params, context=context)
    )
    return groups, order


def dominant(data: Dataset, seed: int, _quick: bool) -> tuple[Clustering, Any]:
    """Gaussian similarities, dominant sets until two per cent are left, and their memberships."""
    context = Context(seed=seed)
    affinity: Any = _main(
        Gaussian().compute(data, params=Gaussian.Params(sigma=1.0), context=context)
    )
    params = DominantSets.Params(min_size=5, rest="nearest")
    groups: Any = _main(DominantSets().compute(affinity, params=params, context=context))
    ranked: Any = Membership().compute(
        groups, params=Membership.Params(scope="within-cluster"), context=context
    )
    return groups, _main(ranked)


def _main(made: Any) -> Any:
    return made.main if isinstance(made, Output) else made


def cloud_of(groups: Clustering, truth: Array) -> Ints:
    """For each group, 1 when most of its pixels are cloud."""
    return np.array([truth[groups.labels == g].mean() > 0.5 for g in range(groups.k)], dtype=int)


def judge(found: Array, truth: Array) -> tuple[float, float]:
    """Accuracy, and intersection over union of cloud."""
    both, either = (found & truth).sum(), (found | truth).sum()
    return float((found == truth).mean()), float(both / max(1, either))


def run(method: Any, pixels: Floats, truth: Array, seeds: int, size: int, quick: bool) -> None:
    """Print one line for each way of training."""
    scores: dict[str, list[tuple[float, float]]] = {}
    counts, began = [], time.perf_counter()
    for seed in range(seeds):
        chosen = np.sort(np.random.default_rng(seed).choice(len(pixels), size, replace=False))
        sample = Dataset(features=pixels[chosen])
        fitted = Standardise().compute(sample, params=Standardise.Params(), context=Context())
        data: Any = fitted.main
        model: Any = fitted.parts["model"]
        groups, order = method(data, seed, quick)
        counts.append(groups.k)
        kinds = cloud_of(groups, truth[chosen])
        whole: Any = Standardise().apply(model, Dataset(features=pixels), Context()).features
        for best in (0, *BEST):
            some = training_items(data, groups, order if best else None, top_per_cluster=best)
            near = NearestGroup(data.dense_features()[some.items], kinds[some.labels])
            found = near.labels_of(whole, workers=os.cpu_count() or 1) == 1
            name = f"best {best} of each group" if best else "all pixels of the sample"
            scores.setdefault(name, []).append(judge(found, truth))
    took = (time.perf_counter() - began) / seeds
    print(f"{method.__name__}: groups {counts}, {took:.1f} s a draw", flush=True)
    for name, values in scores.items():
        accuracy, union = np.array(values).T
        print(
            f"  {name}: accuracy {accuracy.mean():.2%} ± {accuracy.std(ddof=1):.2%}, "
            f"cloud IoU {union.mean():.3f} ± {union.std(ddof=1):.3f}",
            flush=True,
        )


def through_the_program(times: int, into: Path) -> None:
    """Both recipes, over the best-ranked and over sizes, with tables and curves."""
    scene = place()
    for name, tops in TOPS.items():
        common = [str(RECIPES / f"clouds-{name}.toml"), "--set", f"data.open={scene}"]
        common += ["--of", "cloud", "--times", str(times)]
        for what, options in (("top", ["--top", tops]), ("sizes", ["--sizes", SIZES[name]])):
            files = [str(into / f"clouds-{name}-{what}{end}") for end in (".csv", ".svg")]
            print(f"\n{name}, {what}", flush=True)
            written = [word for file in files for word in ("-o", file)]
            if coterie(["cross-validate", *common, *options, *written]) != 0:
                sys.exit("That failed.")


def main() -> None:
    """Through the program, or by hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--into", type=Path, default=Path())
    parser.add_argument("--by-hand", action="store_true", help="with the methods alone")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--size", type=int, default=400)
    parser.add_argument("--quick", action="store_true", help="fewer mixtures in the kernel")
    asked = parser.parse_args()
    if not asked.by_hand:
        through_the_program(asked.times, asked.into)
        return
    pixels, truth = load()
    print(f"{len(pixels):,} pixels, {truth.mean():.1%} cloud; samples of {asked.size}")
    for method in (joint, dominant):
        run(method, pixels, truth, asked.seeds, asked.size, asked.quick)


if __name__ == "__main__":
    main()
