"""What is stored of a session: in its project file, and in its workspace for crash recovery."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.errors import ProjectFileError, RecipeError, WorkspaceError
from coterie.core.io import clock
from coterie.core.model.recipes import Recipe, Source
from coterie.projects.recipe.keys import Computed
from coterie.projects.recipe.toml import (
    parse_recipe,
    paths_outside,
    with_absolute_paths,
    with_relative_paths,
    write_recipe,
)
from coterie.projects.store.left_out import LeftOut

if TYPE_CHECKING:
    from coterie.projects.store.hdf5.content import Content
    from coterie.projects.store.opened_file import Opened


def keys_of_step(step: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of a step's result and of its parts."""
    yield step["key"]
    yield from step.get("parts", {}).values()


@dataclass(frozen=True)
class ProjectState:
    """A project without its arrays.

    Attributes
    ----------
    recipe : with absolute paths
    computed : what each step was computed to
    path : the project file; None for a project that was never saved
    unconfirmed : paths that a project file asks to read outside its folder
    left_out : the steps whose results are not stored, and computed again when they are needed
    """

    recipe: Recipe = field(default_factory=Recipe)
    computed: Mapping[str, Computed] = field(default_factory=dict)
    path: Path | None = None
    created: str = field(default_factory=clock.timestamp)
    view: Mapping[str, Any] = field(default_factory=dict)
    modified: bool = False
    unconfirmed: frozenset[str] = frozenset()
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What the project is called: by its recipe, or by its file."""
        return self.recipe.title or (self.path.name.split(".")[0] if self.path else "Untitled")

    @property
    def steps(self) -> dict[str, Any]:
        """The results as they stand in a project file."""
        return {name: computed.as_json() for name, computed in self.computed.items()}

    @classmethod
    def from_file(cls, opened: Opened) -> ProjectState:
        """Take over what a project file holds; it cannot ask to read where it likes."""
        path = opened.path.absolute()
        try:
            recipe = with_absolute_paths(parse_recipe(opened.recipe), path.parent)
        except RecipeError as error:
            raise ProjectFileError(
                f"'{path.name}' cannot be opened. {error}", code="file-damaged"
            ) from error
        return cls(
            recipe=recipe,
            computed={name: Computed.from_json(value) for name, value in opened.steps.items()},
            path=path,
            created=opened.header.created,
            view=opened.view,
            unconfirmed=frozenset(paths_outside(recipe, path.parent)),
            left_out=dict(opened.left_out),
        )

    def with_files(self, places: Mapping[str, Path]) -> ProjectState:
        """Return it with sources that read their files elsewhere, which may be done unasked."""
        if not places:
            return self
        recipe, before = self.recipe, set()
        for name, place in places.items():
            part = recipe.find(name)
            before.add(part.open if isinstance(part, Source) else "")
            recipe = recipe.changed(name, open=str(place))
        return replace(self, recipe=recipe, modified=True, unconfirmed=self.unconfirmed - before)

    def for_file(self, target: Path) -> Content:
        """Return the content of a project file at `target`; paths become relative to it."""
        from coterie.projects.store.hdf5.content import Content

        return Content(
            title=self.title,
            created=self.created,
            recipe=write_recipe(with_relative_paths(self.recipe, target.parent)),
            steps=self.steps,
            view=dict(self.view),
            keys=tuple(key for one in self.left_out.values() for key in one.parts.values()),
            left_out={name: one.as_json() for name, one in self.left_out.items()},
        )

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> ProjectState:
        """Build it again from `for_state`."""
        try:
            return cls(
                recipe=parse_recipe(state["recipe"]),
                computed={n: Computed.from_json(value) for n, value in state["steps"].items()},
                path=Path(state["path"]) if state["path"] else None,
                created=state["created"],
                view=state["view"],
                modified=True,
                unconfirmed=frozenset(state["unconfirmed"]),
                left_out={n: LeftOut.from_json(o) for n, o in state.get("left_out", {}).items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise WorkspaceError(
                f"This work cannot be restored: {error!r} is wrong.", code="file-damaged"
            ) from error

    def for_state(self) -> dict[str, Any]:
        """Return it as JSON for the workspace."""
        return {
            "title": self.title,
            "path": str(self.path) if self.path else "",
            "created": self.created,
            "recipe": write_recipe(self.recipe),
            "steps": self.steps,
            "view": dict(self.view),
            "modified": self.modified,
            "unconfirmed": sorted(self.unconfirmed),
            "left_out": {name: one.as_json() for name, one in self.left_out.items()},
        }
