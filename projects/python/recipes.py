"""`coterie.Recipe`: an analysis of several steps, as the window and the command line know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Self

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model import recipes as model
from coterie.files import write
from coterie.inputs import as_dataset
from coterie.jobs import Cancels, EngineName, Job, ProgressCall
from coterie.project import Project
from coterie.projects.recipe.defaults import recipe_to_open
from coterie.projects.recipe.toml import parse_recipe, read_recipe, with_absolute_paths
from coterie.projects.recipe.toml import write_recipe as as_toml
from coterie.registry import all_methods
from coterie.scratch import ScratchFolder
from coterie.sessions import run_recipe


class Recipe:
    """Data and steps, each with a name; a step works on data or on earlier steps.

    Examples
    --------
    >>> recipe = Recipe("Three groups in iris")
    >>> recipe.data("iris")
    Recipe: Three groups in iris (data)
    >>> recipe.add("scaled", "transform/minmax", "data")
    Recipe: Three groups in iris (data, scaled)
    >>> recipe.add("groups", "clusterer/kmeans", "scaled", k=3)
    Recipe: Three groups in iris (data, scaled, groups)
    """

    def __init__(self, title: str = "") -> None:
        self.plain = model.Recipe(title=title)
        self._folder: ScratchFolder | None = None

    @classmethod
    def of(cls, plain: model.Recipe) -> Self:
        """Return a recipe as it is stored as one to edit and run."""
        made = cls(plain.title)
        made.plain = plain
        return made

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Self:
        """Return the recipe in a TOML file."""
        return cls.of(read_recipe(Path(path).absolute()))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return a recipe written as TOML."""
        return cls.of(with_absolute_paths(parse_recipe(text), Path.cwd()))

    @classmethod
    def default(cls, path: str | PathLike[str]) -> Self:
        """Return the recipe that the window begins with, for a sample's name or a data file."""
        return cls.of(recipe_to_open(str(path), all_methods().catalogue))

    @property
    def title(self) -> str:
        """What the analysis is called."""
        return self.plain.title

    @property
    def names(self) -> tuple[str, ...]:
        """The names of data and steps."""
        return self.plain.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __repr__(self) -> str:
        return f"Recipe: {self.title or 'untitled'} ({', '.join(self.names)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.plain == other.plain

    __hash__ = None  # type: ignore[assignment]

    def data(
        self,
        open: Any,
        name: str = "data",
        *,
        reader: str = "",
        params: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Self:
        """Add data: a sample's name, a path, or an array or data frame.

        Parameters
        ----------
        reader, params, **more : which reader reads the file, and its parameters
        """
        if not isinstance(open, str | PathLike):
            open, reader = self._written(open, name), well_known.READER_CSV
        source = model.Source(name, str(open), reader, {**(params or {}), **more})
        self._take(replace(self.plain, sources=(*self.plain.sources, source)))
        return self

    def add(
        self,
        name: str,
        use: str,
        of: str | Sequence[str] = "data",
        *,
        seed: int = 0,
        disabled: bool = False,
        params: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Self:
        """Add a step.

        Parameters
        ----------
        use : the method, as "kind/id"
        of : the names of what it works on, in the order of the method's inputs
        params, **more : parameters of the method
        """
        inputs = (of,) if isinstance(of, str) else tuple(of)
        given = {**(params or {}), **more}
        self._take(self.plain.with_step(model.Step(name, use, inputs, given, seed, disabled)))
        return self

    def change(self, name: str, **params: Any) -> Self:
        """Change parameters of a step or of data."""
        known = self.plain.find(name).params
        self._take(self.plain.changed(name, params={**known, **params}))
        return self

    def to_toml(self) -> str:
        """Return it as TOML, as `coterie run` takes it."""
        return as_toml(self.plain)

    def write(self, path: str | PathLike[str]) -> None:
        """Write it as a TOML file."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")

    def run(
        self,
        save: str | PathLike[str] | None = None,
        *,
        progress: ProgressCall | bool | None = None,
        cancel: Cancels | None = None,
        engine: EngineName = "inprocess",
        strict: bool = True,
    ) -> Project:
        """Compute all steps and return them as a project.

        Parameters
        ----------
        save : the project file to write; by default a temporary one, which `Project.save` keeps
        strict : raise when a step fails; otherwise `Project.failures` says which did, and why
        """
        if not self.plain.sources:
            raise DataError("The recipe has no data. Add some with .data(…).", code="empty-recipe")
        job = Job(progress=progress, cancel=cancel, engine=engine)
        made = () if self._folder is None else (self._folder.path,)
        ran = run_recipe(self.plain, job, save=save, strict=strict, attach_from=made)
        return Project(ran.path, failures=ran.failures, folder=ran.folder)

    def _take(self, recipe: model.Recipe) -> None:
        recipe.check()
        self.plain = recipe

    def _written(self, data: Any, name: str) -> str:
        """Data at hand as a file, which the project will hold: a recipe reads files."""
        if self._folder is None:
            self._folder = ScratchFolder("data")
        path = self._folder.path / f"{name}.csv"
        write(as_dataset(data), path)
        return str(path)
