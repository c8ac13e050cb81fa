"""Opens hostile files in a process that may take little memory and has little time for each.

Run as a program: python -m tests.hostile.capped FOLDER SEED COUNT. It makes COUNT projects that are
wrong somewhere, uses each as a window would, and prints one line of JSON: how many were refused,
how many read, and how many were told by `validate`. Anything but a sentence ends it with an error.
"""

from __future__ import annotations

import json
import random
import resource
import signal
import sys
from pathlib import Path
from types import FrameType

from coterie.core.engine.options import EngineOptions
from coterie.core.errors import CoterieError
from coterie.projects.report.contents import contents
from coterie.projects.report.html import page
from coterie.projects.report.snapshot import take
from coterie.projects.session import Session
from coterie.projects.store.hdf5.validation import validate
from tests.hostile.mutants import mutate, whole_project

# Projects as earlier versions wrote them.
RELEASED = sorted((Path(__file__).parents[1] / "archives").glob("*.coterie.h5"))
MOST_MEGABYTES = 600
MOST_SECONDS = 20


def cap(megabytes: int) -> None:
    """Let this process take only so much more memory than it has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError("it does not end")


def limit_time(seconds: int) -> None:
    """Raise after so much work, or ten times as much waiting on a busy machine; 0: not any more."""
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(10 * seconds)


def use(session: Session, path: Path) -> None:
    """Open a project, look at everything in it, and make its report."""
    opening = session.project.open_file(path, lock=False)
    session.wait(MOST_SECONDS)
    opening.result()
    page(contents(take(session, session.fetch)), session.project.title)


def main() -> None:
    folder, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    whole = whole_project(folder / "whole.coterie.h5")
    released = [file.read_bytes() for file in RELEASED]
    path = folder / "mutant.coterie.h5"
    options = EngineOptions(plugin_folders=(), memory=1 << 28, workers=1)
    session = Session(engine="inprocess", options=options, root=folder)
    tally = {"refused": 0, "read": 0, "told": 0}
    use(session, folder / "whole.coterie.h5")
    cap(MOST_MEGABYTES)
    for number in range(seed, seed + count):
        path.unlink(missing_ok=True)  # the session still has the last one open
        rng = random.Random(number)
        path.write_bytes(rng.choice((whole, whole, *released)))
        what = mutate(path, rng)
        limit_time(MOST_SECONDS)
        try:
            tally["told"] += bool(validate(path))
            use(session, path)
            tally["read"] += 1
        except CoterieError as error:
            tally["refused"] += 1
            if "\n" in str(error):
                raise SystemExit(f"{number} ({what}): more than a sentence: {error}") from error
        except BaseException:
            print(f"mutant {number}: {what}", file=sys.stderr)
            raise
        finally:
            limit_time(0)
    session.close()
    print(json.dumps(tally))


if __name__ == "__main__":
    main()
