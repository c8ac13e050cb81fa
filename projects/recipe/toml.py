"""Recipes as TOML text: reading with clear errors, and writing."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.core import well_known
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.upgrade import FORMAT, check_format, upgrade

# Each edit looks at all steps. Nobody has written so many by hand.
MOST_STEPS = 1000
# A table in a table in a table …: the time that takes to be read grows with the square of it. Texts
# and remarks are passed over as TOML parts them. Nothing is ever given back or looked at twice.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]++|\\.)*+"?+|'[^'\n]*+'?+)"""
_NEXT = rf"[ \t]*+\.[ \t]*+{_PART}"
_PASSED_OVER = (
    r"#[^\n]*+",
    r""""{3}(?:[^"\\]++|\\[\s\S]|"(?!""))*+(?:"{3,5}+)?+""",
    r"""'{3}(?:[^']++|'(?!''))*+(?:'{3,5}+)?+""",
)
_KEYS = re.compile(
    "|".join((*_PASSED_OVER, f"(?P<deep>{_PART}(?:{_NEXT}){{100}})", f"{_PART}(?:{_NEXT})*+"))
)
# At least two letters before the colon: one would be a drive.
_PLUGIN_SAMPLE = re.compile(r"[a-z0-9][a-z0-9-]+:[a-z0-9]+(?:-[a-z0-9]+)*")
_SOURCE_FIELDS = {"name", "open", "reader", "params", "truth", "items", "mask"}
_STEP_FIELDS = {"name", "use", "of", "params", "seed", "disabled"}
# Named beside `open` in a recipe, because people look for them there; the readers' parameters.
_READER_PARAMS = ("truth", "items", "mask")


def read_recipe(path: Path) -> Recipe:
    """Read a recipe file; paths in it are taken relative to its folder."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RecipeError(
            f"'{path}' does not exist. Check the path.", code="file-not-found"
        ) from None
    except UnicodeDecodeError:
        raise RecipeError(
            f"'{path.name}' is not a text file, so it is not a recipe.", code="not-text"
        ) from None
    except OSError as error:
        raise RecipeError(
            f"The recipe '{path}' cannot be read: {error.strerror}.", code="file-access"
        ) from error
    try:
        return with_absolute_paths(parse_recipe(text), path.resolve().parent)
    except RecipeError as error:
        raise RecipeError(f"{path.name}: {error}", code=error.code) from None


def parse_recipe(text: str) -> Recipe:
    """Build a recipe from TOML text, or say in one sentence where it is wrong.

    One of an earlier format gets the values that its parameters had then.
    """
    try:
        if any(key["deep"] for key in _KEYS.finditer(text)):
            raise RecursionError
        values = tomllib.loads(text)
    except ValueError as error:  # of TOML, or of a number with thousands of digits
        raise RecipeError(
            f"The recipe is not valid TOML: {error!s:.200}.", code="invalid-recipe"
        ) from None
    except RecursionError:
        raise RecipeError(
            "The recipe is not valid: its lists are nested too deeply.", code="invalid-recipe"
        ) from None
    # First: what a newer format has beside is not a mistake of its writer.
    written = check_format(values.get("format"))
    _refuse_unknown(values, {"format", "title", "data", "step"}, "The recipe")
    sources = values.get("data", [])
    sources = [sources] if isinstance(sources, Mapping) else sources
    steps = values.get("step", [])
    if isinstance(steps, list) and len(steps) > MOST_STEPS:
        raise RecipeError(
            f"A recipe has at most {MOST_STEPS:,} steps. Got {len(steps):,}.", code="invalid-recipe"
        )
    recipe = Recipe(
        title=_text(values, "title", "The recipe"),
        sources=tuple(_source(entry) for entry in _tables(sources, "data")),
        steps=tuple(_step(entry) for entry in _tables(steps, "step")),
    )
    recipe.check()
    return upgrade(recipe, written)


def write_recipe(recipe: Recipe) -> str:
    """Return the recipe as TOML text that `parse_recipe` reads back to the same recipe."""
    import tomli_w

    values: dict[str, Any] = {"format": FORMAT}
    if recipe.title:
        values["title"] = recipe.title
    sources = [_source_table(source) for source in recipe.sources]
    if len(sources) == 1 and recipe.sources[0].name == "data":
        values["data"] = {key: value for key, value in sources[0].items() if key != "name"}
    elif sources:
        values["data"] = sources
    if recipe.steps:
        values["step"] = [_step_table(step) for step in recipe.steps]
    return tomli_w.dumps(values)


def with_absolute_paths(recipe: Recipe, folder: Path) -> Recipe:
    """Return the recipe with every relative path made absolute; sample names are left alone."""

    def absolute(source: Source) -> Source:
        if is_sample(source):
            return source
        return replace(source, open=os.path.normpath(folder / source.open))

    return replace(recipe, sources=tuple(absolute(source) for source in recipe.sources))


def with_relative_paths(recipe: Recipe, folder: Path) -> Recipe:
    """Return the recipe with paths relative to `folder`, so both can be moved together."""

    def relative(source: Source) -> Source:
        if is_sample(source):
            return source
        try:
            return replace(source, open=Path(os.path.relpath(source.open, folder)).as_posix())
        except ValueError:  # another drive
            return source

    return replace(recipe, sources=tuple(relative(source) for source in recipe.sources))


def paths_outside(recipe: Recipe, folder: Path) -> set[str]:
    """Return the absolute paths that a recipe would read and outside `folder`.

    A link in the folder counts as its target: it may have come with the project.
    """
    inside = folder.resolve()
    return {
        source.open
        for source in recipe.sources
        if not is_sample(source) and not Path(os.path.realpath(source.open)).is_relative_to(inside)
    }


def is_sample(source: Source) -> bool:
    """Return whether a source names a sample, built in or of a plugin, rather than a file."""
    from coterie.core.formats.samples import SAMPLES

    if source.reader == well_known.READER_SAMPLE:
        return True
    if source.reader:
        return source.reader == f"reader/{source.open}" and is_plugin_sample(source.open)
    return source.open in SAMPLES or is_plugin_sample(source.open)


def is_plugin_sample(name: str) -> bool:
    """Return whether a name has the form of a plugin's sample: "mylab:galaxies".

    >>> is_plugin_sample("mylab:galaxies"), is_plugin_sample("c:data"), is_plugin_sample("a/b:c")
    (True, False, False)
    """
    return _PLUGIN_SAMPLE.fullmatch(name) is not None


def _source(entry: Mapping[str, Any]) -> Source:
    where = f"[data] '{entry.get('name', 'data')}'"
    _refuse_unknown(entry, _SOURCE_FIELDS, where)
    params = _mapping(entry, "params", where)
    params |= {name: entry[name] for name in _READER_PARAMS if name in entry}
    opened = _text(entry, "open", where)
    if not opened:
        raise RecipeError(
            f'{where} has no file. Add open = "…" with a path or the name of a sample.',
            code="invalid-recipe",
        )
    if "\0" in opened:
        raise RecipeError(f"{where}: {opened!r:.80} is not a file name.", code="invalid-recipe")
    reader = _text(entry, "reader", where)
    if reader and "/" not in reader:
        reader = f"reader/{reader}"
    return Source(_text(entry, "name", where) or "data", opened, reader, params)


def _step(entry: Mapping[str, Any]) -> Step:
    where = f"Step '{entry.get('name', '?')}'"
    _refuse_unknown(entry, _STEP_FIELDS, where)
    use = _text(entry, "use", where)
    if use.count("/") != 1:
        raise RecipeError(
            f'{where} must use a method as "kind/id". Got {use!r}.', code="invalid-recipe"
        )
    of = entry.get("of", [])
    of = [of] if isinstance(of, str) else of
    if not isinstance(of, list) or not all(isinstance(name, str) for name in of):
        raise RecipeError(
            f"{where}: of must be a name or a list of names. Got {of!r}.", code="invalid-recipe"
        )
    seed = entry.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise RecipeError(
            f"{where}: seed must be a whole number, 0 or more. Got {seed!r}.", code="invalid-recipe"
        )
    name = _text(entry, "name", where)
    if not name:
        raise RecipeError(
            f'A step that uses {use} has no name. Add name = "…".', code="invalid-name"
        )
    disabled = entry.get("disabled", False)
    if not isinstance(disabled, bool):
        raise RecipeError(
            f"{where}: disabled must be true or false. Got {disabled!r}.", code="invalid-recipe"
        )
    return Step(name, use, tuple(of), _mapping(entry, "params", where), seed, disabled)


def _source_table(source: Source) -> dict[str, Any]:
    params = dict(source.params)
    table: dict[str, Any] = {"name": source.name, "open": source.open}
    if source.reader:
        table["reader"] = source.reader
    table |= {name: params.pop(name) for name in _READER_PARAMS if name in params}
    if params:
        table["params"] = _without_none(params)
    return table


def _step_table(step: Step) -> dict[str, Any]:
    table: dict[str, Any] = {"name": step.name, "use": step.use}
    if step.of:
        table["of"] = step.of[0] if len(step.of) == 1 else list(step.of)
    if step.params:
        table["params"] = _without_none(step.params)
    if step.seed:
        table["seed"] = step.seed
    if step.disabled:
        table["disabled"] = True
    return table


def _without_none(params: Mapping[str, Any]) -> dict[str, Any]:
    """TOML has no null; a parameter that is none is one that is left out."""
    return {name: value for name, value in params.items() if value is not None}


def _tables(value: Any, name: str) -> list[Mapping[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
        raise RecipeError(f"'{name}' must be written as [[{name}]] tables.", code="invalid-recipe")
    return value


def _text(values: Mapping[str, Any], name: str, where: str) -> str:
    value = values.get(name, "")
    if not isinstance(value, str):
        raise RecipeError(f"{where}: {name} must be text. Got {value!r}.", code="invalid-recipe")
    return value


def _mapping(values: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    value = values.get(name, {})
    if not isinstance(value, Mapping):
        raise RecipeError(
            f"{where}: {name} must be written as {{ name = value }}. Got {value!r}.",
            code="invalid-recipe",
        )
    return dict(value)


def _refuse_unknown(values: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(values) - known)
    if unknown:
        listed = ", ".join(sorted(known))
        raise RecipeError(
            f"{where} has an unknown entry '{unknown[0]}'. Allowed entries: {listed}.",
            code="invalid-recipe",
        )
