"""The methods reference, written from the catalogue: one page for each kind, and a list of all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.catalogue.method_page import cell, method_page

PICTURES = "pictures"


def pages(catalogue: Catalogue, pictures: set[str]) -> dict[str, str]:
    """Return the text of each page by its file name; `pictures` holds the names that there are."""
    made = {"README.md": _list(catalogue)}
    for kind in KINDS.values():
        methods = sorted(catalogue.of_kind(kind.name), key=lambda method: method.id)
        parts = [f"# {kind.title}\n\n{kind.about} Written by `./dev docs`.\n"]
        parts += [method_page(method, _picture(method, pictures)) for method in methods]
        made[f"{kind.folder}.md"] = "\n".join(parts)
    return made


def _list(catalogue: Catalogue) -> str:
    lines = [
        "# Methods",
        "",
        f"All {len(catalogue.methods)} built-in methods, from the same catalogue that the menus",
        "and `coterie methods` show. Written by `./dev docs`; plugins add more.",
    ]
    for kind in KINDS.values():
        lines += ["", f"## [{kind.title}]({kind.folder}.md)", "", kind.about, ""]
        lines += ["| method | | does |", "|---|---|---|"]
        for method in sorted(catalogue.of_kind(kind.name), key=lambda method: method.id):
            link = f"[`{method.id}`]({kind.folder}.md#{method.id})"
            lines.append(f"| {link} | {cell(method.title)} | {cell(method.summary)} |")
    return "\n".join(lines) + "\n"


def _picture(method: Descriptor, pictures: set[str]) -> str:
    name = f"{method.kind}-{method.id}.svg"
    return f"{PICTURES}/{name}" if name in pictures else ""


def write(catalogue: Catalogue, folder: Path) -> Iterator[Path]:
    """Write the pages into a folder; what is no longer a page goes."""
    pictures = {path.name for path in (folder / PICTURES).glob("*.svg")}
    made = pages(catalogue, pictures)
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        yield path
