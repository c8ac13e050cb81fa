"""Learns how to judge groups without labels, on generated sets whose groups are known.

`./dev bench learn_quality` generates the sets, judges every candidate on each (kept in
build/quality/learned, so a run can be stopped and continued), fits boosted trees to the agreement
of candidates with the known groups, prints how good the choice is on sets that were not learned
from, and writes core/numerics/automatic/quality.txt. No public data set takes part.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from generated_sets import generated
from generated_shapes import Labels, Points

from coterie.core import Context, Dataset
from coterie.core.engine.nested_runs import DirectRuns, built_in_runs
from coterie.core.numerics.automatic.agreement import pairwise_adjusted_rand
from coterie.core.numerics.automatic.answer import Judged, compact, judge, propose
from coterie.core.numerics.automatic.chain import Chain
from coterie.core.numerics.automatic.choice import choose
from coterie.core.numerics.automatic.families import FAMILIES
from coterie.core.numerics.automatic.quality import QUALITY, SHORTFALL, Trees, write_trees
from coterie.core.numerics.automatic.search import Search

ABOUT = """The {question} of a partition: boosted regression trees, learned by
bench/learn_quality.py from {sets} generated sets.
First what is added to; then a line for each node: tree, column of evidence (-1 in a leaf),
threshold, node to go to up to it and above it, value of a leaf."""
ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "quality" / "learned"
SHARE_WITHOUT = 0.15  # sets of which one family is left out, as happens when one fails
# The whole as one group is one candidate of some 150, but half of the question: are there groups?
WHOLE_COUNTS = 60
MODELS = 4  # their trees are averaged; each is learned from …
OF_THE_SETS = 0.85  # … a random share of the sets
MOST_CANDIDATES = 70  # of a set that a model is learned from


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=900, help="number of generated sets")
    parser.add_argument("--first", type=int, default=0, help="seed of the first")
    parser.add_argument("--gather", action="store_true", help="judge the sets, learn nothing yet")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.sets)
    KEPT.mkdir(parents=True, exist_ok=True)
    runs = built_in_runs()
    for seed in seeds:
        _gathered(seed, runs)
    if arguments.gather:
        return
    sets = [_read(seed) for seed in seeds]
    _cross_validate(sets)
    for path, question in ((QUALITY, "quality"), (SHORTFALL, "shortfall")):
        trees = Trees(**_learned(sets, range(MODELS), question))
        write_trees(path, trees, ABOUT.format(question=question, sets=len(sets)))
        print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB", flush=True)


def _gathered(seed: int, runs: DirectRuns) -> None:
    """Judge every candidate of one set, unless that was done before."""
    kept = KEPT / f"{seed}.npz"
    if kept.exists():
        return
    kind, X, truths = generated(seed)
    rng = np.random.default_rng([seed, 1])
    without = FAMILIES[rng.integers(len(FAMILIES))] if rng.random() < SHARE_WITHOUT else ""
    judged = _judged(X, runs, without, repeat=rng.random() >= SHARE_WITHOUT)
    np.savez_compressed(
        kept,
        kind=kind,
        evidence=judged.evidence.astype(np.float32),
        scores=scores_of([c.labels for c in judged.candidates], truths).astype(np.float32),
        agreement=judged.agreement.astype(np.float32),
        groups=np.array([candidate.k for candidate in judged.candidates]),
    )


def scores_of(partitions: list[Labels], truths: Labels) -> Points:
    """Return the agreement of each with the truth it agrees with most, noise left out."""
    found = []
    for truth in truths:
        known = truth > 0
        right = compact(truth[known])
        pairs = (np.stack([right, compact(labels[known])]) for labels in partitions)
        found.append([float(pairwise_adjusted_rand(pair)[0, 1]) for pair in pairs])
    return np.max(found, axis=0)


def _judged(X: Points, runs: DirectRuns, without: str, *, repeat: bool) -> Judged:
    context = Context(runs=runs)
    data = Dataset(kind="table", features=X)
    chain = Chain(data, context)
    main = chain.prepared()
    search = Search(context)
    sources = search.sources(main, chain)
    sources.pop(without, None)
    candidates, _ = propose(main.dense_features(), sources)
    if repeat:
        candidates = search.found_again(candidates, main, chain)
    return judge(main.dense_features(), candidates)


def _read(seed: int) -> dict[str, Any]:
    with np.load(KEPT / f"{seed}.npz") as kept:
        return {name: kept[name] for name in kept.files}


def _cross_validate(sets: list[dict[str, Any]]) -> None:
    """Print what the choice is worth on sets that the trees were not learned from."""
    got, expected = [], []
    for fold in range(4):
        others = [s for i, s in enumerate(sets) if i % 4 != fold]
        quality_trees, shortfall_trees = (
            Trees(**_learned(others, range(1), question)) for question in ("quality", "shortfall")
        )
        for one in sets[fold::4]:
            evidence = one["evidence"].astype(np.float64)
            raw = quality_trees.predict(evidence)
            merit = (raw + shortfall_trees.predict(evidence)) / 2
            quality = np.clip(raw, 0, 1)
            agreement = one["agreement"].astype(np.float64)
            best = choose(quality, agreement, one["groups"], merit).answers[0]
            got.append(one["scores"][best])
            expected.append(quality[best])
    scores, sure = np.array(got), np.array(expected)
    best = np.mean([one["scores"].max() for one in sets])
    print(f"{len(sets)} sets: mean {scores.mean():.3f}; best candidates {best:.3f}")
    for low, high in ((0.0, 0.5), (0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.01)):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            print(f"  expected {low:.1f}–{min(high, 1):.1f}: {inside.sum()} sets, "
                  f"mean {scores[inside].mean():.3f}")  # fmt: skip


def _learned(sets: list[dict[str, Any]], seeds: range, question: str) -> dict[str, Any]:
    """Fit the trees; every set counts alike, however many candidates it has.

    Parameters
    ----------
    question : "quality", the agreement with the truth, or "shortfall", less that of the best
        candidate for the same set
    """
    from sklearn.ensemble import HistGradientBoostingRegressor

    models = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        some = [one for one in sets if len(seeds) == 1 or rng.random() < OF_THE_SETS]
        taken = [_taken(one, rng) for one in some]
        X = np.concatenate([s["evidence"][t] for s, t in zip(some, taken, strict=True)])
        y = np.concatenate([
            s["scores"][t] - (s["scores"].max() if question == "shortfall" else 0)
            for s, t in zip(some, taken, strict=True)
        ])  # fmt: skip
        weight = np.concatenate([
            _weights(len(s["scores"]))[t] for s, t in zip(some, taken, strict=True)
        ])  # fmt: skip
        model = HistGradientBoostingRegressor(
            max_iter=120, learning_rate=0.07, max_leaf_nodes=12, min_samples_leaf=40,
            l2_regularization=1.0, max_features=0.5, max_bins=48, random_state=seed,
        )  # fmt: skip
        models.append(model.fit(X.astype(np.float64), y, weight))
    return _as_arrays(models)


def _taken(one: dict[str, Any], rng: np.random.Generator) -> Labels:
    """Some of the candidates of a set, always with the best and the whole: many are alike."""
    some = rng.permutation(len(one["scores"]))[:MOST_CANDIDATES]
    return np.unique([*some, len(one["scores"]) - 1, int(one["scores"].argmax())])


def _weights(candidates: int) -> Any:
    weights = np.full(candidates, 1 / candidates)
    weights[-1] *= WHOLE_COUNTS
    return weights


def _as_arrays(models: list[Any]) -> dict[str, Any]:
    """All trees as arrays of the same width, so that they can be read without scikit-learn."""
    nodes = [tree[0].nodes for model in models for tree in model._predictors]
    width = max(len(tree) for tree in nodes)

    def gathered(name: str, dtype: type[np.generic]) -> Any:
        values = np.zeros((len(nodes), width), dtype=dtype)
        for row, tree in zip(values, nodes, strict=True):
            row[: len(tree)] = tree[name]
        return values

    leaf = gathered("is_leaf", np.bool_)
    inside = np.array([[place < len(tree) for place in range(width)] for tree in nodes])
    return {
        "feature": np.where(leaf | ~inside, -1, gathered("feature_idx", np.int64)),
        "threshold": gathered("num_threshold", np.float64),
        "left": gathered("left", np.int64),
        "right": gathered("right", np.int64),
        "value": np.where(leaf, gathered("value", np.float64), 0.0) / len(models),
        "start": float(np.mean([np.ravel(model._baseline_prediction)[0] for model in models])),
    }


if __name__ == "__main__":
    main()
