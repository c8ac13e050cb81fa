"""A project as a Python script that computes it again: what "Copy as Python" copies."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from typing import Any

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.version import VERSION

_INDENT = "    "
# Parameters of these names are given in `params`: the methods of `coterie.Recipe` have them.
_TAKEN = {"self", "open", "name", "reader", "params", "use", "of", "seed", "disabled"}


def as_script(recipe: Recipe) -> str:
    """Return a script that runs the recipe and prints what came of each step.

    It uses `coterie.Recipe`, so the same methods run with the same settings and seeds, and the
    results have the same keys as in the window.
    """
    title = recipe.title or "An analysis"
    off = recipe.switched_off()
    lines = [
        f'"""{_in_docstring(title)}. Written by Coterie {VERSION}."""',
        "",
        "import coterie",
        "",
        f"recipe = coterie.Recipe({recipe.title!r})",
        *(f"recipe.data({_source(source)})" for source in recipe.sources),
        *(f"recipe.add({_step(step)})" for step in _in_order(recipe)),
        "",
        'if __name__ == "__main__":',
        f"{_INDENT}project = recipe.run()",
        f"{_INDENT}for name in project:",
        f'{_INDENT * 2}print(name, project[name], sep=": ")',
    ]
    groups = [
        step
        for step in recipe.in_order()
        if step.use.startswith("clusterer/") and step.name not in off
    ]
    if groups:
        lines.append(f"{_INDENT}print(project[{groups[-1].name!r}].labels)")
    return "\n".join([*lines, ""])


def _in_order(recipe: Recipe) -> tuple[Step, ...]:
    """The steps as they are listed, if each comes after what it uses."""
    known = {source.name for source in recipe.sources}
    for step in recipe.steps:
        if not known.issuperset(step.of):
            return recipe.in_order()
        known.add(step.name)
    return recipe.steps


def _source(source: Source) -> str:
    given = [repr(source.open)]
    if source.name != "data":
        given.append(repr(source.name))
    if source.reader:
        given.append(f"reader={source.reader!r}")
    return ", ".join([*given, *_params(source.params)])


def _step(step: Step) -> str:
    of = repr(step.of[0]) if len(step.of) == 1 else repr(list(step.of))
    given = [repr(step.name), repr(step.use), of, *_params(step.params)]
    if step.seed:
        given.append(f"seed={step.seed}")
    if step.disabled:
        given.append("disabled=True")
    return ", ".join(given)


def _params(params: Mapping[str, Any]) -> list[str]:
    """Parameters as `k=3`, and those whose names are not Python's in a mapping."""
    plain = {name: _plain(value) for name, value in params.items()}
    named = [f"{name}={value!r}" for name, value in plain.items() if _is_argument(name)]
    rest = {name: value for name, value in plain.items() if not _is_argument(name)}
    return [*named, f"params={rest!r}"] if rest else named


def _is_argument(name: str) -> bool:
    word = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None
    return word and not keyword.iskeyword(name) and name not in _TAKEN


def _plain(value: Any) -> Any:
    """The value built of Python's own types alone, whose `repr` reads back."""
    match value:
        case Mapping():
            return {str(name): _plain(entry) for name, entry in value.items()}
        case list() | tuple():
            return [_plain(entry) for entry in value]
    return value


def _in_docstring(text: str) -> str:
    """A title that cannot end the docstring it stands in."""
    text = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return text.replace("\\", "/").replace('"', "'")
