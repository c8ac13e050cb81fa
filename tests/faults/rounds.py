"""Kills windows and engines at random moments, round after round, and looks at what is left.

Run as a program: python -m tests.faults.rounds --rounds N [--seconds S] [--seed X]; `./dev faults`
does so. A round is one kill. Rounds go on from what the one before left, so that whatever is lost
is missed in the end; it stops at the first loss, and keeps the folder. It prints a tally.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

from coterie.projects.store.hdf5.validation import validate
from coterie.projects.store.recovery import orphans
from tests.faults import everywhere, work
from tests.faults.killing import forked, load_all_modules
from tests.faults.work import Ground, Promises

# Of a hundred rounds so many are of this kind; the costly ones are few.
SHARES = {"session": 92, "engine": 6, "window": 2}
# A session restores, edits, computes and saves within some 0.3 s.
LONGEST_LIFE = {"session": 0.5, "window": 8.0}


class Rounds:
    """A ground that is fought over, and what was promised on it so far."""

    def __init__(self, folder: Path, rng: random.Random, life: float) -> None:
        self.folder = folder
        self.life = life
        self.rng = rng
        self.tally: Counter[str] = Counter()
        self._begin()

    def _begin(self) -> None:
        self.ground = Ground(self.folder / f"ground-{self.tally['grounds']}")
        self.ground.prepare()
        self.promises = Promises()
        self.tally["grounds"] += 1

    def session(self) -> None:
        """Kill a session with its engine inside, in the midst of running and saving."""
        seed = self.rng.randrange(1 << 30)
        life = self.rng.random() * self.life
        victim = partial(work.work_for_ever, self.ground, seed, engine="inprocess")
        code, said = forked(lambda pipe: victim(promises=pipe), kill_after=life)
        if code != -signal.SIGKILL:
            raise AssertionError(f"the session ended by itself ({code}): {said.decode()}")
        self.promises.hear(said)
        self.tally["promises"] += said.count(b"\n")
        self._look()

    def engine(self) -> None:
        """Kill the engine's process while it works; the session goes on with another one."""
        seed, wait = self.rng.randrange(1 << 30), self.rng.random() * 2
        code, said = forked(partial(lose_an_engine, self.folder / "engine", seed, wait))
        if code:
            raise AssertionError(said.decode())

    def window(self) -> None:
        """Kill the real window, without a screen, and restore what it had."""
        home = self.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        names = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
        private = dict.fromkeys(names, str(home)) | {"QT_QPA_PLATFORM": "offscreen"}
        window = subprocess.Popen(
            [sys.executable, "-m", "coterie.gui", "--sample", "arcs"],
            env=os.environ | private,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(self.rng.random() * LONGEST_LIFE["window"])
        if window.poll() is not None:
            raise AssertionError(f"the window ended by itself ({window.returncode})")
        window.kill()
        window.wait()
        code, said = forked(partial(restore_a_window, home))
        if code:
            raise AssertionError(said.decode())
        self.tally["windows with work to restore"] += int(said)

    def _look(self) -> None:
        """Look after every kill; now and then restore, save, and begin on fresh ground."""
        thorough = self.rng.random() < 0.1

        def look(_pipe: int) -> None:
            (work.look_by_restoring if thorough else work.look)(self.ground, self.promises)

        code, said = forked(look)
        if code:
            raise AssertionError(said.decode())
        self.tally["looked at by restoring and saving"] += thorough
        if thorough:
            shutil.rmtree(self.ground.folder)
            self._begin()


def lose_an_engine(folder: Path, seed: int, wait: float, _pipe: int) -> None:
    """Kill an engine at some moment of its start or work; the step can be run all the same."""
    shutil.rmtree(folder, ignore_errors=True)
    ground = Ground(folder)
    ground.prepare()
    session = ground.session("process")
    session.start()
    session.project.load_recipe(ground.recipe(seed % 1000))
    session.run()
    session.wait(wait)
    engine = session.scheduler._engine
    pid = getattr(engine, "pid", None)
    if pid is not None:
        os.kill(pid, signal.SIGKILL)
    session.wait(120)
    session.run()
    session.wait(120)
    failures = [str(session.failure(name)) for name in work.STEPS if session.failure(name)]
    assert not failures, failures
    session.project.save(ground.project).result()
    session.wait(60)
    halves = list((session._storage.folder / "artefacts").glob("writing-*"))
    assert not halves, halves
    session.close()
    work.look(ground, Promises())


def restore_a_window(home: Path, pipe: int) -> None:
    """Restore what a dead window left; tell whether there was anything."""
    found = list((home / "coterie" / "workspaces").glob("workspace-*"))
    ground = Ground(home)
    if found:
        ground.root = found[0].parent
    work_left = orphans(ground.root) if found else []
    if work_left:
        session = ground.session()
        session.project.recover(work_left[0].folder)
        session.wait(60)
        assert session.recipe.sources, "the recipe is gone"
        session.project.save(home / "rescued.coterie.h5").result()
        session.wait(60)
        session.close()
        assert validate(home / "rescued.coterie.h5") == []
    os.write(pipe, str(len(work_left)).encode())


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill windows and engines at random moments.")
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument(
        "--life",
        type=float,
        default=LONGEST_LIFE["session"],
        help="the most seconds until a session is killed",
    )
    parser.add_argument("--only", choices=list(SHARES), help="only rounds of this kind")
    asked = parser.parse_args()
    seed = random.randrange(1 << 30) if asked.seed is None else asked.seed
    load_all_modules()
    folder = Path(tempfile.mkdtemp(prefix="coterie-faults-"))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        os.environ[name] = str(folder / "private")
    rounds = Rounds(folder, random.Random(seed), asked.life)
    began = time.monotonic()
    print(f"seed {seed}", flush=True)
    kinds, shares = list(SHARES), list(SHARES.values())
    if asked.only:
        kinds, shares = [asked.only], [1]
    done: Counter[str] = Counter()
    try:
        for _ in range(asked.rounds):
            if time.monotonic() - began > asked.seconds:
                break
            (kind,) = rounds.rng.choices(kinds, shares)
            getattr(rounds, kind)()
            done[kind] += 1
            if sum(done.values()) % 50 == 0:
                print(f"{sum(done.values())} kills, nothing lost", flush=True)
        (folder / "everywhere").mkdir()
        scenes = () if asked.only else everywhere.SCENES
        for name, (_, tried) in everywhere.run(
            scenes, folder / "everywhere", None if asked.rounds >= 1000 else 4
        ).items():
            done[f"{name}, before one file operation"] = tried
    except (AssertionError, SystemExit) as loss:
        print(f"LOST after {sum(done.values())} kills: {loss}\nKept: {folder}", flush=True)
        sys.exit(1)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{sum(done.values())} kills in {time.monotonic() - began:.0f} s, nothing lost:")
    for kind, count in done.items():
        print(f"  {count:6d}  {kind}")
    for what, count in rounds.tally.items():
        print(f"  {count:6d}  ({what})")


if __name__ == "__main__":
    main()
