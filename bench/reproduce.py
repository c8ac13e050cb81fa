"""Every experiment of the sources, run whole: rewrites the tables and figures of the pages.

    ./dev bench reproduce [SECTION ...] [--list] [--dry-run]

Each table stands in docs/reproductions.md or docs/cuts.md between two marks with its name, with
the date, the seconds it took and the versions it was made with. Without names all are made, the
short ones first; a table is written as soon as it is there. Data that does not come with Coterie
is read from the folder COTERIE_DATA, and its rows say "no file" without.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reproduction import cuts, euler, joint, lists, scenes, stability, teachers, widths

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = ("reproductions.md", "cuts.md")
SECTIONS: dict[str, Callable[[], str]] = {
    "shapes": lists.shapes,
    "languages": lists.languages,
    "countries": lists.countries,
    "compactness": joint.compactness,
    "known-classes": joint.known_classes,
    "few-labels": joint.few_labels,
    "multi-scale": cuts.multi_scale,
    "widths": widths.widths,
    "stability": stability.stability,
    "euler": euler.euler,
    "faces": lists.faces,
    "papers": lists.papers,
    "queries": joint.queries,
    "hitting": cuts.hitting,
    "digraphs": cuts.digraphs,
    "isocut": cuts.isocut,
    "landcover": scenes.landcover,
    "clouds": scenes.clouds,
    "teachers": teachers.teachers,
}


def main() -> None:
    """Make the sections named, or all, and write each into its page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION")
    parser.add_argument("--list", action="store_true", help="the names of the sections")
    parser.add_argument("--dry-run", action="store_true", help="print, and leave the pages alone")
    asked = parser.parse_args()
    if asked.list:
        print("\n".join(SECTIONS))
        return
    if unknown := set(asked.sections) - set(SECTIONS):
        sys.exit(
            f"There is no section {', '.join(sorted(unknown))}. Use one of {', '.join(SECTIONS)}."
        )
    for name in asked.sections or SECTIONS:
        began, used = time.time(), _used()
        text = SECTIONS[name]()
        seconds = _used() - used
        made = (
            f"*{time.strftime('%Y-%m-%d', time.gmtime(began))}, {_seconds(seconds)}, {_versions()}*"
        )
        print(f"{name}: {_seconds(seconds)}\n{text}\n", flush=True)
        if not asked.dry_run:
            write(name, f"{text}\n\n{made}")


def write(name: str, text: str) -> None:
    """Put a section between its marks, in the page that has them."""
    begin, end = f"<!-- reproduced: {name} -->\n", f"<!-- end of {name} -->\n"
    for page in PAGES:
        path = DOCS / page
        whole = path.read_text(encoding="utf-8")
        if begin in whole:
            before, _, rest = whole.partition(begin)
            _, _, after = rest.partition(end)
            path.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")
            return
    sys.exit(f"No page has the marks of '{name}'.")


def _used() -> float:
    """Processor seconds so far, with those of processes that have ended."""
    return sum(os.times()[:4])


def _seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def _versions() -> str:
    names = ("coterie", "numpy", "scipy", "scikit-learn")
    return f"Python {platform.python_version()}, " + ", ".join(f"{n} {version(n)}" for n in names)


if __name__ == "__main__":
    main()
