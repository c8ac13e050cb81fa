"""A project file that another program changed while it is open here: noticed, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.store.state import ProjectState


def differences(here: ProjectState, there: ProjectState) -> list[str]:
    """Return what a person would notice: how the project in the file differs from the one here."""
    found = []
    if here.recipe.title != there.recipe.title:
        found.append(f"The title is “{there.recipe.title}” in the file.")
    mine, theirs = _parts(here.recipe), _parts(there.recipe)
    found += [f"“{name}” is only in the file." for name in theirs if name not in mine]
    found += [f"“{name}” is only here." for name in mine if name not in theirs]
    for name in mine:
        if name not in theirs:
            continue
        if mine[name] != theirs[name]:
            found.append(f"“{name}” has other settings in the file.")
        elif _key(here, name) != _key(there, name):
            found.append(f"“{name}” has {_which(here, there, name)}.")
    return found or ["Steps, settings and results are the same."]


def _parts(recipe: Recipe) -> dict[str, Source | Step]:
    parts: Iterable[Source | Step] = (*recipe.sources, *recipe.steps)
    return dict(_named(parts))


def _named(parts: Iterable[Source | Step]) -> Iterator[tuple[str, Source | Step]]:
    for part in parts:
        yield part.name, part


def _key(kept: ProjectState, name: str) -> str:
    computed = kept.computed.get(name)
    return "" if computed is None else computed.key


def _which(here: ProjectState, there: ProjectState, name: str) -> str:
    if not _key(there, name):
        return "a result only here"
    return "another result in the file" if _key(here, name) else "a result only in the file"
