"""Eight hours of a window in some minutes: does anything pile up?

A script does what a person does, one action for each simulated minute: opens samples, a table and
its own project, runs and cancels, changes parameters, undoes, goes through the views, selects,
resizes, changes the look, saves, begins again. The clock of the program is put forward by a minute
each time; the waiting is left out.

Prints the memory that the window holds for itself (RssAnon), its open files, threads, widgets and
child processes every simulated hour. Limits: memory at the end 1.25 times what it was after the
second hour, by when every view was open once, and 16 MB; no more handles, threads or widgets than
then, some slack aside. Ends with an error when a limit is passed. `--hours` does fewer.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HOURS, WARM_HOURS = 8, 2
MOST_GROWTH, SLACK_MB = 1.25, 16.0
SLACK = {"files": 4, "threads": 2, "widgets": 60, "children": 1}
SAMPLES = ("three-gaussians", "arcs", "spirals", "iris")


@dataclass(frozen=True)
class Sample:
    """What the window holds at one moment."""

    hour: int
    memory: float
    files: int
    threads: int
    widgets: int
    children: int

    def __str__(self) -> str:
        return (
            f"{self.hour} h: {self.memory:.1f} MB, {self.files} files, {self.threads} threads, "
            f"{self.widgets} widgets, {self.children} child processes"
        )


class Script:
    """What a person does, over and over, in an order that a seed gives."""

    def __init__(self, folder: Path, seed: int) -> None:
        from tools.windows import open_window

        self.folder = folder
        self.rng = random.Random(seed)
        self.app, self.window, _ = open_window()
        self.actions: tuple[Callable[[], None], ...] = (
            self.open_sample,
            self.open_table,
            self.save,
            self.reopen,
            *[self.run] * 3,
            self.cancel,
            *[self.edit] * 3,
            self.undo,
            *[self.look] * 6,
            self.select,
            self.resize,
            self.dress,
        )
        self._samples = itertools.cycle(SAMPLES)
        self.table = folder / "table.csv"
        lines = [f"{i % 13},{(i * i) % 11},item {i}" for i in range(200)]
        self.table.write_text("x,y,name\n" + "\n".join(lines) + "\n", encoding="utf-8")
        self.done: dict[str, int] = {}

    def minute(self) -> None:
        """Do one thing, and wait until nothing is left to do."""
        action = self.rng.choice(self.actions)
        action()
        self.settle()
        self.done[action.__name__] = self.done.get(action.__name__, 0) + 1

    def settle(self, seconds: float = 120.0) -> None:
        """Turn the event loop until the session has nothing to do."""
        end = time.perf_counter() + seconds
        while self.session.busy:
            if time.perf_counter() > end:
                raise SystemExit("The session does not come to rest.")
            self.app.processEvents()
            time.sleep(0.002)
        for _ in range(5):
            self.app.processEvents()

    @property
    def session(self):  # type: ignore[no-untyped-def]
        """The window's session."""
        return self.window.documents.ensure_session()

    def open_sample(self) -> None:
        """Open the next sample and run it."""
        self.window.documents.open_now(next(self._samples))
        self.settle()
        self.session.run()

    def open_table(self) -> None:
        """Open a table as its reader would."""
        self.window.documents.open_now(str(self.table), self.table)
        self.settle()
        self.session.run()

    def save(self) -> None:
        """Save to one of a few files."""
        self.window.documents.save_to(self.folder / f"p{self.rng.randrange(3)}.coterie.h5")

    def reopen(self) -> None:
        """Open what was saved."""
        saved = sorted(self.folder.glob("*.coterie.h5"))
        if saved:
            path = self.rng.choice(saved)
            self.window.documents.open_now(str(path), path)

    def run(self) -> None:
        """Run all steps."""
        self.session.run()

    def cancel(self) -> None:
        """Run and think better of it."""
        self.session.run(reread=True)
        self.app.processEvents()
        self.session.cancel()

    def edit(self) -> None:
        """Give a step another seed, and run it."""
        steps = self.session.recipe.steps
        if steps:
            step = self.rng.choice(steps)
            recipe = self.session.recipe.changed(step.name, seed=self.rng.randrange(100))
            self.session.edits.replace(recipe, "change the seed")
            self.session.run(step.name)

    def undo(self) -> None:
        """Take the last edit back, and do it again."""
        if self.session.edits.can_undo:
            self.session.edits.undo()
            self.session.edits.redo()

    def look(self) -> None:
        """Bring another view to the front."""
        views = self.window.tabs.views
        if views:
            self.window.tabs.bring_forward(self.rng.choice(views).title)

    def select(self) -> None:
        """Select some items."""
        size = self.session.selection.n
        if size:
            self.session.selection.update(self.rng.sample(range(size), min(size, 5)))

    def resize(self) -> None:
        """Make the window larger or smaller."""
        self.window.resize(self.rng.randrange(900, 1600), self.rng.randrange(600, 1000))

    def dress(self) -> None:
        """Change between light and dark."""
        from coterie.gui.toolkit.styling import theme

        theme.apply(self.app, self.rng.choice(("light", "dark")))

    def sample(self, hour: int) -> Sample:
        """Look at the process."""
        from PySide6.QtCore import QCoreApplication, QEvent

        from coterie.core.io.platform.memory import give_back_memory

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()
        give_back_memory()  # as the window does every minute, of which this has too few
        return Sample(
            hour,
            _own_memory(),
            len(list(Path("/proc/self/fd").iterdir())),
            len(list(Path("/proc/self/task").iterdir())),
            len(self.app.allWidgets()),
            len(list(_children())),
        )


def _own_memory() -> float:
    """Return the MB that this process holds for itself, mapped files aside."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _children() -> Iterator[str]:
    for listing in Path("/proc/self/task").glob("*/children"):
        yield from listing.read_text(encoding="ascii").split()


def _complaints(samples: list[Sample]) -> list[str]:
    first = samples[min(WARM_HOURS, len(samples)) - 1]
    last, found = samples[-1], []
    if last.memory > MOST_GROWTH * first.memory + SLACK_MB:
        found.append(f"memory grew from {first.memory:.1f} to {last.memory:.1f} MB")
    for name, slack in SLACK.items():
        before, after = getattr(first, name), getattr(last, name)
        if after > before + slack:
            found.append(f"{name} grew from {before} to {after}")
    return found


def main() -> None:
    """Work for so many simulated hours, print what is held, and complain when it piles up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=HOURS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="one hour")
    asked = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as name:
        for kind in ("STATE", "CACHE", "CONFIG", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = f"{name}/{kind.lower()}"
        from tools.windows import close_window

        from coterie.core.io import clock

        put_forward = 0.0
        true_seconds = clock.seconds
        clock.seconds = lambda: true_seconds() + put_forward
        script = Script(Path(name), asked.seed)
        samples = []
        for hour in range(1, (1 if asked.quick else asked.hours) + 1):
            for _ in range(60):
                script.minute()
                put_forward += 60
            samples.append(script.sample(hour))
            print(samples[-1], flush=True)
        close_window(script.app, script.window)
        print(", ".join(f"{count} × {name}" for name, count in sorted(script.done.items())))
        found = _complaints(samples)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
