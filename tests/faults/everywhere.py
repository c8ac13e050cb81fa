"""Kills a process before each of its file operations in turn, and looks at what is left.

Run as a program: python -m tests.faults.everywhere FOLDER [MOST]. It prints one line of JSON: for
each scene, how many operations there were, and how many of them it was killed before; it ends with
an error when anything promised was lost. MOST spreads at most so many kills evenly over a scene.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from tests.faults import work
from tests.faults.killing import die_before, forked, load_all_modules
from tests.faults.work import Ground, Promises


class Scene(Protocol):
    """What is going on when the process is killed before operation `number`."""

    def __call__(self, ground: Ground, pipe: int, number: int) -> None: ...


def _prepared(ground: Ground) -> bytes:
    """Save a project, then edit and compute on, and end without closing."""

    def prepare(pipe: int) -> None:
        session = ground.session()
        session.start()
        session.project.load_recipe(ground.recipe(1))
        work.compute(session, pipe)
        work.save(ground, session, pipe)
        work.edit(ground, session, 2, pipe)
        work.compute(session, pipe)

    code, said = forked(prepare)
    if code:
        raise SystemExit(said.decode())
    return said


def restoring(ground: Ground, pipe: int, number: int) -> None:
    """Killed while the work of a dead window is taken over."""
    session = ground.session()
    operations = die_before(number, ground.folder)
    work.resume(ground, session)
    _tell(pipe, operations)


def saving(ground: Ground, pipe: int, number: int) -> None:
    """Killed while restored work is saved over an earlier project."""
    session = ground.session()
    work.resume(ground, session)
    operations = die_before(number, ground.folder)
    work.save(ground, session, pipe)
    _tell(pipe, operations)


def autosaving(ground: Ground, pipe: int, number: int) -> None:
    """Killed while edits are autosaved."""
    session = ground.session()
    work.resume(ground, session)
    operations = die_before(number, ground.folder)
    for edit in range(3, 6):
        work.edit(ground, session, edit, pipe)
    _tell(pipe, operations)


def computing(ground: Ground, pipe: int, number: int) -> None:
    """Killed while results are written to the workspace."""
    session = ground.session()
    session.start()
    work.resume(ground, session)
    operations = die_before(number, ground.folder)
    work.edit(ground, session, 3, pipe)
    work.compute(session, pipe)
    _tell(pipe, operations)


SCENES: dict[str, Scene] = {
    "restoring": restoring,
    "saving": saving,
    "autosaving": autosaving,
    "computing": computing,
}


def _tell(pipe: int, operations: list[str]) -> None:
    work._promise(pipe, {"operations": len(operations)})


def run(names: Sequence[str], folder: Path, most: int | None = None) -> dict[str, list[int]]:
    """Return, for each scene, its operations and how many were tried; raise on the first loss."""
    # The same place each time: paths are absolute in a workspace.
    stage, copy = folder / "stage", folder / "copy"
    Ground(stage).prepare()
    before = _prepared(Ground(stage))
    stage.rename(copy)
    tally = {}
    for name in names:
        shutil.copytree(copy, stage)
        scene = SCENES[name]
        code, said = forked(partial(scene, Ground(stage), number=-1))
        if code:
            raise SystemExit(f"{name}: {said.decode()}")
        total = json.loads(said.decode().splitlines()[-1])["operations"]
        chosen = range(0, total, 1 if most is None else -(-total // most))
        for number in chosen:
            shutil.rmtree(stage)
            shutil.copytree(copy, stage)
            _one(scene, Ground(stage), number, before)
        shutil.rmtree(stage)
        tally[name] = [total, len(chosen)]
    return tally


def _one(scene: Scene, ground: Ground, number: int, before: bytes) -> None:
    promises = Promises()
    promises.hear(before)
    code, said = forked(lambda pipe: scene(ground, pipe, number))
    if code not in (0, -9):  # threads may need fewer operations this time
        raise SystemExit(f"operation {number}: ended with {code}\n{said.decode()}")
    promises.hear(said)
    code, said = forked(lambda pipe: work.look_by_restoring(ground, promises))
    if code:
        raise SystemExit(f"operation {number}: {said.decode()}")


def main() -> None:
    folder, *most = sys.argv[1:]
    load_all_modules()
    print(json.dumps(run(tuple(SCENES), Path(folder), int(most[0]) if most else None)))


if __name__ == "__main__":
    main()
