"""The answer without choices beside its peers, on data sets with known groups.

`./dev bench quality` runs Coterie's automatic answer and label-free peers on every set of the
batteries (COTERIE_DATA/batteries, or --data), keeps each score in build/quality/scores.jsonl, so a
run can be stopped and continued, and prints the table; --write puts it into docs/quality.md.
--quick takes ten sets. Labels are used for scoring alone.

A set's score is the adjusted Rand index on items that are not reference noise, the best over the
reference labellings; unassigned items count as one more group.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from tools.peers import PEERS, TOLD, Labels, Points

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "quality" / "scores.jsonl"
RELIABILITY = ROOT / "build" / "quality" / "reliability.json"  # of bench/learn_quality.py
PAGE = ROOT / "docs" / "quality.md"
MARKS = ("<!-- scores -->\n", "<!-- end of scores -->\n")
OURS = "Coterie, automatic"
LABEL_FREE = ("HDBSCAN 15", "k-means by silhouette", "mixture by BIC", "Leiden")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    shared = os.environ.get("COTERIE_DATA", str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=Path(shared) / "batteries")
    parser.add_argument("--quick", action="store_true", help="ten sets of at most 1,000 items")
    parser.add_argument("--ours", action="store_true", help="leave the peers out")
    parser.add_argument("--peers", action="store_true", help="leave Coterie out")
    parser.add_argument("--again", action="store_true", help="forget earlier scores of ours")
    parser.add_argument("--write", action="store_true", help="write the table to docs/quality.md")
    arguments = parser.parse_args()
    files = sorted(arguments.data.glob("*.npz"))
    if not files:
        parser.exit(1, f"There are no .npz files in '{arguments.data}'. Name a folder by --data.\n")
    if arguments.quick:
        files = _small(files)
    known = list(_known(without_ours=arguments.again))
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text("".join(json.dumps(row) + "\n" for row in known))
    methods: dict[str, Any] = {OURS: _automatic}
    if not arguments.ours:
        methods |= PEERS | TOLD
    if arguments.peers:
        del methods[OURS]
    done = {(row["set"], row["method"]) for row in known}
    _warm_up(methods)
    for file in sorted(files, key=_items):
        for method, function in methods.items():
            if (file.stem, method) not in done:
                known.append(_scored(file, method, function))
                with KEPT.open("a") as stream:
                    stream.write(json.dumps(known[-1]) + "\n")
    names = {file.stem for file in files}
    table = _table([row for row in known if row["set"] in names and row["method"] in methods])
    print(table)
    if arguments.write:
        _write(table)


def _warm_up(methods: dict[str, Any]) -> None:
    """Run every method once: what is imported then is not counted."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    for method, function in methods.items():
        function(X, 2) if method in TOLD else function(X)


def _scored(file: Path, method: str, function: Any) -> dict[str, Any]:
    with np.load(file) as kept:
        X, references = kept["X"].astype(np.float64), np.atleast_2d(kept["labels"])
    began = time.process_time()
    if method in TOLD:
        numbers = {len(set(one[one > 0].tolist())) for one in references}
        answers = [(function(X, k), {}) for k in sorted(numbers)]
    else:
        answers = [function(X)]
    took = time.process_time() - began
    judged = [_agreement(found, references) | said for found, said in answers]
    row = {"set": file.stem, "method": method, "n": len(X), "seconds": round(took, 2)}
    row |= max(judged, key=lambda one: one["ari"])
    print(f"{file.stem}: {method}: {row['ari']:.3f}, k = {row['k']}, {took:.1f} s", flush=True)
    return row


def _items(file: Path) -> int:
    with np.load(file) as kept:
        return len(kept["X"])


def _agreement(found: Labels, references: Any) -> dict[str, Any]:
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

    scores = []
    for reference in references:
        inside = reference > 0
        pair = reference[inside], found[inside]
        scores.append((adjusted_rand_score(*pair), adjusted_mutual_info_score(*pair)))
    k = len(set(found[found >= 0].tolist()))
    right = [len(set(reference[reference > 0].tolist())) for reference in references]
    best = max(scores)
    return {"ari": float(best[0]), "ami": float(best[1]), "k": k, "k_right": k in right}


def _automatic(X: Points) -> tuple[Labels, dict[str, Any]]:
    from coterie.core import Context, Dataset
    from coterie.core.engine.nested_runs import built_in_runs

    context = Context(runs=built_in_runs())
    found = context.run("clusterer/automatic", Dataset(kind="table", features=X)).main
    return found.labels, {name: found.details[name] for name in ("verdict", "expected")}


def _known(*, without_ours: bool) -> Iterator[dict[str, Any]]:
    if KEPT.exists():
        for line in KEPT.read_text().splitlines():
            row = json.loads(line)
            if not (without_ours and row["method"] == OURS):
                yield row


def _small(files: list[Path]) -> list[Path]:
    chosen = []
    for file in files:
        with np.load(file) as kept:
            if len(kept["X"]) <= 1000:
                chosen.append(file)
    step = max(1, len(chosen) // 10)
    return chosen[::step][:10]


def _table(rows: list[dict[str, Any]]) -> str:
    """One line for each method, the best first; ranks are over the sets that all have run."""
    methods = sorted({row["method"] for row in rows})
    by = {(row["set"], row["method"]): row for row in rows}
    sets = [s for s in sorted({row["set"] for row in rows}) if all((s, m) in by for m in methods)]
    scores = np.array([[by[s, m]["ari"] for m in methods] for s in sets])
    ranks = (-scores).argsort(axis=1, kind="stable").argsort(axis=1) + 1
    lines = [
        f"{len(sets)} sets, {sum(by[s, methods[0]]['n'] for s in sets):,} items in all.",
        "",
        "| method | ARI mean | median | AMI mean | k right | below .3 | mean rank | processor s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for place in np.argsort(-scores.mean(axis=0)).tolist():
        method = methods[place]
        own = [by[s, method] for s in sets]
        lines.append(
            f"| {method} | {scores[:, place].mean():.3f} | {np.median(scores[:, place]):.3f} "
            f"| {np.mean([row['ami'] for row in own]):.3f} "
            f"| {np.mean([row['k_right'] for row in own]):.0%} "
            f"| {(scores[:, place] < 0.3).mean():.0%} | {ranks[:, place].mean():.1f} "
            f"| {sum(row['seconds'] for row in own):.0f} |"
        )
    ours = [row for row in rows if row["method"] == OURS]
    return "\n".join([*lines, "", *_cost(by, sets), *_verdicts(ours), "", *_reliability(ours)])


def _cost(by: dict[tuple[str, str], dict[str, Any]], sets: list[str]) -> list[str]:
    """How much processor time the answer took, compared with four peers together."""
    if any((name, method) not in by for name in sets for method in (OURS, *LABEL_FREE)):
        return []
    seconds = np.array([[by[name, method]["seconds"] for name in sets] for method in
                        (OURS, *LABEL_FREE)])  # fmt: skip
    ours, peers = seconds[0], seconds[1:].sum(axis=0)
    ratio = ours / np.maximum(peers, 1e-3)
    return [
        f"The automatic answer took {ours.sum() / peers.sum():.2f} times the processor time of "
        f"{', '.join(LABEL_FREE)} together: {np.median(ratio):.1f} times on the median set, "
        f"{ratio.max():.1f} times on the worst.",
        "",
    ]


def _verdicts(rows: list[dict[str, Any]]) -> list[str]:
    lines = ["| verdict | sets | ARI mean |", "|---|---|---|"]
    for verdict in ("sure", "unsure", "no groups"):
        own = [row["ari"] for row in rows if row["verdict"] == verdict]
        if own:
            lines.append(f"| {verdict} | {len(own)} | {np.mean(own):.3f} |")
    return lines


def _reliability(rows: list[dict[str, Any]]) -> list[str]:
    """What was expected of the answers, and what they are worth; also on generated sets."""
    public = [(row["ari"], row["expected"]) for row in rows]
    generated = json.loads(RELIABILITY.read_text()) if RELIABILITY.exists() else []
    lines = [
        "| expected agreement | sets | ARI mean | at least .9 "
        "| generated sets | ARI mean | at least .9 |",
        "|---|---|---|---|---|---|---|",
    ]
    for low, high in pairwise((0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)):
        cells = []
        for found in (public, generated):
            own = [score for score, expected in found
                   if low <= expected and (expected < high or high == 1)]  # fmt: skip
            many = np.mean(np.array(own) >= 0.9) if own else 0
            cells += [f"{len(own)}", *([f"{np.mean(own):.3f}", f"{many:.0%}"] if own else ["", ""])]
        lines.append(f"| {low:.1f} to {high:.1f} | {' | '.join(cells)} |")
    return lines


def _write(table: str) -> None:
    page = PAGE.read_text()
    before, rest = page.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    PAGE.write_text(f"{before}{MARKS[0]}\n{table}\n\n{MARKS[1]}{after}")


if __name__ == "__main__":
    main()
