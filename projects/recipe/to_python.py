"""A project as a Python script that computes it again: what "Copy as Python" copies."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from typing import Any

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.version import VERSION

_INDENT = "    "


def as_script(recipe: Recipe) -> str:
    """Return a script that runs the recipe and prints what came of each step.

    It drives a session as the window does, so the same methods run with the same settings
    and seeds, and the results have the same keys.
    """
    steps = recipe.in_order()
    off = recipe.switched_off()
    title = recipe.title or "An analysis"
    lines = [
        f'"""{_in_docstring(title)}. Written by Coterie {VERSION}."""',
        "",
        "from coterie.core.model.recipes import Recipe, Source, Step",
        "from coterie.projects.session import Session",
        "",
        "recipe = Recipe(",
        f"{_INDENT}title={recipe.title!r},",
        f"{_INDENT}sources=(",
        *(f"{_INDENT * 2}{_source(source)}," for source in recipe.sources),
        f"{_INDENT}),",
        f"{_INDENT}steps=(",
        *(f"{_INDENT * 2}{_step(step)}," for step in recipe.steps),
        f"{_INDENT}),",
        ")",
        "",
        "",
        "def main() -> None:",
        f'{_INDENT}"""Run all steps and print their status."""',
        f"{_INDENT}session = Session()",
        f"{_INDENT}session.start()",
        f"{_INDENT}try:",
        *(f"{_INDENT * 2}{line}" for line in _work(steps, off)),
        f"{_INDENT}finally:",
        f"{_INDENT * 2}session.close()",
        "",
        "",
        'if __name__ == "__main__":  # the engine is a separate process',
        f"{_INDENT}main()",
        "",
    ]
    return "\n".join(lines)


def _work(steps: tuple[Step, ...], off: Mapping[str, str]) -> list[str]:
    lines = [
        "session.project.load_recipe(recipe)",
        "session.run()",
        "session.wait()",
        "for step in recipe.steps:",
        f"{_INDENT}failure = session.failure(step.name)",
        f"{_INDENT}print(step.name, failure.message if failure else session.status(step.name))",
    ]
    groups = [step for step in steps if step.use.startswith("clusterer/") and step.name not in off]
    scores = [step for step in steps if step.use.startswith("metric/") and step.name not in off]
    if groups:
        name = _variable(groups[-1].name)
        lines += [
            f"{name} = session.fetch({groups[-1].name!r})",
            f"if {name} is not None:",
            f"{_INDENT}print({name}.labels)",
        ]
    for step in scores:
        name = _variable(step.name)
        lines += [
            f"{name} = session.fetch({step.name!r})",
            f"if {name} is not None:",
            f"{_INDENT}print({step.name!r}, {name}.value)",
        ]
    return lines


def _source(source: Source) -> str:
    given = [repr(source.name), repr(source.open)]
    if source.reader or source.params:
        given.append(repr(source.reader))
    if source.params:
        given.append(_params(source.params))
    return f"Source({', '.join(given)})"


def _step(step: Step) -> str:
    of = f"({', '.join(map(repr, step.of))}{',' if len(step.of) == 1 else ''})"
    given = [repr(step.name), repr(step.use), of]
    if step.params:
        given.append(_params(step.params))
    if step.seed:
        given.append(f"seed={step.seed}")
    if step.disabled:
        given.append("disabled=True")
    return f"Step({', '.join(given)})"


def _params(params: Mapping[str, Any]) -> str:
    return repr(_plain(params))


def _plain(value: Any) -> Any:
    """The value built of Python's own types alone, whose `repr` reads back."""
    match value:
        case Mapping():
            return {str(name): _plain(entry) for name, entry in value.items()}
        case list() | tuple():
            return [_plain(entry) for entry in value]
    return value


def _variable(name: str) -> str:
    """A name for Python that cannot hide another of the script."""
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    taken = {"session", "recipe", "step", "failure", "main", "print", "Recipe", "Source", "Step"}
    if not word.isidentifier() or keyword.iskeyword(word) or word in taken:
        word = f"the_{word}"
    return word


def _in_docstring(text: str) -> str:
    """A title that cannot end the docstring it stands in."""
    text = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return text.replace("\\", "/").replace('"', "'")
