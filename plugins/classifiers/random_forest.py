"""Random forest: many trees, each of other items and features, and the mean of their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from coterie.core import Array, Context, DataError, Field, Floats, Model
from coterie.core.numerics.partitions.trained_classifier import TrainedClassifier, TrainingSet

_NODES = ("left_child", "right_child", "feature", "threshold", "missing_go_to_left")


class RandomForest(TrainedClassifier):
    """Give an item to the group that most trees speak for, each weighed by how sure it is.

    Each tree divides a random sample of the items by thresholds, at each node by the best of a few
    random features. Features need no scaling. Shares are means over the trees.
    """

    id, title = "random-forest", "Random forest"
    reference = "Breiman (2001). Random forests. Machine Learning 45."

    class Params(TrainedClassifier.Params):
        """How many trees, and how deep."""

        trees: int = Field(
            100,
            ge=1,
            le=2000,
            description="Number of trees.",
            json_schema_extra={"slider": [10, 500], "log": True},
        )
        min_leaf: int = Field(
            1,
            ge=1,
            description="Fewest training items in a leaf.",
            json_schema_extra={"advanced": True},
        )
        balanced: bool = Field(
            False,
            description="Whether items of small groups count more.",
            json_schema_extra={"advanced": True},
        )

    def learn(
        self, lesson: TrainingSet, params: Params, context: Context
    ) -> tuple[Mapping[str, Array], Mapping[str, Any]]:
        """Return the nodes of all trees, one after the other."""
        from sklearn.ensemble import RandomForestClassifier

        forest = RandomForestClassifier(
            n_estimators=0,
            min_samples_leaf=params.min_leaf,
            class_weight="balanced" if params.balanced else None,
            random_state=int(context.rng.integers(1 << 31)),
            warm_start=True,
            n_jobs=1,
        )
        while forest.n_estimators < params.trees:  # a few at a time, to be cancelled in between
            context.check()
            forest.n_estimators = min(params.trees, forest.n_estimators + 5)
            forest.fit(lesson.X, lesson.y)
        trees = [tree.tree_ for tree in forest.estimators_]
        states = [tree.__getstate__() for tree in trees]
        arrays = {
            name: np.concatenate([state["nodes"][name] for state in states]) for name in _NODES
        }
        values = np.zeros((sum(tree.node_count for tree in trees), lesson.k))
        values[:, forest.classes_] = np.concatenate([state["values"][:, 0] for state in states])
        arrays["values"] = values / values.sum(axis=1, keepdims=True)
        arrays["sizes"] = np.array([tree.node_count for tree in trees], dtype=np.int64)
        return arrays, {"depth": max(int(tree.max_depth) for tree in trees)}

    def shares(self, model: Model, X: Floats) -> Floats:
        """Return the mean of the trees' answers."""
        from sklearn.tree._tree import Tree

        nodes = {name: np.asarray(model.arrays[name]) for name in _NODES}
        values, sizes = (np.asarray(model.arrays[name]) for name in ("values", "sizes"))
        k, d = int(model.settings["k"]), int(model.settings["d"])
        dtype = _node_type()
        items = np.ascontiguousarray(X, dtype=np.float32)
        total, start = np.zeros((len(X), k)), 0
        for size in sizes.tolist():
            part = {name: column[start : start + size] for name, column in nodes.items()}
            _require_sound(part, size, d)
            held = np.zeros(size, dtype=dtype)
            for name, column in part.items():
                held[name] = column
            tree = Tree(d, np.array([k], dtype=np.intp), 1)
            tree.__setstate__(
                {
                    "max_depth": int(model.settings["depth"]),
                    "node_count": size,
                    "nodes": held,
                    "values": np.ascontiguousarray(values[start : start + size, None, :]),
                }
            )
            total += tree.predict(items)
            start += size
        total /= total.sum(axis=1, keepdims=True)
        return total


def _node_type() -> Any:
    from sklearn.tree import _tree

    return _tree.NODE_DTYPE


def _require_sound(nodes: Mapping[str, Array], size: int, d: int) -> None:
    """Refuse nodes that lead elsewhere: a model may come from a stranger's project."""
    left, right = nodes["left_child"], nodes["right_child"]
    leaf = left == -1
    at = np.arange(size)
    inner = (left > at) & (right > at) & (left < size) & (right < size)
    features = (nodes["feature"] >= 0) & (nodes["feature"] < d)
    if size < 1 or len(left) != size or not (leaf | (inner & features)).all():
        raise DataError("The random forest is damaged. Train it again.", code="invalid-result")
