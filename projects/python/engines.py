"""Runs a method in an engine process, for code that may crash, hang or need to be killed."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.core import errors
from coterie.core.api.components import Output
from coterie.core.engine.client import ProcessEngine
from coterie.core.engine.messages import (
    Cancel,
    CancelledMessage,
    EngineState,
    Failed,
    Finished,
    Progress,
    Run,
)
from coterie.core.io.workspace import Workspace
from coterie.core.model.artefacts import Artefact
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import Encoded, Noun, encode
from coterie.jobs import Job

_GLANCE = 0.05


def run_in_process(use: str, nouns: tuple[Any, ...], params: Mapping[str, Any], job: Job) -> Output:
    """Run a method in a process of its own; its end, or a crash of it, leaves this one alone."""
    with tempfile.TemporaryDirectory(prefix="coterie-") as folder:
        workspace = Workspace(Path(folder))
        path = ""
        keys = []
        for noun in nouns:
            if isinstance(noun, str | Path):
                path = str(noun)
            else:
                keys.append(_put(workspace, noun))
        order = Run(job=1, use=use, inputs=keys, params=dict(params), seed=int(job.seed), path=path)
        engine = ProcessEngine(Path(folder), job.options)
        try:
            engine.start()
            engine.send(order)
            done = _await(engine, job)
            return _loaded(workspace, done)
        finally:
            engine.close()


def _put(workspace: Workspace, noun: Noun) -> str:
    """Write a noun, and the dataset it is about, under keys that are made of what they hold."""
    dataset = None if isinstance(noun, Dataset) else getattr(noun, "dataset", None)
    link = _put(workspace, dataset) if dataset is not None else None
    encoded = encode(noun)
    key = _key(encoded, link)
    workspace.write(Artefact(key, encoded, link, {"component": "python"}))
    return key


def _key(encoded: Encoded, link: str | None) -> str:
    digest = hashlib.sha256()
    header = [encoded.type, encoded.version, encoded.meta, link]
    digest.update(json.dumps(header, sort_keys=True, default=str).encode())
    for name, array in sorted(encoded.arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    for name, texts in sorted(encoded.strings.items()):
        digest.update(json.dumps([name, list(texts)]).encode())
    return digest.hexdigest()


def _await(engine: ProcessEngine, job: Job) -> Finished:
    asked = False
    while True:
        if job.is_cancelled() and not asked:
            asked = True
            engine.send(Cancel(job=1))
        message = engine.inbox.take(_GLANCE)
        match message:
            case Finished():
                return message
            case CancelledMessage():
                raise errors.Cancelled
            case Failed():
                raise _error_of(message)
            case EngineState(state="stopped"):
                raise errors.EngineError(message.reason, code="engine-start")
            case Progress() if job.tell is not None:
                job.tell(message.done, message.message)


def _error_of(failed: Failed) -> errors.CoterieError:
    """The error as it was raised over there, with its traceback as a note."""
    kind = getattr(errors, failed.kind, errors.EngineError)
    known = isinstance(kind, type) and issubclass(kind, errors.CoterieError)
    made: errors.CoterieError = (kind if known else errors.EngineError)(
        failed.error, code=failed.code, offer=tuple(failed.offer)
    )
    made.add_note(failed.traceback)
    return made


def _loaded(workspace: Workspace, done: Finished) -> Output:
    """The result; what is mapped stays readable when its folder is gone."""
    parts = {name: workspace.load(key) for name, key in done.parts.items()}
    return Output(workspace.load(done.key), parts)
