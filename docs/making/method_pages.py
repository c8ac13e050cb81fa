"""The methods reference, written from the catalogue: one page for each kind, and a list of all."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.descriptors import Catalogue, Descriptor

HERE = Path(__file__).resolve().parent
PICTURES = "pictures"
LIMITS = {"exclusiveMinimum": "> ", "minimum": "≥ ", "exclusiveMaximum": "< ", "maximum": "≤ "}
TYPES = {"number": "number", "integer": "whole number", "boolean": "true or false", "array": "list"}
TYPES |= {"string": "text", "object": "table"}


def pages(catalogue: Catalogue, pictures: set[str]) -> dict[str, str]:
    """Return the text of each page by its file name; `pictures` holds the names that there are."""
    when = tomllib.loads((HERE / "when.toml").read_text(encoding="utf-8"))
    made = {"README.md": _list(catalogue)}
    for kind in KINDS.values():
        methods = sorted(catalogue.of_kind(kind.name), key=lambda method: method.id)
        parts = [f"# {kind.title}\n\n{kind.about} Written by `./dev docs`.\n"]
        told = when[kind.name]
        parts += [_section(method, told.get(method.id, ""), pictures) for method in methods]
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
            lines.append(f"| {link} | {_cell(method.title)} | {_cell(method.summary)} |")
    return "\n".join(lines) + "\n"


def _section(method: Descriptor, when: str, pictures: set[str]) -> str:
    said = [f"## {method.id}", "", f"**{method.title}.** {escape(method.summary)}", ""]
    more = method.description.removeprefix(method.summary).strip()
    if more:
        said += [escape(more), ""]
    if when:
        said += [f"*When to use it.* {when}", ""]
    picture = f"{method.kind}-{method.id}.svg"
    if picture in pictures:
        said += [f"![{method.title} on a sample]({PICTURES}/{picture})", ""]
    needs = ", ".join(method.needs) or "nothing"
    said += [f"`{method.name}` · works on {needs} · gives {method.gives}"]
    if method.extensions:
        said += [f"· files {', '.join(f'`{ending}`' for ending in method.extensions)}"]
    said += [""]
    properties: dict[str, Any] = method.params.get("properties", {})
    if properties:
        said += ["| parameter | default | allowed | meaning |", "|---|---|---|---|"]
        said += [_row(method, name, schema) for name, schema in properties.items()]
        said += [""]
    else:
        said += ["It has no parameters.", ""]
    if method.reference:
        said += [f"Reference: {escape(method.reference)}", ""]
    return "\n".join(said)


def _row(method: Descriptor, name: str, schema: dict[str, Any]) -> str:
    default = method.defaults.get(name)
    shown = "" if default is None else f"`{json.dumps(default, ensure_ascii=False)}`"
    meaning = _cell(str(schema.get("description", "")))
    return f"| `{name}` | {_cell(shown)} | {_cell(allowed(schema))} | {meaning} |"


def allowed(schema: dict[str, Any]) -> str:
    """Return in words what a parameter takes.

    >>> allowed({"type": "number", "exclusiveMinimum": 0, "maximum": 1})
    'number > 0, ≤ 1'
    """
    if "enum" in schema:
        return ", ".join(f"`{choice}`" for choice in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "anyOf" in schema:
        return " or ".join(filter(None, map(allowed, schema["anyOf"])))
    kind = TYPES.get(schema.get("type", ""), "" if schema.get("type") == "null" else "any")
    limits = ", ".join(f"{sign}{schema[word]}" for word, sign in LIMITS.items() if word in schema)
    unit = f"[{schema['unit']}]" if "unit" in schema else ""
    return " ".join(filter(None, [kind, limits, unit]))


def escape(text: str) -> str:
    """Keep what mathematics writes from being read as Markdown."""
    outside = text.split("`")
    outside[::2] = [
        part.replace("*", "\\*").replace("<", "&lt;").replace("_", "\\_") for part in outside[::2]
    ]
    return "`".join(outside)


def _cell(text: str) -> str:
    return escape(text).replace("|", "\\|").replace("\n", " ")


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
