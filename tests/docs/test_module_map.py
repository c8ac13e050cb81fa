"""The map of rooms in docs/architecture.md is that of the code; rooms and modules stay small."""

from __future__ import annotations

import re
import statistics
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.append(str(DOCS / "making"))  # scripts of the documentation, no package

import module_map  # noqa: E402

MOST_MODULES = 25
MOST_LINES = 400
USUAL_LINES = 120  # the median


def test_the_map_is_up_to_date() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert text == module_map.with_map(text, DOCS.parent), "Run ./dev docs."


def test_what_the_page_names_is_there() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:core|plugins|projects|gui|docs|bench|tests)/[\w./]*)`", text)
    at = DOCS.parent
    lost = {n for n in named if not (at / n).exists() and not (at / f"{n}.py").exists()}
    assert lost == set()


def test_every_room_says_what_it_is_for() -> None:
    silent = [line for line in module_map.rooms(DOCS.parent) if line.split("|")[2].strip() == ""]
    assert silent == []


def test_no_room_is_crowded() -> None:
    for package in ("core", "projects", "gui"):
        for folder in (DOCS.parent / package).rglob("__init__.py"):
            assert len(list(folder.parent.glob("*.py"))) <= MOST_MODULES, folder.parent


def test_modules_are_short() -> None:
    packages = ("core", "plugins", "projects", "gui", "docs", "bench", "packaging")
    lines = {
        file: len(file.read_text(encoding="utf-8").splitlines())
        for package in packages
        for file in (DOCS.parent / package).rglob("*.py")
        if file.name != "__init__.py"
    }
    long = {str(file.relative_to(DOCS.parent)): n for file, n in lines.items() if n > MOST_LINES}
    assert long == {}
    assert statistics.median(lines.values()) <= USUAL_LINES
