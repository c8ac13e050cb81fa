"""A project with what its file does without, computed again for a command that reads it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from coterie.core.errors import ProjectFileError

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions
    from coterie.projects.store.hdf5.reading import ProjectFile

SHORTEST_KEY = 6  # characters that name a result by the beginning of its key


@contextmanager
def project_for(
    path: Path, name: str, options: EngineOptions, *, inputs: bool = False
) -> Iterator[ProjectFile]:
    """Open a project of which the result `name` is to be read, or with it what it was made of."""
    from coterie.projects.store.hdf5.reading import ProjectFile

    with ProjectFile.open(path) as project:
        lacking = _lacking(project, name, inputs=inputs)
        if not lacking:
            yield project
            return
    with tempfile.TemporaryDirectory(prefix="coterie-whole-") as folder:
        whole = Path(folder, path.name)
        _write(path, whole, lacking, options)
        with ProjectFile.open(whole) as project:
            yield project


def _lacking(project: ProjectFile, name: str, *, inputs: bool) -> list[str]:
    """The steps that are left out and needed, by their names."""
    keys = {one.key: step for step, one in project.left_out.items()}
    step, _, _ = name.rpartition(".")  # a part, as `info` lists them
    found = [one for one in dict.fromkeys((name, step)) if one in project.left_out]
    if not found and len(name) >= SHORTEST_KEY:
        found += [step for key, step in keys.items() if key.startswith(name.lower())]
    if inputs and name in project.steps:
        given = project.provenance(project.steps[name]["key"]).get("inputs", ())
        found += [keys[key] for key in given if key in keys]
    return found


def _write(path: Path, target: Path, names: list[str], options: EngineOptions) -> None:
    from coterie.projects.cli.session_runner import working

    with working(options) as work:
        session = work.session
        opening = session.project.open_file(path, lock=False)
        work.finish()
        opening.result()
        work.await_methods()
        session.run(*names)
        work.finish()
        for failure in filter(None, map(session.failure, session.recipe.ancestors(names))):
            raise ProjectFileError(
                f"'{failure.step}' is not stored in '{path.name}', and computing it again failed: "
                f"{failure.message}",
                code="not-computed",
            )
        session.project.keep = "all"
        saving = session.project.save(target)
        work.finish()
        saving.result()
