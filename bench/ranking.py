"""How many of the first 10 and 20 that are ranked relative to an item are of its class.

`./dev bench ranking` ranks the other items relative to each of 200 random queries by distance, by
cosine, by the learned similarity, and by personalised PageRank on graphs, and prints the mean
precision; --write puts the table into docs/quality.md. Classes are used for scoring alone. Sets
beyond those of Coterie are read from COTERIE_DATA (or --data). Measurements in several units are
standardised, counts of words divided by their length, pictures taken as they are; of faces, which
have no classes, the frames at most 10 away in the film count.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Affinity, Context, Dataset
from coterie.core.engine.nested_runs import built_in_runs
from coterie.core.numerics.similarity.distances import squared_distances
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.pagerank import personalised_pagerank

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "quality.md"
MARKS = ("<!-- ranking -->\n", "<!-- end of ranking -->\n")
RESTART = 0.15
QUERIES, DEPTHS, MOST_ITEMS, FRAMES = 200, (10, 20), 2000, 10
GRAPH: dict[str, Any] = {"neighbour": 7, "keep": 10}
CHOSEN: dict[str, Any] = {"keep": "auto", "metric": "auto"}
LEARNED: dict[str, Any] = {"initialisations": 8, "max_components": 20}

TABLES = (
    ("csv", "glass.csv", "label"),
    ("csv", "ionosphere.csv", "label"),
    ("csv", "nc_landsat7_labelled.csv", "label"),
    ("csv", "cloud_pixels_sentinel2.csv", "label"),
    ("csv", "tables/penguins.csv", "species"),
    ("arff", "tables/credit-g.arff", "class"),
    ("csv", "tables/heart_disease.tab", ""),
    ("arff", "tables/hypothyroid.arff", ""),
    ("arff", "tables/soybean.arff", "class"),
    ("arff", "tables/vote.arff", "Class"),
)


@dataclass(frozen=True)
class Prepared:
    """A set, the queries, and which items belong to each query."""

    name: str
    data: Dataset
    queries: Any
    wanted: Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    shared = os.environ.get("COTERIE_DATA", str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=Path(shared))
    parser.add_argument("--learned", action="store_true", help="the learned similarity as well")
    parser.add_argument("--write", action="store_true", help="write the table to docs/quality.md")
    arguments = parser.parse_args()
    ways = dict(WAYS) if arguments.learned else {k: v for k, v in WAYS.items() if k != "learned"}
    rows: list[tuple[str, dict[str, tuple[float, ...]]]] = []
    for prepared in _sets(arguments.data):
        context = Context(runs=built_in_runs())
        found = {
            name: _precision(way(prepared.data, prepared.queries, context), prepared)
            for name, way in ways.items()
        }
        rows.append((prepared.name, found))
        print(prepared.name, found, flush=True)
    table = _table(rows, list(ways))
    print(table)
    if arguments.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
        _, _, after = rest.partition(MARKS[1])
        page = f"{before}{MARKS[0]}\n{table}\n\n{MARKS[1]}{after}"
        PAGE.write_text(page, encoding="utf-8")


def _sets(folder: Path) -> Iterator[Prepared]:
    runs = Context(runs=built_in_runs())

    def read(reader: str, name: str, **params: Any) -> Any:
        from coterie.core.catalogue.registry import Registry

        component = Registry.load(safe_mode=True).component(f"reader/{reader}")
        return component().compute(
            folder / name, params=component.Params(**params), context=Context()
        )

    for sample in ("digits", "iris", "wine", "breast-cancer"):
        from coterie.core.formats.samples import SAMPLES

        data = SAMPLES[sample].make()
        plain = sample == "digits"
        yield _prepared(sample, data if plain else runs.run("transform/standardise", data).main)
    for name, standardise in (("usps", False), ("satimage", True), ("segment", True)):
        file = next(iter(folder.glob(f"{name}.csv*")), None)
        if file is not None:
            data = read("csv", file.name, truth="label")
            data = runs.run("transform/standardise", data).main if standardise else data
            yield _prepared(name, data)
    for reader, name, truth in TABLES:
        if (folder / name).exists():
            data = runs.run(
                "transform/impute", read(reader, name, **({"truth": truth} if truth else {}))
            ).main
            yield _prepared(Path(name).stem, runs.run("transform/standardise", data).main)
    if (folder / "frey_faces.csv.gz").exists():
        yield _prepared("faces", read("csv", "frey_faces.csv.gz"))
    if (folder / "swiss_constitution.csv.gz").exists():
        yield _prepared("texts", _letter_pairs(folder / "swiss_constitution.csv.gz"))


def _letter_pairs(file: Path) -> Dataset:
    """Counts of pairs of letters of articles in four languages, each of length 1."""
    import csv
    import gzip

    from sklearn.feature_extraction.text import CountVectorizer

    with gzip.open(file, "rt", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    counts = CountVectorizer(analyzer="char", ngram_range=(2, 2)).fit_transform(
        [row["text"] for row in rows]
    )
    X = counts.toarray().astype(np.float64)
    names, truth = np.unique([row["label"] for row in rows], return_inverse=True)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return Dataset(features=X, truth=truth, truth_names=tuple(names.tolist()))


def _prepared(name: str, data: Dataset) -> Prepared:
    rng = np.random.default_rng(0)
    if data.n > MOST_ITEMS and data.truth is not None:
        data = data.take(np.sort(rng.permutation(data.n)[:MOST_ITEMS]))
    queries = rng.permutation(data.n)[:QUERIES]
    items = np.arange(data.n)
    if data.truth is None:
        wanted = np.abs(queries[:, None] - items) <= FRAMES
    else:
        wanted = np.asarray(data.truth)[queries, None] == np.asarray(data.truth)
    return Prepared(name, data, queries, wanted)


def _precision(scores: Any, prepared: Prepared) -> tuple[float, ...]:
    """The mean share of wanted items among the first; the query itself is left out."""
    scores = np.array(scores)
    scores[np.arange(len(scores)), prepared.queries] = -np.inf
    order = np.argsort(-scores, axis=1, kind="stable")
    hits = np.take_along_axis(prepared.wanted, order, axis=1)
    return tuple(float(hits[:, :depth].mean()) for depth in DEPTHS)


def _by_distance(data: Dataset, queries: Any, _: Context) -> Any:
    X = data.dense_features()
    return -squared_distances(X[queries], X)


def _by_cosine(data: Dataset, queries: Any, _: Context) -> Any:
    X = data.dense_features()
    lengths = np.linalg.norm(X, axis=1)
    X = X / np.where(lengths > 0, lengths, 1.0)[:, None]
    return X[queries] @ X.T


def _walked(affinity: Any, queries: Any) -> Any:
    """The scores of `ranker/personalised-pagerank` for each query, all of them at once."""
    assert isinstance(affinity, Affinity)
    seeds = np.zeros((affinity.n, len(queries)))
    seeds[queries, np.arange(len(queries))] = 1.0
    return personalised_pagerank(random_walk(affinity), seeds, RESTART).scores.T


def _on_neighbours(data: Dataset, queries: Any, context: Context) -> Any:
    graph = context.run("graph/knn", data, params={"neighbours": 10}).main
    return _walked(graph, queries)


def _on_gaussian(data: Dataset, queries: Any, context: Context) -> Any:
    return _walked(context.run("kernel/gaussian", data).main, queries)


def _on_self_tuning(data: Dataset, queries: Any, context: Context) -> Any:
    return _walked(context.run("graph/self-tuning", data, params=GRAPH).main, queries)


def _on_chosen(data: Dataset, queries: Any, context: Context) -> Any:
    return _walked(context.run("graph/self-tuning", data, params=CHOSEN).main, queries)


def _on_learned(data: Dataset, queries: Any, context: Context) -> Any:
    if data.d > 20:
        data = context.run("transform/svd", data, params={"components": 20}).main  # type: ignore[assignment]
    kernel = context.run("kernel/probabilistic-cluster", data, params=LEARNED).main
    return _walked(kernel, queries)


WAYS: dict[str, Callable[[Dataset, Any, Context], Any]] = {
    "distance": _by_distance,
    "cosine": _by_cosine,
    "walk, 10 neighbours": _on_neighbours,
    "walk, Gaussian": _on_gaussian,
    "learned": _on_learned,
    "walk, self-tuning 10": _on_self_tuning,
    "walk, self-tuning auto": _on_chosen,
}


def _table(rows: list[tuple[str, dict[str, tuple[float, ...]]]], ways: list[str]) -> str:
    """A line for each set, precision at 10 and at 20; the mean at the end."""
    lines = [
        f"| set | {' | '.join(ways)} |",
        f"|---|{'---|' * len(ways)}",
    ]

    def cells(values: list[tuple[float, ...]]) -> str:
        return " | ".join(", ".join(f"{one:.3f}" for one in pair) for pair in values)

    lines += [f"| {name} | {cells([found[way] for way in ways])} |" for name, found in rows]
    means = [tuple(np.mean([found[way] for _, found in rows], axis=0).tolist()) for way in ways]
    return "\n".join([*lines, f"| mean | {cells(means)} |"])


if __name__ == "__main__":
    main()
