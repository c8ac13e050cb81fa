"""Five hundred jobs in a row, with cancels and dead engines in between: does anything pile up?

Prints the memory that the window's side and the engine hold for themselves at 10%, 50% and 100%
of the jobs, the open files, threads and child processes at the same moments, and what is left on
disk at the end. The limit for memory at the end is 1.25 times what it was at 10%; the engine is
compared at the same number of jobs after its last start, as each new one begins small. Ends with
an error when a limit is passed or anything is left behind. `--quick` does 40 jobs.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coterie.core.engine.options import EngineOptions
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.session import Session

JOBS, QUICK_JOBS = 500, 40
CANCEL_EVERY, SAVE_EVERY = 7, 10
# Never shortly before memory is looked at: a new engine has loaded next to nothing yet.
KILL_EVERY, KILL_AT = 25, 13
MOST_GROWTH, SLACK_MB = 1.25, 8.0


@dataclass(frozen=True)
class Sample:
    """What both processes hold at one moment."""

    jobs: int
    ours: float
    engines: float
    files: int
    threads: int
    children: int

    def __str__(self) -> str:
        return (
            f"{self.jobs:4d} jobs: window's side {self.ours:.1f} MB, engine {self.engines:.1f} MB, "
            f"{self.files} files, {self.threads} threads, {self.children} child processes"
        )


class Soak:
    """A session that is given one job after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
        self.session = Session(options=options, root=folder)
        self.finished = self.cancelled = self.killed = 0
        self.session.start()
        similarity = Step("similarity", "kernel/gaussian", ("data",), {"sigma": 0.3})
        groups = Step("groups", "clusterer/dominant-sets", ("similarity",), {"k": 2})
        self.session.project.load_recipe(
            Recipe("Soak", (Source(open="arcs"),), (similarity, groups))
        )
        self.session.run()
        self.session.wait(120)
        self.session.project.save(folder / "soak.coterie.h5")  # what saving needs is loaded now
        self.session.wait(120)

    @property
    def engine(self) -> Any:
        """The engine that works."""
        return self.session.scheduler._engine

    def job(self, number: int) -> None:
        """Run one step with a seed of its own; some are cancelled, some lose their engine."""
        session = self.session
        session.edits.replace(session.recipe.changed("groups", seed=number), "change the seed")
        cancel, kill = number % CANCEL_EVERY == 0, number % KILL_EVERY == KILL_AT
        if cancel or kill:
            session.scheduler.set_speed(50)  # long enough to be met at work
        session.run("groups")
        if cancel or kill:
            _until(lambda: session.running is not None and session.running.done > 0, session)
            if kill and self.engine.pid is not None:
                os.kill(self.engine.pid, signal.SIGKILL)
            else:
                session.cancel()
            session.scheduler.set_speed(0)
        session.wait(120)
        self._count(session.jobs[-1].state, kill=kill)
        if number % SAVE_EVERY == 0:
            session.project.save(self.folder / "soak.coterie.h5")
            session.wait(120)

    def _count(self, state: str, *, kill: bool) -> None:
        if kill:
            self.killed += 1
        elif state == "cancelled":
            self.cancelled += 1
        elif state == "finished":
            self.finished += 1
        else:
            raise SystemExit(f"A job ended as '{state}': {self.session.jobs[-1].message}")

    def sample(self, jobs: int) -> Sample:
        """Look at both processes."""
        pid = self.engine.pid
        return Sample(
            jobs,
            _own_memory("self"),
            _own_memory(str(pid)) if pid else 0.0,
            len(list(Path("/proc/self/fd").iterdir())),
            len(list(Path("/proc/self/task").iterdir())),
            len(_children()),
        )


def _until(is_so: Any, session: Session, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not is_so() and session.busy and time.monotonic() < deadline:
        session.wait(0.01)


def _own_memory(pid: str) -> float:
    """Return the MB that a process holds for itself, mapped files aside."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _children() -> list[str]:
    found = []
    for listing in Path("/proc/self/task").glob("*/children"):
        found += listing.read_text().split()
    return found


def _complaints(samples: list[Sample], folder: Path) -> list[str]:
    first, last = samples[0], samples[-1]
    found = []
    for name in ("ours", "engines"):
        before, after = getattr(first, name), getattr(last, name)
        if after > MOST_GROWTH * before + SLACK_MB:
            found.append(f"memory of {name} grew from {before:.1f} to {after:.1f} MB")
    if last.files > first.files + 2 or last.threads > first.threads + 2:
        found.append("files or threads pile up")
    if children := _children():
        found.append(f"child processes are left: {children}")
    left = [path.name for path in folder.rglob("*") if path.name != "soak.coterie.h5"]
    left = [name for name in left if not name.endswith(".bak")]
    if left:
        found.append(f"left on disk: {left[:5]}")
    return found


def main() -> None:
    """Do the jobs, print what was held, and complain when it piles up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_JOBS} jobs")
    parser.add_argument("--jobs", type=int, default=JOBS)
    asked = parser.parse_args()
    jobs = QUICK_JOBS if asked.quick else asked.jobs
    with tempfile.TemporaryDirectory() as name:
        soak = Soak(Path(name))
        samples = []
        for number in range(1, jobs + 1):
            soak.job(number)
            if number in (jobs // 10, jobs // 2, jobs):
                soak.session.wait(5)
                samples.append(soak.sample(number))
                print(samples[-1], flush=True)
        strays = [p.name for p in (soak.session._storage.folder / "artefacts").iterdir()]
        strays = [name for name in strays if name.startswith(("writing-", "removing-"))]
        soak.session.close()
        print(
            f"{soak.finished} finished, {soak.cancelled} cancelled, "
            f"{soak.killed} lost their engine; {len(strays)} half-written results left"
        )
        found = _complaints(samples, Path(name)) + strays
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
