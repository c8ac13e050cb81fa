"""How well a partition is likely to agree with the truth, judged from evidence without labels.

Two questions are answered: how well it agrees, which says how sure an answer is; and how it
compares with other candidates for the same items, which is what a choice needs: how difficult the
items are does not matter there. The second is learned from how far a candidate is behind the best
one, and from what is lost by choosing. Both judgements are boosted regression trees, fitted by
`bench/learn_quality.py` on data sets that are generated with known groups. No public data set takes
part in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from coterie.core.model.arrays import Floats, Ints

QUALITY = Path(__file__).with_name("quality.txt")
MERIT = Path(__file__).with_name("merit.txt")
BY_QUALITY: Final = 0.2  # what the quality counts beside the trees in MERIT


@dataclass(frozen=True, eq=False)
class Trees:
    """Regression trees that are added up.

    Attributes
    ----------
    feature : (trees, nodes) column that a node looks at, −1 in a leaf
    threshold : values up to it go left
    left, right : (trees, nodes) where to go on
    value : (trees, nodes) what a leaf adds
    start : what is added to
    """

    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats
    start: float

    def predict(self, table: Floats) -> Floats:
        """Return the sum over all trees for each row of the table."""
        trees = np.arange(len(self.feature))[:, None]
        rows = np.arange(len(table))[None, :]
        node = np.zeros((len(self.feature), len(table)), dtype=np.int64)
        while True:
            feature = self.feature[trees, node]
            inner = feature >= 0
            if not inner.any():
                return np.asarray(self.start + self.value[trees, node].sum(axis=0))
            low = table[rows, np.maximum(feature, 0)] <= self.threshold[trees, node]
            onward = np.where(low, self.left[trees, node], self.right[trees, node])
            node = np.where(inner, onward, node)


@cache
def learned_trees(path: Path = QUALITY) -> Trees:
    """Return trees that come with Coterie."""
    return read_trees(path)


def read_trees(path: Path) -> Trees:
    """Return the trees in a file: a line for each node, of what is added to first.

    The columns are those of `Trees`, after the number of the tree; lines that begin with # say what
    the file is.
    """
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    table = np.array(" ".join(lines[1:]).split(), dtype=np.float64).reshape(-1, 6)
    tree = table[:, 0].astype(np.int64)
    node = np.arange(len(tree)) - np.searchsorted(tree, tree)
    shape = int(tree.max()) + 1, int(node.max()) + 1
    found = np.zeros((5, *shape))
    found[0] = -1
    found[:, tree, node] = table[:, 1:].T
    feature, left, right = (found[place].astype(np.int64) for place in (0, 2, 3))
    return Trees(feature, found[1], left, right, found[4], float(lines[0]))


def write_trees(path: Path, trees: Trees, about: str) -> None:
    """Write trees as `read_trees` reads them; `about` says where they come from."""
    lines = [*(f"# {line}" for line in about.splitlines()), f"{trees.start:.6g}"]
    for tree in range(len(trees.feature)):
        inner = trees.feature[tree] >= 0
        last = max([0, *trees.left[tree][inner].tolist(), *trees.right[tree][inner].tolist()])
        for node in range(last + 1):
            feature = int(trees.feature[tree, node])
            threshold = f"{trees.threshold[tree, node]:.6g}" if feature >= 0 else "0"
            below = f"{int(trees.left[tree, node])} {int(trees.right[tree, node])}"
            value = f"{trees.value[tree, node]:.4g}" if feature < 0 else "0"
            lines.append(f"{tree} {feature} {threshold} {below} {value}")
    path.write_text("\n".join(lines) + "\n", "utf-8")


def expected_quality(table: Floats) -> Floats:
    """Return the adjusted Rand index with the unknown truth that each row of evidence suggests."""
    return np.clip(learned_trees().predict(table), 0.0, 1.0)


def comparative_merit(table: Floats) -> Floats:
    """Return numbers by which partitions of the same items compare."""
    quality, beside = (learned_trees(path).predict(table) for path in (QUALITY, MERIT))
    return np.asarray(BY_QUALITY * quality + beside)
