"""`coterie.open`: a project file, its recipe and its results."""

from __future__ import annotations

import html
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from coterie.core.errors import DataError, ProjectFileError, RecipeError
from coterie.core.model.encoding import decode
from coterie.core.model.recipes import Recipe as PlainRecipe
from coterie.projects.jobs.job import Failure
from coterie.projects.recipe.toml import parse_recipe, with_absolute_paths
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.replay import apply_after, named_like, way_to
from coterie.results import Result
from coterie.scratch import ScratchFolder
from coterie.sessions import save_as, write_whole


class Project(Mapping[str, Result]):
    """The results of a project by the names of their steps, read when they are asked for.

    Attributes
    ----------
    path : of the project file
    title : what it is called
    recipe : as it is stored; `coterie.Recipe.of(project.recipe)` can be changed and run
    failures : of a run that went on after an error, why each step failed
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        failures: Mapping[str, Failure] | None = None,
        folder: ScratchFolder | None = None,
    ) -> None:
        self.path = Path(path).absolute()
        self.failures = dict(failures or {})
        self._folder = folder  # removed with this object
        self._results: dict[str, Result] = {}
        self._whole: Project | None = None
        self.refresh()

    def refresh(self) -> None:
        """Read the file again, as after it was changed in the window."""
        with ProjectFile.open(self.path) as file:
            self.title = file.header.title
            self.recipe: PlainRecipe = _recipe(file)
            self._steps = {name: dict(step) for name, step in file.steps.items()}
            self._left_out = tuple(file.left_out)
        self._results, self._whole = {}, None

    def __getitem__(self, name: str) -> Result:
        if name not in self._results:
            self._results[name] = self._read(name)
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        named = {*self._steps, *self._left_out}
        known = self.recipe.names
        return iter([n for n in known if n in named] + [n for n in self._steps if n not in known])

    def __len__(self) -> int:
        return len(self._steps) + len(self._left_out)

    def __contains__(self, name: object) -> bool:
        return name in self._steps or name in self._left_out

    def __repr__(self) -> str:
        return f"Project: {self.title} ({', '.join(self)})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(self._shown(name))}</td></tr>"
            for name in self
        )
        return f"<div><b>{html.escape(self.title)}</b><table>{rows}</table></div>"

    def _shown(self, name: str) -> str:
        if name in self._steps:
            return repr(self[name])
        return "not stored, computed again when it is asked for"

    def _read(self, name: str) -> Result:
        if name in self._left_out:
            whole = self._computed_again()
            if name not in whole._steps:
                raise ProjectFileError(
                    f"'{name}' is not stored in '{self.path.name}', and its method computes "
                    "something else by now. Run the recipe again.",
                    code="not-computed",
                )
            return whole[name]
        if name not in self._steps:
            known = ", ".join(self) or "nothing"
            raise _UnknownResultError(
                f"'{self.path.name}' has no result '{name}'. It has {known}.",
                code="unknown-result",
            )
        step = self._steps[name]
        with ProjectFile.open(self.path) as file:
            noun = _load(file, step["key"])
            parts = {
                part: _load(file, key)
                for part, key in step.get("parts", {}).items()
                if key in file.entries
            }
            about = file.provenance(step["key"])
        return Result(
            noun,
            parts,
            use=str(about.get("component", "")),
            params=about.get("params", {}),
            seed=int(about.get("seed", 0)),
            seconds=float(about.get("seconds", 0.0)),
            key=step["key"],
            apply=partial(self._apply, name),
        )

    def _computed_again(self) -> Project:
        """The project with all that its file does without, in a file of its own."""
        if self._whole is None:
            folder = ScratchFolder("whole")
            whole = folder.path / self.path.name
            write_whole(self.path, whole)
            self._whole = Project(whole, folder=folder)
        return self._whole

    def _apply(self, name: str, use: str, model: Any, data: Any) -> Any:
        """Apply a result to new rows of the data, or to another result on the way to it."""
        key = self._steps[name]["key"]
        with ProjectFile.open(self.path) as file:
            way = way_to(file, key)
            links = way.after(data.key if isinstance(data, Result) else "")
            steps = [(link.use, _load(file, link.model) if link.model else None) for link in links]
            fitted = _load(file, way.data)
        from_data = len(links) == len(way.links)
        found = apply_after(fitted, [*steps, (use, model)], data, from_data=from_data)
        return named_like(found, self[name].noun)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the project to a file, which it is from now on."""
        save_as(self.path, Path(path).absolute())
        self.path, self._folder = Path(path).absolute(), None
        self.refresh()

    def show(self, *, wait: bool = True) -> None:
        """Open the project in the window.

        With `wait`, this returns when the window is closed, and what was changed and saved there
        is what the project has then. Otherwise `refresh` reads it again.
        """
        command = [sys.executable, "-m", "coterie.projects.cli", str(self.path)]
        window = subprocess.Popen(command, env=os.environ.copy(), stderr=subprocess.PIPE, text=True)
        if not wait:
            return
        _, said = window.communicate()
        if window.returncode:
            raise ProjectFileError(
                (said or "").strip().splitlines()[-1] if said else "The window ended too early.",
                code="engine-start",
            )
        self.refresh()


class _UnknownResultError(DataError, KeyError):
    """A mapping raises KeyError for what it does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


def _recipe(file: ProjectFile) -> PlainRecipe:
    try:
        return with_absolute_paths(parse_recipe(file.recipe), file.path.absolute().parent)
    except RecipeError as error:
        raise ProjectFileError(
            f"'{file.path.name}' cannot be opened. {error}", code="file-damaged"
        ) from error


def _load(file: ProjectFile, key: str) -> Any:
    """An artefact together with the dataset it is about."""
    artefact = file.read(key)
    link = artefact.dataset
    about = _load(file, link) if link is not None and link in file.entries else None
    return decode(artefact.encoded, about)


def open(path: str | PathLike[str]) -> Project:
    """Open a project file; its results are read when they are asked for.

    Examples
    --------
    >>> import coterie
    >>> coterie.open("iris.coterie.h5")["groups"].to_pandas()   # doctest: +SKIP
    """
    place = Path(path)
    if not place.exists():
        raise ProjectFileError(f"There is no file '{path}'. Check the path.", code="file-not-found")
    return Project(place)
