"""Learns how to judge groups without labels, on generated sets whose groups are known.

`./dev bench learn_quality` generates the sets, judges every candidate on each (kept in
build/quality/learned, so a run can be stopped and continued), fits boosted trees to three
questions, prints how good the choice is on sets that were not learned from and on the development
half of the batteries, and writes core/numerics/automatic/quality.txt and merit.txt. No public data
set takes part, unless --with-batteries asks what that would give with one battery left out.

The questions: how well a candidate agrees with the known groups; by how much less than the best
candidate for the same set; and by which numbers to choose, to lose least by the choice.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from generated.sets import generated
from generated.shapes import Labels, Points
from tools.boosting import Boosted, boosted, regret, squared

from coterie.core import Context, Dataset
from coterie.core.engine.nested_runs import DirectRuns, built_in_runs
from coterie.core.numerics.automatic.agreement import pairwise_adjusted_rand
from coterie.core.numerics.automatic.answer import Judged, compact, judge, propose
from coterie.core.numerics.automatic.chain import MethodChain
from coterie.core.numerics.automatic.choice import choose
from coterie.core.numerics.automatic.evidence import NAMES
from coterie.core.numerics.automatic.families import FAMILIES
from coterie.core.numerics.automatic.quality import BY_QUALITY, MERIT, QUALITY, Trees, write_trees
from coterie.core.numerics.automatic.search import Search

ABOUT = """The {question} of a partition: boosted regression trees, learned by
bench/learn_quality.py from {sets} generated sets.
First what is added to; then a line for each node: tree, column of evidence (-1 in a leaf),
threshold, node to go to up to it and above it, value of a leaf."""
ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "quality" / "learned"
SEEDS = (*range(258), *range(400, 509), *range(1000, 1319))
SHARE_WITHOUT = 0.15  # sets of which one family is left out, as happens when one fails
# The whole as one group is one candidate of some 150, but half of the question: are there groups?
WHOLE_COUNTS = 60
MODELS = 2  # their trees are averaged; each is learned from …
OF_THE_SETS = 0.85  # … a random share of the sets
DECIDED_ON = 3000  # items at most, as by default
MOST_CANDIDATES = 70  # of a set that a model is learned from
SOFTNESS = 0.1  # of the choice whose loss the third question makes small
# What the three questions count for the choice; the sums of the third spread most.
COUNTS = {"quality": BY_QUALITY, "shortfall": 0.2, "choice": 0.24}
FITTED: dict[str, dict[str, Any]] = {
    "quality": {"rate": 0.07, "rounds": 120},
    "shortfall": {"rate": 0.07, "rounds": 120},
    "choice": {"rate": 0.2, "rounds": 120},
}
RISING = (
    "best agreement", "second agreement", "third agreement", "mean agreement", "agreement at k",
    "mean agreement at k", "followers", "agreement curve", "found again", "plateau", "one fewer",
    "one more",
)  # fmt: skip
"""Evidence that can only speak for a partition, as can how far it is below the best."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    shared = os.environ.get("COTERIE_DATA", str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=Path(shared) / "batteries")
    parser.add_argument("--gather", action="store_true", help="judge the sets, learn nothing yet")
    parser.add_argument(
        "--with-batteries", action="store_true", help="learn from the other batteries too; print"
    )
    arguments = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    runs = built_in_runs()
    files = sorted(arguments.data.glob("*.npz"))
    for seed in SEEDS:
        _gathered(seed, runs)
    for file in files:
        _gathered_public(file, runs)
    if arguments.gather:
        return
    sets = [_read(str(seed)) for seed in SEEDS]
    public = [_read(file.stem) | {"name": file.stem} for file in files]
    if arguments.with_batteries:
        for battery in sorted({one["name"].split("-")[0] for one in public}):
            inside = [one for one in public if one["name"].split("-")[0] == battery]
            others = [one for one in public if one["name"].split("-")[0] != battery]
            _print_choices(battery, inside, _judges(sets + others, range(1)))
        return
    folds = [sets[fold::4] for fold in range(4)]
    tried = []
    for fold, inside in enumerate(folds):
        others = [one for number in range(4) if number != fold for one in folds[number]]
        tried += _choices(inside, _judges(others, range(1)))
    inside = [one for fold in folds for one in fold]
    _print_scores("generated sets, not learned from", inside, tried)
    (KEPT.parent / "reliability.json").write_text(json.dumps(tried))
    judges = _judges(sets, range(MODELS))
    if public:
        _print_choices("batteries", public, judges)
    beside = {question: counts for question, counts in COUNTS.items() if question != "quality"}
    for path, about, parts in (
        (QUALITY, "quality", {"quality": 1.0}), (MERIT, "merit beside its quality", beside)
    ):  # fmt: skip
        write_trees(path, _joined(judges, parts), ABOUT.format(question=about, sets=len(sets)))
        print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB", flush=True)


def _gathered(seed: int, runs: DirectRuns) -> None:
    """Judge every candidate of one set, unless that was done before."""
    kept = KEPT / f"{seed}.npz"
    if kept.exists():
        return
    kind, X, truths = generated(seed)
    rng = np.random.default_rng([seed, 1])
    without = FAMILIES[rng.integers(len(FAMILIES))] if rng.random() < SHARE_WITHOUT else ""
    _keep(kept, kind, X, truths, runs, without, repeat=rng.random() >= SHARE_WITHOUT)


def _keep(
    kept: Path, kind: str, X: Points, truths: Labels, runs: DirectRuns, without: str, *,
    repeat: bool,
) -> None:  # fmt: skip
    judged, some = _judged(X, runs, without, repeat=repeat)
    np.savez_compressed(
        kept,
        kind=kind,
        evidence=judged.evidence.astype(np.float32),
        scores=scores_of([c.labels for c in judged.candidates], truths[:, some]).astype(np.float32),
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


def _judged(X: Points, runs: DirectRuns, without: str, *, repeat: bool) -> tuple[Judged, Labels]:
    """The candidates of as many items as are decided on, and which these are."""
    context = Context(runs=runs)
    data = Dataset(kind="table", features=X)
    chain = MethodChain(data, context)
    main, some = chain.prepared(), np.arange(len(X))
    if len(X) > DECIDED_ON:
        main = chain.sample(main, DECIDED_ON)
        some = np.asarray(main.details["positions"])
    search = Search(context)
    sources = search.sources(main, chain)
    sources.pop(without, None)
    candidates, _ = propose(main.dense_features(), sources)
    if repeat:
        candidates = search.found_again(candidates, main, chain)
    return judge(main.dense_features(), candidates), some


def _gathered_public(file: Path, runs: DirectRuns) -> None:
    """Judge every candidate of a public set, as of a generated one."""
    kept = KEPT / f"{file.stem}.npz"
    if kept.exists():
        return
    with np.load(file) as known:
        X, truths = known["X"].astype(np.float64), np.atleast_2d(known["labels"]).astype(np.int64)
    _keep(kept, "public", X, truths, runs, "", repeat=True)


def _read(name: str) -> dict[str, Any]:
    with np.load(KEPT / f"{name}.npz") as kept:
        return {part: kept[part] for part in kept.files}


Judges = dict[str, list[Boosted]]
"""The models of each question."""


def _judges(sets: list[dict[str, Any]], seeds: range) -> Judges:
    return {question: [_learned(sets, seed, question, of_all=len(seeds) == 1) for seed in seeds]
            for question in COUNTS}  # fmt: skip


def _learned(sets: list[dict[str, Any]], seed: int, question: str, *, of_all: bool) -> Boosted:
    """Fit the trees; every set counts alike, however many candidates it has."""
    rng = np.random.default_rng(seed)
    some = [one for one in sets if of_all or rng.random() < OF_THE_SETS]
    taken = [_taken(one, rng) for one in some]
    X = np.concatenate([s["evidence"][t] for s, t in zip(some, taken, strict=True)])
    y = np.concatenate([s["scores"][t] for s, t in zip(some, taken, strict=True)]).astype(float)
    of = np.repeat(np.arange(len(some)), [len(t) for t in taken])
    weight = np.concatenate([
        _weights(len(s["scores"]))[t] for s, t in zip(some, taken, strict=True)
    ])  # fmt: skip
    if question == "shortfall":
        y = y - np.array([s["scores"].max() for s in some])[of]
    slopes = regret(y, of, SOFTNESS) if question == "choice" else squared(y, weight)
    start = 0.0 if question == "choice" else float(np.average(y, weights=weight))
    return boosted(X, slopes, start=start, rising=_rising(), seed=seed, **FITTED[question])


def _rising() -> Any:
    return np.array([name.removesuffix(" below the best") in RISING for name in NAMES], np.int8)


def _choices(sets: list[dict[str, Any]], judges: Judges) -> list[tuple[float, float]]:
    """The score of what is chosen of each set, and what is expected of it."""
    found = []
    for one in sets:
        evidence = one["evidence"].astype(np.float64)
        judged = {
            question: np.mean([model.predict(evidence) for model in models], axis=0)
            for question, models in judges.items()
        }
        merit = sum(COUNTS[question] * judged[question] for question in COUNTS)
        quality = np.clip(judged["quality"], 0, 1)
        agreement = one["agreement"].astype(np.float64)
        best = choose(quality, agreement, one["groups"], np.asarray(merit)).answers[0]
        found.append((float(one["scores"][best]), float(quality[best])))
    return found


def _print_choices(title: str, sets: list[dict[str, Any]], judges: Judges) -> None:
    _print_scores(title, sets, _choices(sets, judges))


def _print_scores(title: str, sets: list[dict[str, Any]], found: list[tuple[float, float]]) -> None:
    best = np.mean([one["scores"].max() for one in sets])
    mean = np.mean([score for score, _ in found])
    print(f"{title}: {len(sets)} sets, mean {mean:.3f}; best candidates {best:.3f}", flush=True)


def _taken(one: dict[str, Any], rng: np.random.Generator) -> Labels:
    """Some of the candidates of a set, always with the best and the whole: many are alike."""
    some = rng.permutation(len(one["scores"]))[:MOST_CANDIDATES]
    return np.unique([*some, len(one["scores"]) - 1, int(one["scores"].argmax())])


def _weights(candidates: int) -> Any:
    weights = np.full(candidates, 1 / candidates)
    weights[-1] *= WHOLE_COUNTS
    return weights


def _joined(judges: Judges, parts: dict[str, float]) -> Trees:
    """The trees of several questions as one sum, each question counting as much as it says."""
    models = [(m, counts / len(judges[q])) for q, counts in parts.items() for m in judges[q]]
    nodes = [(tree.nodes, counts) for model, counts in models for tree in model.trees]
    width = max(len(tree) for tree, _ in nodes)

    def gathered(name: str, dtype: type[np.generic]) -> Any:
        values = np.zeros((len(nodes), width), dtype=dtype)
        for row, (tree, _) in zip(values, nodes, strict=True):
            row[: len(tree)] = tree[name]
        return values

    leaf = gathered("is_leaf", np.bool_)
    inside = np.array([[place < len(tree) for place in range(width)] for tree, _ in nodes])
    counts = np.array([counts for _, counts in nodes])[:, None]
    return Trees(
        feature=np.where(leaf | ~inside, -1, gathered("feature_idx", np.int64)),
        threshold=gathered("num_threshold", np.float64),
        left=gathered("left", np.int64),
        right=gathered("right", np.int64),
        value=np.where(leaf, gathered("value", np.float64), 0.0) * counts,
        start=float(sum(model.start * counts for model, counts in models)),
    )


if __name__ == "__main__":
    main()
