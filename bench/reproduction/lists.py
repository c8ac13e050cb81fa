"""Countries, faces and papers: the lists and pictures of the joint-ranking source, counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Clustering
from reproduction.joint import groups_of, learned
from reproduction.shared import markdown, read, run

BLUE = ("Jordan", "Chile", "Sri Lanka", "Malaysia", "Guyana", "China", "Malta", "Albania", "Cuba",
        "South Africa")  # fmt: skip
RED = ("Central African Republic", "Mali", "Mozambique", "Niger", "Mauritania", "Yemen", "Senegal",
       "Sudan", "Burundi", "Sierra Leone")  # fmt: skip
GREEN = ("Denmark", "Switzerland", "Lithuania", "Sweden", "United Kingdom", "Netherlands",
         "Estonia", "Japan", "Bulgaria", "Germany")  # fmt: skip
NORWAY = ("Denmark", "Netherlands", "Sweden", "United Kingdom", "Switzerland", "Japan",
          "Lithuania", "Bulgaria", "Estonia", "Germany")  # fmt: skip


def _like(name: str, countries: list[str]) -> int:
    """Return where a country of the source is in the file, by the beginning of its name."""
    return next(i for i, one in enumerate(countries) if one.startswith(name))


def countries() -> str:
    """Return all three lists of ten, those like Norway, and how k-means differs."""
    data = read("barro_lee_2010_25plus.csv", items="country", truth="label")
    if data is None:
        return "no file"
    names = list(data.items)
    scaled = run("transform/minmax", data)
    kernel = learned(scaled)
    whole = run("embedder/joint", kernel, components=0, form="document")
    groups = groups_of(kernel, k=3)
    order = run("ranker/joint", whole, kernel, groups, scope="within-cluster").order.tolist()
    lists = [[_like(one, names) for one in theirs] for theirs in (BLUE, RED, GREEN)]
    counts = np.array([np.bincount(groups.labels[places], minlength=3) for places in lists])
    from scipy.optimize import linear_sum_assignment

    _, ours = linear_sum_assignment(-counts)
    rows = []
    for number, (title, theirs) in enumerate((("blue", BLUE), ("red", RED), ("green", GREEN))):
        group = int(ours[number])
        first = [i for i in order if groups.labels[i] == group][:10]
        same = len(set(first) & set(lists[number]))
        rows.append(
            [title, ", ".join(theirs), ", ".join(names[i] for i in first), f"{same} of 10",
             f"{counts[number, group]} of 10 in our group of {(groups.labels == group).sum()}"]
        )  # fmt: skip
    asked = names.index("Norway")
    for way, found in (
        ("like Norway, joint", run("ranker/joint", whole, kernel, scope="items", items=[asked])),
        ("like Norway, distance", run("ranker/distance", scaled, scope="items", items=[asked])),
    ):
        first = [i for i in found.order.tolist() if i != asked][:10]
        same = len({names[i] for i in first} & set(NORWAY))
        rows.append([way, ", ".join(NORWAY), ", ".join(names[i] for i in first),
                     f"{same} of 10", ""])  # fmt: skip
    made = markdown(["list", "source", "ours", "in both", "the source's ten"], rows)
    return "\n\n".join([made, _by_kmeans(scaled, groups, names), _outliers(kernel, names)])


def _by_kmeans(data: Any, groups: Clustering, names: list[str]) -> str:
    means = run("clusterer/kmeans", data, k=3)
    other = run("metric/error", means, groups)
    matching = _matched(means.labels, groups.labels)
    moved = np.flatnonzero(matching[means.labels] != groups.labels)
    together = {
        name: bool(means.labels[names.index(name)] == means.labels[names.index("Norway")])
        for name in ("Finland", "New Zealand", "Iceland")
        if name in names
    }
    joint = {
        name: bool(groups.labels[names.index(name)] == groups.labels[names.index("Norway")])
        for name in together
    }
    said = "; ".join(
        f"{name}: {'with' if near else 'apart from'} Norway by k-means, "
        f"{'with' if joint[name] else 'apart'} by joint clustering"
        for name, near in together.items()
    )
    return (
        f"k-means with three groups on the same columns puts {len(moved)} of {len(names)} "
        f"countries elsewhere (error {other.value:.3f}): {', '.join(names[i] for i in moved)}. "
        f"{said}. The source names Finland, New Zealand and Iceland as apart from "
        "Norway by k-means."
    )


def _outliers(kernel: Any, names: list[str]) -> str:
    lists = []
    for measure in ("degree", "restart"):
        found = run("ranker/outliers", kernel, of_similarities=measure)
        first = found.order.tolist()[:8]
        said = ", ".join(f"{names[i]} ({found.scores[i]:.3g})" for i in first)
        lists.append(f"- by {measure}: {said}")
    return "Least like all others, with their scores:\n\n" + "\n".join(lists)


def _matched(labels: Any, onto: Any) -> Any:
    """Return the group of `onto` that each group of `labels` matches best, one to one."""
    from scipy.optimize import linear_sum_assignment

    counts = np.zeros((labels.max() + 1, onto.max() + 1))
    np.add.at(counts, (labels, onto), 1)
    rows, columns = linear_sum_assignment(-counts)
    result = np.full(labels.max() + 1, -1)
    result[rows] = columns
    return result


def faces() -> str:
    """Frames of one face: the learned similarity, RBF, cosine, kernel PCA and k-means compared.

    There are no classes. Consecutive frames show the same expression, so two figures are shown: in
    how many pairs of consecutive frames the group changes (few changes: groups that mean
    something), and which share of that would be expected if labels were shuffled.
    """
    data = read("frey_faces.csv")
    if data is None:
        return "no file"
    reduced = run("transform/svd", data, components=20)
    kernel = learned(reduced)
    rbf = run("kernel/gaussian", data)
    cosine = run("kernel/cosine", data)
    degrees = np.asarray(rbf.to_dense()).sum(axis=1)
    kept = np.sort(np.argsort(degrees)[4:])
    without = run("kernel/gaussian", data.take(kept))
    projected = run("embedder/kernel-pca", kernel, components=3)
    ways = {
        "joint, learned similarity": (groups_of(kernel, k=3), None),
        "joint, learned, k by the gap": (groups_of(kernel), None),
        "joint, RBF (15% of the median distance)": (groups_of(rbf, k=3), None),
        "joint, RBF without the four least connected, cosine": (
            groups_of(without, k=2, metric="cosine"), kept),
        "joint, cosine": (groups_of(cosine, k=3), None),
        "k-means on kernel PCA, learned": (run("clusterer/kmeans", projected, k=3), None),
        "k-means, 560 pixels": (run("clusterer/kmeans", data, k=3), None),
    }  # fmt: skip
    first = ways["joint, learned similarity"][0].labels
    rows = []
    for name, (groups, places) in ways.items():
        labels = groups.labels
        sizes = ", ".join(str(n) for n in sorted(np.bincount(labels[labels >= 0]))[::-1])
        places = np.arange(data.n) if places is None else places
        pairs = np.diff(places) == 1
        changes = float((np.diff(labels) != 0)[pairs].mean())
        chance = 1 - float(np.square(np.bincount(labels[labels >= 0]) / len(labels)).sum())
        agree = run("metric/adjusted-rand", groups, _as_groups(groups, first[places])).value
        rows.append([name, sizes, f"{changes:.3f}", f"{chance:.3f}", f"{agree:.3f}"])
    header = ["way", "frames in each group", "group changes from frame to frame",
              "if shuffled", "ARI with the first row"]  # fmt: skip
    return markdown(header, rows)


def _as_groups(like: Clustering, labels: Any) -> Clustering:
    return Clustering(labels=labels, dataset=like.dataset)


def papers() -> str:
    """Papers in four groups, with the first of each list."""
    data = read("nips_counts_triplets.csv", "triplets", titles="nips_titles.csv.gz",
                vocabulary="nips_vocab.csv.gz")  # fmt: skip
    if data is None:
        return "no file"
    kernel = learned(run("transform/svd", data, components=20))
    groups = groups_of(kernel, k=4)
    whole = run("embedder/joint", kernel, components=0, form="document")
    order = run("ranker/joint", whole, kernel, groups, scope="within-cluster").order.tolist()
    rows = []
    for group in range(groups.k):
        first = [i for i in order if groups.labels[i] == group][:4]
        size = int((groups.labels == group).sum())
        rows.append([str(size), "; ".join(data.items[i].strip() for i in first)])
    rows = sorted(rows, key=lambda row: -int(row[0]))
    free = groups_of(kernel)
    words = f"With k = 0 the gap gives {free.k} groups. The source: 621 papers (theory), 522 " \
        "(networks, applied), 413 (biology), 184 (reinforcement learning)."  # fmt: skip
    return markdown(["papers", "ranked first"], rows) + "\n\n" + words


def languages() -> str:
    """Four languages by their pairs of letters."""
    data = read("swiss_constitution.csv", "texts", truth="label")
    if data is None:
        return "no file"
    from reproduction.shared import nmi, short

    pairs = run("kernel/spectrum", data)
    words = run("kernel/bag-of-words", data)
    rows = []
    for name, kernel in (("pairs of letters", pairs), ("words", words)):
        alike = run("graph/normalise-kernel", kernel)
        found = [
            short(nmi(run("clusterer/kernel-kmeans", one, k=4), "arithmetic"))
            for one in (kernel, alike, run("graph/centre-kernel", alike))
        ]
        rows.append([name, *found])
    return markdown(["NMI, kernel k-means, k = 4", "raw", "normalised", "and centred"], rows)


def shapes() -> str:
    """The four shapes of the dominant-set source, ten draws each: errors of both ways."""
    from coterie.core.formats.samples import SAMPLES
    from reproduction.shared import error

    rows = []
    widths = {
        "arcs": (0.3, 0.02),
        "moon": (1.0, 0.02),
        "rings": (1.0, 0.02),
        "spirals": (0.1, 0.02),
    }
    for name, (first, second) in widths.items():
        spread, near = [], []
        for seed in range(10):
            data = SAMPLES[name].make(seed=seed)
            similar = run("kernel/gaussian", data, sigma=first)
            params: dict[str, Any] = {"k": len(data.truth_names)}
            groups = run(
                "clusterer/dominant-sets", similar, rest="transduction", rest_sigma=second, **params
            )
            spread.append(error(groups))
            near.append(error(run("clusterer/dominant-sets", similar, rest="nearest", **params)))
        rows.append([name, f"{first:g}, {second:g}", f"{np.mean(spread):.3f} ({max(spread):.3f})",
                     f"{np.mean(near):.3f} ({max(near):.3f})"])  # fmt: skip
    header = ["shape", "σ₁, σ₂", "error by transduction, mean (largest) of 10 draws", "by nearest"]
    return markdown(header, rows)
