"""Which methods are estimators, and what their classes are called."""

from __future__ import annotations

import re
from functools import cache

from coterie.core import well_known
from coterie.registry import all_methods, built_ins

KINDS = ("clusterer", "embedder", "transform", "kernel", "ranker", "classifier")
_BY_HAND = "It edits groups by hand, and learns nothing from data."
_CHOOSES = "It chooses items, and scikit-learn's transformers keep all of them."
_LIBRARY = "It takes a scene and a library of spectra."
NOT_ESTIMATORS = {
    well_known.CLUSTERER_LINKED: "It changes groups that were found already.",
    well_known.CLUSTERER_BY_HAND: _BY_HAND,
    well_known.CLUSTERER_CUT_TREE: "It cuts a tree that a plot drew, and learns nothing from data.",
    well_known.CLUSTERER_EDIT_GROUPS: _BY_HAND,
    well_known.CLUSTERER_SPLIT_GROUP: _BY_HAND,
    well_known.CLUSTERER_KNOWN_CLASSES: "It learns nothing: it hands over known classes.",
    well_known.TRANSFORM_COLUMNS: "It changes types and roles of columns, which arrays do not "
    "have.",
    well_known.TRANSFORM_JOIN: "It joins two tables.",
    well_known.TRANSFORM_EDIT: "It edits names and known classes, which arrays do not have.",
    well_known.TRANSFORM_KEEP: _CHOOSES,
    well_known.TRANSFORM_SAMPLE: _CHOOSES,
    well_known.TRANSFORM_SEGMENTS: "Its items are made of several, and scikit-learn's transformers "
    "keep all of them.",
    well_known.TRANSFORM_SPECTRA_TO_BANDS: _LIBRARY,
    well_known.TRANSFORM_TAKE: _CHOOSES,
    well_known.TRANSFORM_UNMIX: _LIBRARY,
    well_known.KERNEL_PRECOMPUTED: 'Estimators take similarities by affinity="precomputed".',
}


def class_name(use: str) -> str:
    """Return what the estimator of a method is called.

    >>> class_name("clusterer/dominant-sets"), class_name("kernel/mylab:cauchy")
    ('DominantSetsClusterer', 'MylabCauchyKernel')
    """
    kind, _, id = use.partition("/")
    words = [word for word in re.split(r"[^A-Za-z0-9]+", f"{id}-{kind}") if word]
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name if name[:1].isalpha() else f"The{name}"


@cache
def class_names(*, plugins: bool) -> dict[str, str]:
    """Return the method of each estimator, by the name of its class."""
    registry = all_methods() if plugins else built_ins()
    uses = [d.name for d in registry.catalogue if d.kind in KINDS and d.name not in NOT_ESTIMATORS]
    return {class_name(use): use for use in sorted(uses)}
