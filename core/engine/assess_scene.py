"""Holds what a recipe has learnt against known classes of a scene, without writing a map.

It is asked for like a step, by an order whose method is `JUDGE`; its inputs are the keys of the
models. What it gives is a score: the error matrix by groups and, as its part "sample", that of the
pixels which were learnt from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.context import Context
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.fitted_chain import Replay, replay_of
from coterie.core.engine.messages import Order
from coterie.core.errors import DataError
from coterie.core.formats.rasters.classes import class_table
from coterie.core.formats.rasters.confusion_counts import Tally, standing_for, tally_scene
from coterie.core.io.fingerprints import file_hash
from coterie.core.io.workspace import Workspace
from coterie.core.model.arrays import Ints
from coterie.core.model.artefacts import Artefact, part_key, step_key
from coterie.core.model.encoding import encode
from coterie.core.model.results import Score
from coterie.core.numerics.partitions.accuracy import merged_rows

JUDGE = "engine/judge"
SAMPLE = "sample"
_VERSION = "1"


def judge(
    order: Order, registry: Registry, workspace: Workspace, context: Context
) -> tuple[str, dict[str, str]]:
    """Publish the error matrix of a scene; return its key, and those of its parts.

    The order's params: those that `replay_of` takes, with a truth; `sample`, the key of the data
    that was learnt from, empty when that is of another scene; `at_most` pixels to judge by.
    """
    asked = order.params
    replay = replay_of(order, registry, workspace, context)
    if replay.truth is None:
        raise DataError(
            "The accuracy needs known classes. Name a mask.", code="known-classes-needed"
        )
    sample = _positions(str(asked.get("sample", "")), workspace)
    tally = tally_scene(
        replay.scene,
        replay.truth,
        replay.label,
        class_table(replay.k, replay.names),
        sample,
        context,
        reach=replay.reach,
        at_most=int(asked.get("at_most", 0)),
    )
    if not tally.others.sum():
        raise DataError(
            "Every pixel with a known class was used for training, so accuracy cannot be measured. "
            "Use a smaller subset, or another mask.",
            code="no-test-pixels",
        )
    key = _key(order, replay, context)
    parts = {SAMPLE: part_key(key, SAMPLE)}
    about: dict[str, Any] = {"component": JUDGE, "inputs": list(order.inputs)}
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


def _key(order: Order, replay: Replay, context: Context) -> str:
    """As of any step, by what determines it: the files, not their location."""
    assert replay.truth is not None
    scenes = (replay.scene, replay.truth.scene)
    files = [file_hash(Path(scene.path), context.check, partly=True) for scene in scenes]
    params = {k: v for k, v in order.params.items() if k not in ("scene", "truth", "sample")}
    return step_key(
        component=JUDGE,
        version=_VERSION,
        fingerprint=" ".join(files),
        params=params,
        inputs=[*order.inputs, str(order.params.get("sample", ""))],
        seed=order.seed,
    )
