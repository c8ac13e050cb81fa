"""What is in a project file, without its arrays: the stable form of `coterie info --json`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import CoterieError, RecipeError
from coterie.core.model.recipes import Recipe, Step
from coterie.core.wording import size_in_words
from coterie.projects.recipe.keys import Computed, implied_keys
from coterie.projects.recipe.toml import parse_recipe, with_absolute_paths
from coterie.projects.store.hdf5 import layout
from coterie.projects.store.hdf5.reading import ProjectFile

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions
    from coterie.projects.store.hdf5.entries import ArtefactEntry
    from coterie.projects.store.left_out import LeftOut


def project_contents(path: Path, options: EngineOptions) -> dict[str, Any]:
    """Return the artefacts of a project by section, in the order of its recipe."""
    with ProjectFile.open(path) as project:
        recipe = _recipe(project)
        stale = _staleness(project, recipe, options)
        found: dict[str, Any] = {
            "title": recipe.title or project.header.title,
            "data": [],
            "graphs": [],
            "results": [],
            "writer": project.header.writer,
            "written": project.header.modified,
            "size": size_in_words(path.stat().st_size),
            "steps": [_step_json(step) for step in recipe.steps],
        }
        for name, key in _named(project, recipe):
            entry = project.entries.get(key)
            if entry is not None:
                section = entry.path.split("/")[1]
                found[section].append(_entry_json(name, entry, stale.get(name.split(".")[0])))
        for name, one in project.left_out.items():
            found[layout.section(one.type)].append(_left_out_json(name, one, stale.get(name)))
    return found


def _recipe(project: ProjectFile) -> Recipe:
    """The recipe, empty when it cannot be read: the artefacts can be listed all the same."""
    try:
        return with_absolute_paths(parse_recipe(project.recipe), project.path.absolute().parent)
    except RecipeError:
        return Recipe()


def _named(project: ProjectFile, recipe: Recipe) -> list[tuple[str, str]]:
    """Every artefact's key with its name: of steps, of their parts, and of what was pinned."""
    steps = project.steps
    in_order = [*(name for name in recipe.names if name in steps)]
    in_order += [name for name in steps if name not in in_order]
    named = []
    for name in in_order:
        named.append((name, steps[name]["key"]))
        parts = steps[name].get("parts", {})
        named += [(f"{name}.{part}", key) for part, key in parts.items()]
    for name, one in project.left_out.items():
        named += [(f"{name}.{part}", key) for part, key in one.parts.items()]
    known = {key for _, key in named}
    return named + [
        (entry.title, key) for key, entry in project.entries.items() if key not in known
    ]


def _staleness(
    project: ProjectFile, recipe: Recipe, options: EngineOptions
) -> dict[str, bool | None]:
    """Whether each step would be recomputed; None when a plugin is missing."""
    from coterie.projects.cli.session_runner import read_catalogue

    try:
        catalogue = read_catalogue(options)
    except CoterieError:
        catalogue = Catalogue()
    computed = {name: Computed.from_json(step) for name, step in project.steps.items()}
    computed |= {name: Computed(one.key) for name, one in project.left_out.items()}
    implied = implied_keys(recipe, catalogue, computed)

    def is_stale(name: str) -> bool | None:
        if name not in recipe.names:
            return True
        used = [recipe.find(above) for above in recipe.ancestors([name])]
        if any(isinstance(part, Step) and part.use not in catalogue for part in used):
            return None
        return implied.get(name) != computed[name].key

    return {name: is_stale(name) for name in computed}


def _entry_json(name: str, entry: ArtefactEntry, stale: bool | None) -> dict[str, Any]:
    return {
        "name": name,
        "key": entry.key,
        "type": entry.type,
        "shape": list(entry.shape),
        "stale": stale,
        "value": entry.value,
        "kind": entry.kind,
        "title": entry.title,
        "stored": True,
    }


def _left_out_json(name: str, one: LeftOut, stale: bool | None) -> dict[str, Any]:
    return {
        "name": name,
        "key": one.key,
        "type": one.type,
        "shape": list(one.shape),
        "stale": stale,
        "value": None,
        "kind": "",
        "title": "",
        "stored": False,
        "seconds": one.seconds,
    }


def _step_json(step: Step) -> dict[str, Any]:
    return {"name": step.name, "use": step.use, "of": list(step.of), "params": dict(step.params)}
