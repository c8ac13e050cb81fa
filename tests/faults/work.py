"""The work that is interrupted: a small project, what is done to it, and what must be left of it.

Everything here happens in processes that are killed, or that look at what a killed one left. What
was promised to a person goes through a pipe, one line each; what is on disk must keep it.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.core.engine.options import EngineOptions
from coterie.core.io.workspace import Workspace
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.scheduler import EngineKind
from coterie.projects.jobs.sweep_plan import SweepAxis, SweepPlan
from coterie.projects.recipe.toml import parse_recipe
from coterie.projects.session import Session
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.validation import validate
from coterie.projects.store.recovery import orphans
from coterie.projects.store.work_folder import read_state

STEPS = ("data", "similarity", "groups")


class Ground:
    """A folder with a data file, a project that may be there, and workspaces."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "p.coterie.h5"
        self.root = folder / "workspaces"
        self.data = folder / "points.csv"

    def prepare(self) -> None:
        """Make the data file and the folder of workspaces."""
        self.root.mkdir(parents=True)
        lines = [f"{i % 7},{(i * i) % 11},{'left' if i < 12 else 'right'}" for i in range(24)]
        self.data.write_text("x,y,side\n" + "\n".join(lines) + "\n")

    def session(self, engine: EngineKind = "inprocess") -> Session:
        """Return a session that keeps its work here; its engine is not started."""
        options = EngineOptions(plugin_folders=(), memory=1 << 30, workers=1)
        return Session(engine=engine, options=options, root=self.root)

    def recipe(self, number: int = 0) -> Recipe:
        """Return a recipe whose title and seed tell which edit it came from."""
        steps = (
            Step("similarity", "kernel/gaussian", ("data",), {"sigma": 1.0}),
            Step("groups", "clusterer/dominant-sets", ("similarity",), {"k": 2}, seed=number),
        )
        return Recipe(str(number), (Source(open=str(self.data)),), steps)


# What a person does -----------------------------------------------------------------------------


def resume(ground: Ground, session: Session) -> int:
    """Begin where the last one ended: restored, opened or new; return the number of its edit."""
    found = orphans(ground.root)
    if found:
        session.project.recover(found[0].folder)
        session.wait(60)
    elif ground.project.exists():
        opening = session.project.open_file(ground.project)
        session.wait(60)
        opening.result()
    else:
        session.project.load_recipe(ground.recipe())
    return int(session.recipe.title or 0)


def edit(ground: Ground, session: Session, number: int, promises: int) -> None:
    """Change the recipe, which is autosaved before this returns."""
    session.edits.replace(replace(ground.recipe(number), sources=session.recipe.sources), "change")
    promise(promises, {"edited": number})


def compute(session: Session, promises: int) -> None:
    """Run all steps; what is there then must not be lost."""
    session.run()
    session.wait(60)
    keys = [session.results.key(name) for name in STEPS]
    failures = [str(session.failure(name)) for name in STEPS if session.failure(name)]
    if None in keys or failures:
        raise SystemExit(f"not computed: {keys} {failures}")
    promise(promises, {"computed": keys, "seed": int(session.recipe.title)})


def save(ground: Ground, session: Session, promises: int) -> None:
    """Save the project."""
    saving = session.project.save(ground.project)
    session.wait(60)
    saving.result()
    promise(promises, {"saved": int(session.recipe.title)})


def sweep(session: Session) -> None:
    """Try a step with a few settings; what comes of it is let go, and nothing else."""
    if not session.catalogue.methods:
        return  # the engine has only just started
    session.sweeps.start(SweepPlan("groups", (SweepAxis("k", (1, 2, 3)),), "groups", "groups"))
    session.wait(60)


def work_for_ever(ground: Ground, seed: int, promises: int, engine: EngineKind) -> None:
    """Do what a person does, in a random order, until killed."""
    rng = random.Random(seed)
    session = ground.session(engine)
    session.start()
    number = resume(ground, session)
    while True:
        number += 1
        edit(ground, session, number, promises)
        for what in rng.sample(["compute", "save", "edit", "rest", "sweep"], k=3):
            if what == "compute":
                compute(session, promises)
            elif what == "save":
                save(ground, session, promises)
            elif what == "edit":
                number += 1
                edit(ground, session, number, promises)
            elif what == "sweep":
                sweep(session)
            else:
                time.sleep(rng.random() * 0.01)


def promise(pipe: int, what: dict[str, object]) -> None:
    """Tell what must not be lost from now on."""
    os.write(pipe, json.dumps(what).encode() + b"\n")


def tell_operations(pipe: int, operations: list[str]) -> None:
    """Tell how many operations on files there were."""
    promise(pipe, {"operations": len(operations)})


# What must be left ------------------------------------------------------------------------------


class Promises:
    """What was promised so far: the last edit, the last save, the keys of the last results, and
    whether the data file is kept in the project."""

    def __init__(self) -> None:
        self.edited = 0
        self.saved: int | None = None
        self.computed: list[str] = []
        self.seed = 0
        self.kept = False

    def hear(self, lines: bytes) -> None:
        """Take in what came through the pipe; a last line may be cut."""
        for line in lines.split(b"\n")[:-1]:
            said = json.loads(line)
            self.edited = max(self.edited, said.get("edited", 0))
            self.saved = said.get("saved", self.saved)
            self.computed = said.get("computed", self.computed)
            self.seed = said.get("seed", self.seed)
            self.kept = said.get("kept", self.kept)


def look(ground: Ground, promises: Promises) -> list[str]:
    """Return the keys that must be there; raise AssertionError unless all that was promised is."""
    at_hand = [_state_number(folder) for folder in _workspaces(ground)]
    held = _held_in_workspaces(ground)
    if ground.project.exists():
        assert validate(ground.project) == [], validate(ground.project)
        with ProjectFile.open(ground.project) as file:
            in_file = int(parse_recipe(file.recipe).title)
            held |= {key: _seed(file.provenance(key)) for key in file.entries}
        at_hand.append(in_file)
        assert in_file >= (promises.saved or 0), f"{in_file} is older than {promises.saved}"
    else:
        assert promises.saved is None, "the saved project is gone"
    assert max(at_hand, default=0) >= promises.edited, f"{at_hand} lack edit {promises.edited}"
    # What was computed later takes the place of what was promised, told or not.
    newer = max(held.values(), default=0) > promises.seed
    wanted = promises.computed[:-1] if newer else promises.computed
    lost = [key for key in wanted if key not in held]
    assert not lost, f"lost results: {lost}"
    return wanted


def look_by_restoring(ground: Ground, promises: Promises) -> None:
    """Restore as a window would, and raise AssertionError unless all is there and can be saved."""
    wanted = look(ground, promises)
    session = ground.session()
    try:
        number = resume(ground, session)
        assert number >= promises.edited, f"restored {number}, promised {promises.edited}"
        for key in wanted:
            if key in session._storage.workspace:
                session._storage.workspace.verify(key)
            else:
                assert session._storage.holds(key), f"{key} was not restored"
        if number:
            rescued = ground.folder / "rescued.coterie.h5"
            session.project.save(rescued).result()
            session.wait(60)
            assert validate(rescued) == []
            session.project.save(ground.project).result()
            session.wait(60)
    finally:
        session.close()
    strays = [path.name for path in ground.folder.glob(".*.saving")]
    assert not strays, f"left behind: {strays}"


def _workspaces(ground: Ground) -> list[Path]:
    return [path for path in ground.root.glob("workspace-*") if (path / "session.json").exists()]


def _state_number(folder: Path) -> int:
    return int(read_state(folder)["title"] or 0)


def _held_in_workspaces(ground: Ground) -> dict[str, int]:
    """Return the seed of every result in a workspace, by its key."""
    found: dict[str, int] = {}
    for folder in _workspaces(ground):
        workspace = Workspace(folder)
        for key in workspace.keys():  # noqa: SIM118 - a method of its own
            workspace.verify(key)  # what is there is whole
            found[key] = _seed(workspace.record(key)["provenance"])
    return found


def _seed(provenance: Mapping[str, Any]) -> int:
    return int(provenance.get("seed", 0))
