"""Compares what a recipe has learnt with the known classes of a scene, without writing a map.

The result is a score: the error matrix by groups and, as its part "sample", that of the pixels
which were learnt from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.context import Context
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.fitted_chain import FittedChain, open_chain
from coterie.core.engine.messages import Judge
from coterie.core.errors import DataError
from coterie.core.formats.maps.confusion_counts import Tally, standing_for, tally_scene
from coterie.core.formats.rasters.classes import class_table
from coterie.core.io.fingerprints import file_hash
from coterie.core.io.workspace import Workspace
from coterie.core.model.arrays import Ints
from coterie.core.model.artefacts import Artefact, part_key, step_key
from coterie.core.model.encoding import encode
from coterie.core.model.results import Score
from coterie.core.numerics.partitions.accuracy import merged_rows

SAMPLE = "sample"
_VERSION = "1"


def judge(
    order: Judge, registry: Registry, workspace: Workspace, context: Context
) -> tuple[str, dict[str, str]]:
    """Publish the error matrix of a scene; return its key, and those of its parts."""
    chain = open_chain(order, registry, workspace, context)
    if chain.truth is None:
        raise DataError(
            "The accuracy needs known classes. Name a mask.", code="known-classes-needed"
        )
    sample = _positions(order.sample, workspace)
    tally = tally_scene(
        chain.scene,
        chain.truth,
        chain.label,
        class_table(chain.k, chain.names),
        sample,
        context,
        reach=chain.reach,
        by_window=chain.by_window,
        at_most=order.at_most,
    )
    if not tally.others.sum():
        raise DataError(
            "Every pixel with a known class was used for training, so accuracy cannot be measured. "
            "Use a smaller subset, or another mask.",
            code="no-test-pixels",
        )
    key = _key(order, chain, context)
    parts = {SAMPLE: part_key(key, SAMPLE)}
    about: dict[str, Any] = {"component": order.use, "inputs": order.models}
    workspace.write(Artefact(parts[SAMPLE], encode(_score(tally, tally.sampled)), None, about))
    about = {**about, "parts": parts}
    workspace.write(Artefact(key, encode(_score(tally, tally.others)), None, about))
    return key, parts


def _positions(key: str, workspace: Workspace) -> Ints:
    if not key:
        return np.empty(0, dtype=np.int64)
    return np.asarray(workspace.load(key).details.get("positions", ()), dtype=np.int64)


def _score(tally: Tally, counts: Ints) -> Score:
    square = merged_rows(counts, standing_for(tally), len(tally.truths))
    share = float(np.trace(square)) / max(int(square.sum()), 1)
    return Score(
        title="Error matrix",
        value=share,
        table=counts.astype(np.float64),
        rows=tally.names,
        columns=tally.truths,
    )


def _key(order: Judge, chain: FittedChain, context: Context) -> str:
    """As of any step, by what determines it: the content of the files, not their folders."""
    assert chain.truth is not None
    scenes = (chain.scene, chain.truth.scene)
    files = [file_hash(Path(scene.path), context.check, partly=True) for scene in scenes]
    params = {
        "reader": order.reader,
        "reader_params": order.reader_params,
        "methods": order.methods,
        "columns": order.columns,
        "truth_array": order.truth_array,
        "truth_classes": order.truth_classes,
        "at_most": order.at_most,
    }
    return step_key(
        component=order.use,
        version=_VERSION,
        fingerprint=" ".join(files),
        params=params,
        inputs=[*order.models, order.sample],
        seed=order.seed,
    )
