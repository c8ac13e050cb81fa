"""Kills a process before each of its file operations in turn, and looks at what is left.

Run as a program: python -m tests.faults.everywhere FOLDER [--most N] [--scene X]. It prints one
line of JSON: for each scene, how many operations there were, and how many of them it was killed
before; it ends with an error when anything promised was lost. With --most, at most so many kills
are spread evenly over a scene.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from tests.faults import files, work
from tests.faults.killing import die_before, forked, load_all_modules
from tests.faults.work import Ground, Promises, tell_operations


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
    tell_operations(pipe, operations)


def saving(ground: Ground, pipe: int, number: int) -> None:
    """Killed while restored work is saved over an earlier project."""
    session = ground.session()
    work.resume(ground, session)
    operations = die_before(number, ground.folder)
    work.save(ground, session, pipe)
    tell_operations(pipe, operations)


def autosaving(ground: Ground, pipe: int, number: int) -> None:
    """Killed while edits are autosaved."""
    session = ground.session()
    work.resume(ground, session)
    operations = die_before(number, ground.folder)
    for edit in range(3, 6):
        work.edit(ground, session, edit, pipe)
    tell_operations(pipe, operations)


def computing(ground: Ground, pipe: int, number: int) -> None:
    """Killed while results are written to the workspace."""
    session = ground.session()
    session.start()
    work.resume(ground, session)
    operations = die_before(number, ground.folder)
    work.edit(ground, session, 3, pipe)
    work.compute(session, pipe)
    tell_operations(pipe, operations)


@dataclass(frozen=True)
class Act:
    """Scenes that begin alike, and how to look at what is left of them."""

    ground: type[Ground]
    scenes: Mapping[str, Scene]
    look: Callable[[Ground, Promises], None]


ACTS = (
    Act(
        Ground,
        {
            "restoring": restoring,
            "saving": saving,
            "autosaving": autosaving,
            "computing": computing,
            "opening": files.opening,
            "closing": files.closing,
            "sweeping": files.sweeping,
        },
        work.look_by_restoring,
    ),
    Act(
        files.SceneGround,
        {"relinking": files.relinking, "keeping": files.keeping, "mapping": files.mapping},
        files.look_at_files,
    ),
)
SCENES = tuple(name for act in ACTS for name in act.scenes)


def run(names: Sequence[str], folder: Path, most: int | None = None) -> dict[str, list[int]]:
    """Return, for each scene, its operations and how many were tried; raise on the first loss."""
    tally: dict[str, list[int]] = {}
    for act in ACTS:
        chosen = [name for name in act.scenes if name in names]
        if chosen:
            tally |= dict(_play(act, chosen, folder / act.ground.__name__, most))
    return tally


def _play(
    act: Act, names: Sequence[str], folder: Path, most: int | None
) -> Iterator[tuple[str, list[int]]]:
    # The same place each time: paths are absolute in a workspace.
    stage, copy = folder / "stage", folder / "copy"
    act.ground(stage).prepare()
    before = _prepared(act.ground(stage))
    stage.rename(copy)
    for name in names:
        shutil.copytree(copy, stage)
        code, said = forked(partial(act.scenes[name], act.ground(stage), number=-1))
        if code:
            raise SystemExit(f"{name}: {said.decode()}")
        total = json.loads(said.decode().splitlines()[-1])["operations"]
        chosen = range(0, total, 1 if most is None else -(-total // most))
        for number in chosen:
            shutil.rmtree(stage)
            shutil.copytree(copy, stage)
            _one(act, name, number, before, act.ground(stage))
        shutil.rmtree(stage)
        yield name, [total, len(chosen)]


def _one(act: Act, name: str, number: int, before: bytes, ground: Ground) -> None:
    promises = Promises()
    promises.hear(before)
    code, said = forked(partial(act.scenes[name], ground, number=number))
    if code not in (0, -9):  # threads may need fewer operations this time
        raise SystemExit(f"{name}, operation {number}: ended with {code}\n{said.decode()}")
    promises.hear(said)
    code, said = forked(lambda pipe: act.look(ground, promises))
    if code:
        raise SystemExit(f"{name}, operation {number}: {said.decode()}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill before each file operation in turn.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scene", action="append", choices=SCENES, help="only this one")
    parser.add_argument("--most", type=int)
    asked = parser.parse_args()
    load_all_modules()
    print(json.dumps(run(asked.scene or SCENES, asked.folder, asked.most)))


if __name__ == "__main__":
    main()
