"""How much later the frozen program can be used than the same program from its checkout.

Limit: 1.5 times. Both are started in turns, so what else the machine does meets both alike;
each once before it counts. The program is `build/bundle/dist/coterie/coterie`, as `./dev bundle`
makes it, or the path given. Needs a display, real or virtual; the machine's own settings and recent
files are left alone.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from start import usable_after
from tools.measuring import report

FROZEN = (
    Path(__file__).resolve().parent.parent / "build" / "bundle" / "dist" / "coterie" / "coterie"
)
TURNS = 7


def main() -> None:
    """Measure both in turns."""
    frozen = [sys.argv[1] if len(sys.argv) > 1 else str(FROZEN)]
    if not Path(frozen[0]).exists():
        sys.exit(f"There is no program at {frozen[0]}. Make one with ./dev bundle.")
    checkout = [sys.executable, "-m", "coterie.gui"]
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        taken: dict[str, list[float]] = {"frozen": [], "checkout": []}
        for turn in range(TURNS + 1):
            for name, command in (("frozen", frozen), ("checkout", checkout)):
                seconds = usable_after([], command)
                taken[name] += [seconds] if turn else []
    report("frozen program usable", taken["frozen"], "limit", 1.5)
    ratios = [a / b for a, b in zip(taken["frozen"], taken["checkout"], strict=True)]
    middle = statistics.median(taken["checkout"])
    report("frozen program usable", taken["frozen"], "from its checkout", middle)
    print(f"ratio of each turn: {', '.join(f'{one:.2f}' for one in ratios)}; limit 1.5")


if __name__ == "__main__":
    main()
