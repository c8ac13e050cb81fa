"""Writes the map of rooms and modules into docs/architecture.md, from the code as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

BEGIN, END = "<!-- map: written by ./dev docs -->", "<!-- end of the map -->"
PACKAGES = ("core", "plugins", "projects", "gui")
HIDDEN = ("__init__", "__main__")


def write(docs: Path) -> Path:
    """Bring the map up to date, and return the page that it is on."""
    page = docs / "architecture.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(with_map(text, docs.parent), encoding="utf-8")
    return page


def with_map(text: str, root: Path) -> str:
    """Return the page with the map of the code at `root` in its place."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = "\n".join(rooms(root))
    return f"{before}{BEGIN}\n\n| room | is for | modules |\n|---|---|---|\n{lines}\n\n{END}{after}"


def rooms(root: Path) -> Iterator[str]:
    """One line for each folder of code: what it is for, in its own words, and its modules.

    A kind of method has a module each, which the methods reference lists.
    """
    for package in PACKAGES:
        for folder in sorted((root / package).rglob("__init__.py")):
            place = folder.parent.relative_to(root)
            names = sorted(p.stem for p in folder.parent.glob("*.py") if p.stem not in HIDDEN)
            listed = " ".join(f"`{name}`" for name in names)
            if package == "plugins" and names:
                listed = f"{len(names)} methods"
            yield f"| `{place.as_posix()}/` | {headline(folder)} | {listed or '–'} |"


def headline(module: Path) -> str:
    """Return the first line of a module's docstring."""
    said = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0].replace("|", "\\|").replace("``", "`")
