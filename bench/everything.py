"""All benchmarks, one after the other, and what each said kept in build/bench/.

    ./dev bench everything [NAME ...] [--long] [--again]

Those that were run are not run again unless asked with `--again`, so it can be stopped and
continued. `--long` has those too that take from twenty minutes to hours. Data that do not come
with Coterie are read from the folder COTERIE_DATA; benchmarks that need a window have to be run
where there is a display, such as under `xvfb-run -a`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / "build" / "bench"
ITSELF = Path(__file__).stem
LONG = {"install", "learn_quality", "quality", "reproduce", "reproduce_landcover", "scale"}
LONG |= {"scene_widths", "parts", "soak_window", "mixed"}
# Threads that wait for each other would be counted as work.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
WITH_ONE_THREAD = {"cut_times", "cuts", "dominant", "hitting", "python_api", "transduction"}


def main() -> int:
    known = sorted(path.stem for path in HERE.glob("[!_]*.py") if path.stem != ITSELF)
    parser = argparse.ArgumentParser(prog="./dev bench everything", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all, unless named")
    parser.add_argument("--long", action="store_true", help="those that take longer too")
    parser.add_argument("--again", action="store_true", help="also what was run before")
    asked = parser.parse_args()
    unknown = sorted(set(asked.names) - set(known))
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}. There are: {', '.join(known)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    chosen = asked.names or [name for name in known if asked.long or name not in LONG]
    failed = [name for name in chosen if not run(name, again=asked.again)]
    if failed:
        print(f"Ended with an error, or beyond a limit: {', '.join(failed)}.")
    return bool(failed)


def run(name: str, *, again: bool) -> bool:
    """Run a benchmark unless its answer is there; return whether it ended well."""
    answer = KEPT / f"{name}.txt"
    print(f"── {name} {'─' * (75 - len(name))}", flush=True)
    if answer.exists() and not again:
        print(answer.read_text(encoding="utf-8"), end="")
        return True
    began = time.monotonic()
    lines = [f"{time.strftime('%Y-%m-%d %H:%M')}, load {os.getloadavg()[0]:.1f}\n"]
    variables = os.environ | (ONE_THREAD if name in WITH_ONE_THREAD else {})
    command = [sys.executable, str(HERE / f"{name}.py")]
    with subprocess.Popen(command, env=variables, text=True, stdout=subprocess.PIPE) as running:
        for line in running.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    lines.append(f"{time.monotonic() - began:.0f} s, exit {running.returncode}\n")
    if running.returncode == 0:
        answer.write_text("".join(lines), encoding="utf-8")
    else:
        (KEPT / f"{name}.failed.txt").write_text("".join(lines), encoding="utf-8")
    return running.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
