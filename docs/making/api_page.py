"""The plugin API, name by name, written from the docstrings of `coterie.core`."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie import core
from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.method_page import escape
from coterie.core.model.result_types import RESULT_TYPES

FILE = "plugin-api.md"
INTRODUCTION = """\
# The plugin API, name by name

Everything that `from coterie.core import …` gives. [plugins.md](plugins.md) is the guide: what each
is for, what is guaranteed, and what may change. Written by `./dev docs` from the docstrings.
"""
SECTIONS = {
    "Kinds of methods": ("Component", *(kind.base.__name__ for kind in KINDS.values())),
    "What methods take and give": (
        *(kept.noun.__name__ for kept in RESULT_TYPES.values()),
        "Column",
    ),
    "While a method runs": ("Context", "Curve", "Glimpse"),
    "Beside the result": ("Output", "Cost"),
    "Samples and recipes": ("Sample", "RecipeTemplate", "Step"),
    "Errors": ("CoterieError", "DataError", "ParameterError", "Cancelled"),
}
# What is not a class of ours says nothing that could be read off it.
OTHERS = {
    "Field": "pydantic's: `name: type = Field(default, description=…)` declares a parameter.",
    "hookimpl": "Marks a function of a module, such as `coterie_kernels`, as a hook.",
    "Array": "Type of any numpy array.",
    "Floats": "Type of an array of floating-point numbers.",
    "Ints": "Type of an array of whole numbers.",
}
# What every noun has.
COMMON = {
    "title": "what people call it",
    "dataset": "the items it is about; filled in when left out",
    "notes": "remarks for a person, shown with it",
    "details": "anything else worth keeping, as JSON",
}
TOOLS = (
    *("formats.files", "formats.rasters"),
    *("numerics.features", "numerics.similarity", "numerics.spectral", "numerics.walks"),
    *("numerics.dynamics", "numerics.mixtures", "numerics.partitions"),
    *("numerics.density", "numerics.drawing"),
)
ABOUT_TOOLS = """\
## Tools

What the built-in methods use: `from coterie.core.numerics.similarity.distances import …`. They are
open to every plugin, with docstrings of their own, but are not part of the promise in
[plugins.md](plugins.md#versions): a minor version may change them, and the changelog says so under
*Plugins*. Besides, `coterie.core.api.ranking_scope` helps rankers with their scope,
`coterie.core.testing` is the kit of [checks](plugins.md#checks), and
`coterie.core.api.partial_affinity.evenly_drawn` chooses the items of a glimpse.
"""


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION]
    for title, names in SECTIONS.items():
        parts.append(f"## {title}\n")
        parts += ["\n".join(_class(name)) for name in names]
    parts.append("## Other names\n\n| name | is |\n|---|---|")
    parts[-1] += "".join(f"\n| `{name}` | {text} |" for name, text in OTHERS.items()) + "\n"
    parts.append(ABOUT_TOOLS)
    parts += ["\n".join(_package(name)) for name in TOOLS]
    return "\n".join(parts)


def write(docs: Path) -> Path:
    """Write the page into the folder of the documentation."""
    file = docs / FILE
    file.write_text(page(), encoding="utf-8")
    return file


def _class(name: str) -> Iterator[str]:
    made = getattr(core, name)
    text, listed = _parts(inspect.getdoc(made) or "")
    yield f"### {name}\n"
    yield f"{escape(text)}\n"
    rows = [(names, escape(words)) for names, words in listed.items()]
    known = {one.strip() for names in listed for one in names.split(",")}
    rows += [(field, COMMON[field]) for field in _fields(made) if field not in known]
    if rows:
        yield "| attribute | is |\n|---|---|"
        yield from (f"| {_code(names)} | {_cell(words)} |" for names, words in rows)
        yield ""
    calls = list(_calls(made))
    if calls:
        yield "| call | does |\n|---|---|"
        yield from (f"| `{call}` | {_cell(escape(does))} |" for call, does in calls)
        yield ""


def _parts(doc: str) -> tuple[str, dict[str, str]]:
    """The words of a docstring, and what its lists of attributes and parameters say."""
    doc = re.split(r"\nExamples\n-+\n", doc)[0]
    pieces = re.split(r"\n(?:Attributes|Class attributes|Parameters)\n-+\n", doc)
    listed: dict[str, str] = {}
    text = pieces[0]
    for piece in pieces[1:]:
        entries, _, after = piece.partition("\n\n")
        text = f"{text.strip()}\n\n{after}" if after.strip() else text
        for entry in re.split(r"\n(?=\S)", entries):
            names, _, words = entry.partition(" : ")
            listed[names.strip()] = " ".join(words.split())
    return text.strip(), listed


def _fields(made: Any) -> list[str]:
    """All fields of a noun. What its docstring does not list must be what every noun has."""
    if not dataclasses.is_dataclass(made):
        return []
    return [field.name for field in dataclasses.fields(made)]


def _calls(made: Any) -> Iterator[tuple[str, str]]:
    """Methods and properties that the class defines, those with a name of their own first."""
    for name, value in vars(made).items():
        if name.startswith("_") or isinstance(value, type):
            continue
        doc = inspect.getdoc(value.fget if isinstance(value, property) else value) or ""
        first = " ".join(doc.split("\n\n")[0].split())
        if isinstance(value, property):
            yield name, first
        elif isinstance(value, classmethod | staticmethod) or inspect.isfunction(value):
            yield f"{name}({_arguments(getattr(made, name))})", first


def _arguments(function: Any) -> str:
    shown = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "args", "kwargs"):
            continue
        optional = parameter.default is not inspect.Parameter.empty
        shown.append(f"{parameter.name}=…" if optional else parameter.name)
    return ", ".join(shown)


def _package(name: str) -> Iterator[str]:
    package = importlib.import_module(f"coterie.core.{name}")
    yield f"### coterie.core.{name}\n"
    yield f"{escape(_first_line(package))}\n"
    yield "| module | holds |\n|---|---|"
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        yield f"| `{info.name}` | {_cell(escape(_first_line(module)))} |"
    yield ""


def _first_line(module: Any) -> str:
    return (module.__doc__ or "").split("\n", 1)[0]


def _code(names: str) -> str:
    return ", ".join(f"`{name.strip()}`" for name in names.split(","))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
