"""How time and memory grow with the number of items, beside peers at the same sizes.

`./dev bench scale` measures each task at each size in a process of its own, so peaks of memory are
its own, and prints processor seconds, wall-clock seconds, peak memory and what came of it; then the
growth exponent of each task. Lines are kept in build/scale.jsonl: stop it and start it again, and
it goes on. `--sizes 10000 100000 1000000` chooses the sizes (10,000 and 100,000 unless given),
`--only ncut` the tasks whose name has that in it, `--limit` the seconds after which a task is given
up at that size. `--write` puts the table into docs/scale.md.

Points: eight or twenty Gaussian balls of unit spread (d = 10, or 20 for neighbours), centres drawn
with spread 2 and 3. All libraries get one thread, as threads that wait for each other on a busy
machine are counted as work; ratios are of processor seconds in one run.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "scale.jsonl"
PAGE = ROOT / "docs" / "scale.md"
MARKS = "<!-- table -->", "<!-- end of the table -->"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
NEIGHBOURS, GROUPS = 10, 8
SPREAD = 2.0  # of the centres: groups touch, and a cut has to choose


def points(n: int, d: int, balls: int, spread: float) -> tuple[Any, Any]:
    """Gaussian balls, and which ball each point is of."""
    rng = np.random.default_rng(0)
    centres = spread * rng.normal(size=(balls, d))
    ball = rng.integers(balls, size=n)
    return centres[ball] + rng.normal(size=(n, d)), ball


def neighbours(n: int) -> Callable[[], str]:
    """Ten neighbours of each in 20 dimensions, recall at least .99."""
    from coterie.core.numerics.similarity.neighbours import nearest_neighbours

    X, _ = points(n, 20, 20, 3.0)
    nearest_neighbours(X[:100], 1)  # loads the libraries, which is not what is measured
    importlib.import_module("faiss")
    return lambda: nearest_neighbours(X, NEIGHBOURS, recall=0.99, workers=1).how


def neighbours_faiss(n: int) -> Callable[[], str]:
    """Bare faiss, inverted file, probes doubled until the recall on 500 items is .99."""
    import faiss

    X = points(n, 20, 20, 3.0)[0].astype(np.float32)
    faiss.omp_set_num_threads(1)

    def run() -> str:
        cells = int(4 * np.sqrt(n))
        index = faiss.IndexIVFFlat(faiss.IndexFlatL2(20), 20, cells)
        index.train(X)
        index.add(X)
        some = np.random.default_rng(0).choice(n, 500, replace=False)
        flat = faiss.IndexFlatL2(20)
        flat.add(X)
        truth = flat.search(X[some], NEIGHBOURS + 1)[0][:, -1:] * 1.00001
        index.nprobe, recall = 16, 0.0
        while True:
            recall = float((index.search(X[some], NEIGHBOURS + 1)[0] <= truth).mean())
            if recall >= 0.99 or index.nprobe >= cells:
                break
            index.nprobe *= 2
        index.search(X, NEIGHBOURS + 1)
        return f"recall {recall:.4f} at {index.nprobe} of {cells} cells"

    return run


def neighbours_sklearn(n: int) -> Callable[[], str]:
    """scikit-learn's exact neighbours."""
    from sklearn.neighbors import NearestNeighbors

    X, _ = points(n, 20, 20, 3.0)

    def run() -> str:
        NearestNeighbors(n_neighbors=NEIGHBOURS).fit(X).kneighbors()
        return "exact"

    return run


def _graph(n: int) -> tuple[Any, Any]:
    from coterie.core import Context, Dataset
    from coterie.plugins.graphs.knn import KNN

    X, ball = points(n, 10, GROUPS, SPREAD)
    return KNN().compute(Dataset(features=X), params=KNN.Params(), context=Context()), ball


def ncut(n: int) -> Callable[[], str]:
    """Normalised cut of a graph of 10 neighbours; making the graph is not counted."""
    from coterie.core import Context
    from coterie.plugins.clusterers.ncut import NCut

    graph, ball = _graph(n)

    def run() -> str:
        found: Any = NCut().compute(graph, params=NCut.Params(k=GROUPS), context=Context())
        return _cut(graph.sparse, found.main.labels, ball)

    return run


def ncut_sklearn(n: int) -> Callable[[], str]:
    """scikit-learn's spectral clustering of the same graph."""
    from sklearn.cluster import SpectralClustering

    graph, ball = _graph(n)
    same = graph.sparse.copy()
    same.indices, same.indptr = same.indices.astype(np.int32), same.indptr.astype(np.int32)

    def run() -> str:
        model = SpectralClustering(GROUPS, affinity="precomputed", random_state=0)
        return _cut(graph.sparse, model.fit_predict(same), ball)

    return run


def ncut_landmarks(n: int) -> Callable[[], str]:
    """Normalised cut by way of landmarks; placing them is counted."""
    from coterie.core import Context, Dataset
    from coterie.plugins.clusterers.ncut import NCut
    from coterie.plugins.graphs.landmarks import Landmarks

    X, ball = points(n, 10, GROUPS, SPREAD)

    def run() -> str:
        data, context = Dataset(features=X), Context()
        graph = Landmarks().compute(data, params=Landmarks.Params(), context=context)
        found: Any = NCut().compute(graph, params=NCut.Params(k=GROUPS), context=context)
        return f"adjusted Rand index {_agreement(found.main.labels, ball):.4f}"

    return run


def learned_kernel(n: int) -> Callable[[], str]:
    """The probabilistic cluster kernel of 5 columns, 870 mixtures, and its normalised cut."""
    from coterie.core import Context, Dataset
    from coterie.plugins.clusterers.ncut import NCut
    from coterie.plugins.kernels.probabilistic_cluster import ProbabilisticCluster

    X, ball = points(n, 5, GROUPS, SPREAD)

    def run() -> str:
        params = ProbabilisticCluster.Params(compress="always")
        kernel: Any = ProbabilisticCluster().compute(
            Dataset(features=X), params=params, context=Context(memory=1 << 33)
        )
        found: Any = NCut().compute(kernel.main, params=NCut.Params(k=GROUPS), context=Context())
        error = kernel.main.details["compression_error"]
        return (
            f"{kernel.main.stored.shape[1]} directions, error {error:.1e}, "
            f"adjusted Rand index {_agreement(found.main.labels, ball):.4f}"
        )

    return run


def dominant_sets(n: int) -> Callable[[], str]:
    """All dominant sets of a graph of 10 neighbours; making the graph is not counted."""
    from coterie.core import Context
    from coterie.plugins.clusterers.dominant_sets import DominantSets

    graph, _ = _graph(n)

    def run() -> str:
        found = DominantSets().compute(graph, params=DominantSets.Params(), context=Context())
        return f"{found.k:,} sets"

    return run


def automatic(n: int) -> Callable[[], str]:
    """The automatic answer on 8 blobs with 10% noise, which the agreement leaves out."""
    from coterie.core import Context, Dataset
    from coterie.core.engine.nested_runs import built_in_runs
    from coterie.plugins.clusterers.automatic import Automatic

    X, ball = noisy_blobs(n, 10, 8.0)

    def run() -> str:
        context = Context(runs=built_in_runs(), memory=1 << 33)
        found: Any = Automatic().compute(
            Dataset(features=X), params=Automatic.Params(), context=context
        )
        real = ball >= 0
        agreement = _agreement(found.main.labels[real], ball[real])
        return f"{found.main.k} groups, adjusted Rand index {agreement:.4f}"

    return run


def noisy_blobs(n: int, d: int, apart: float) -> tuple[Any, Any]:
    """Eight balls whose centres are `apart` standard deviations or more; noise is of ball −1."""
    rng = np.random.default_rng(0)
    centres: list[Any] = []
    while len(centres) < GROUPS:
        new = rng.uniform(-apart, apart, size=d)
        if all(np.linalg.norm(new - other) >= apart for other in centres):
            centres.append(new)
    ball = rng.integers(GROUPS, size=n)
    X = np.array(centres)[ball] + rng.normal(size=(n, d))
    noise = rng.random(n) < 0.1
    X[noise] = rng.uniform(X.min(axis=0), X.max(axis=0), size=(int(noise.sum()), d))
    return X, np.where(noise, -1, ball)


def query(n: int) -> Callable[[], str]:
    """Personalised PageRank of one item by local push, accuracy 1e-5."""
    from coterie.core.numerics.walks.local_push import push
    from coterie.core.numerics.walks.markov import random_walk

    walk = random_walk(_graph(n)[0])
    seed = np.zeros(n)
    seed[0] = 1.0

    def run() -> str:
        found = push(walk, seed, 0.15, 1e-5)
        return f"{found.reached} items reached along {found.edges} edges"

    return run


def _agreement(labels: Any, truth: Any) -> float:
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(truth, labels))


def _cut(graph: Any, labels: Any, truth: Any) -> str:
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    across = graph.tocoo()
    other = labels[across.row] != labels[across.col]
    outside = np.bincount(labels[across.row[other]], across.data[other], GROUPS)
    whole = np.bincount(labels, degrees, GROUPS)
    cut = float((outside / np.where(whole > 0, whole, 1.0)).mean())
    return f"normalised cut {cut:.6f}, adjusted Rand index {_agreement(labels, truth):.4f}"


TASKS: dict[str, Callable[[int], Callable[[], str]]] = {
    "neighbours": neighbours,
    "neighbours, bare faiss": neighbours_faiss,
    "neighbours, scikit-learn": neighbours_sklearn,
    "ncut": ncut,
    "ncut, scikit-learn": ncut_sklearn,
    "ncut by way of landmarks": ncut_landmarks,
    "query by local push": query,
    "learned kernel and its ncut": learned_kernel,
    "dominant sets": dominant_sets,
    "automatic": automatic,
}


def measure(task: str, n: int) -> None:
    """In a process of its own: prepare, run, and print one line of JSON."""
    run = TASKS[task](n)
    worked, began = time.process_time(), time.perf_counter()
    said = run()
    line = {
        "task": task,
        "n": n,
        "processor": round(time.process_time() - worked, 3),
        "wall": round(time.perf_counter() - began, 3),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "said": said,
        "load": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(line))


def lines() -> list[dict[str, Any]]:
    """What was measured so far."""
    return [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


def table() -> str:
    """All of it as a table, with the growth exponent of each task between its two largest sizes."""
    rows = [
        "| task | n | processor s | peak MB | growth | load | |",
        "|---|---|---|---|---|---|---|",
    ]
    for task in TASKS:
        before: dict[str, Any] | None = None
        for one in sorted((m for m in lines() if m["task"] == task), key=lambda m: m["n"]):
            growth = ""
            if before and before.get("processor") and one.get("processor"):
                times = np.log(one["processor"] / before["processor"])
                growth = f"{times / np.log(one['n'] / before['n']):.2f}"
            worked = f"{one['processor']:.3g}" if "processor" in one else "–"
            rows.append(
                f"| {task} | {one['n']:,} | {worked} | {one.get('megabytes', '–')} | {growth} "
                f"| {one.get('load', '')} | {one['said']} |"
            )
            before = one
    return "\n".join(rows)


def main() -> None:
    """Measure what is not measured yet, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=900.0)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        measure(asked.measure[0], int(asked.measure[1]))
        return
    KEPT.parent.mkdir(exist_ok=True)
    done = {(one["task"], one["n"]) for one in lines()}
    for n in sorted(asked.sizes):
        for task in (task for task in TASKS if asked.only in task):
            if (task, n) in done:
                continue
            command = [sys.executable, __file__, "--measure", task, str(n)]
            line: dict[str, Any] = {"task": task, "n": n, "said": "did not finish"}
            try:
                answer = subprocess.run(
                    command,
                    capture_output=True,
                    text=True,
                    timeout=asked.limit,
                    env={**os.environ, **dict.fromkeys(THREADS, "1")},
                    check=True,
                )
                line = json.loads(answer.stdout.splitlines()[-1])
            except subprocess.TimeoutExpired:
                line["said"] = f"not within {asked.limit:g} s"
            except subprocess.CalledProcessError as error:
                line["said"] = error.stderr.strip().splitlines()[-1][:200]
            with KEPT.open("a") as kept:
                kept.write(json.dumps(line) + "\n")
            print(line, flush=True)
    print(table())
    if asked.write:
        start, end = MARKS
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(start)
        after = rest.partition(end)[2]
        page = f"{before}{start}\n\n{table()}\n\n{end}{after}"
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
