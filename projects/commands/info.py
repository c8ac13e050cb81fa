"""`coterie info`: what is in a project or data file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.core.errors import Cancelled, DataError, ProjectFileError
from coterie.core.recipes import Recipe, Source

if TYPE_CHECKING:
    from coterie.core.dataset import Dataset
    from coterie.core.engine.options import EngineOptions

SECTIONS = {"data": "Data", "graphs": "Graphs", "results": "Results"}
MOST_NAMED = 12


def info(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A project, or data.")],
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Say what is in a project or data file."""
    from coterie.projects.commands.contents import project_contents

    path = Path(file)
    if is_project(path, context.obj):
        found = project_contents(path, context.obj)
    else:
        found = data_contents(file, context.obj)
    if as_json:
        typer.echo(json.dumps(found, indent=2))
        return
    _print(found)


def is_project(path: Path, options: EngineOptions) -> bool:
    """Return whether a file is, or claims to be, a project rather than data."""
    import h5py

    from coterie.projects.commands.work import read_catalogue
    from coterie.projects.file.reading import ProjectFile

    if path.name.endswith(".coterie.h5"):
        return True
    if not path.is_file() or not os.access(path, os.R_OK) or not h5py.is_hdf5(path):
        return False
    try:
        ProjectFile.open(path).close()
    except ProjectFileError:  # data, if there is a reader for it; else let it say what it is not
        return read_catalogue(options).reader_for(path.name) is None
    return True


def data_contents(file: str, options: EngineOptions) -> dict[str, Any]:
    """Read a data file, or make a sample, through the engine and say what is in it."""
    from coterie.projects.commands.work import working
    from coterie.projects.recipe_files import is_sample

    source = Source(open=file)
    if not is_sample(source) or Path(file).exists():
        if not Path(file).exists():
            raise DataError(f"There is no file '{file}'. Check its name and place.")
        source = Source(open=str(Path(file).absolute()))
    with working(options) as work:
        session = work.session
        session.load_recipe(Recipe(sources=(source,)))
        session.run()
        work.finish()
        failure = session.failure(source.name)
        if failure is not None:
            raise DataError(failure.message)
        data = session.fetch(source.name)
        if data is None:
            raise Cancelled
        return _data_json(data, session.key(source.name) or "")


def _data_json(data: Dataset, key: str) -> dict[str, Any]:
    entry = {
        "name": "data",
        "key": key,
        "type": "dataset",
        "shape": [data.n, len(data.columns) if data.on_disk else data.d],
        "stale": False,
        "value": None,
        "kind": data.kind,
        "title": data.title,
        "columns": list(data.columns),
        "truth": data.truth_column,
        "classes": list(data.truth_names),
        "notes": list(data.notes),
    }
    return {"title": data.title, "data": [entry], "graphs": [], "results": []}


def _print(found: dict[str, Any]) -> None:
    from coterie.projects.commands.screen import print_rows, shown

    typer.echo(found["title"] or "Untitled")
    if "written" in found:
        typer.echo(f"{found['writer']}, {found['written'].replace('T', ' ')[:16]}, {found['size']}")
    for section, heading in SECTIONS.items():
        entries = found[section]
        if not entries:
            continue
        typer.echo(f"\n{heading}")
        rows = [
            [
                entry["name"],
                entry["kind"] or entry["type"],
                " × ".join(f"{extent:,}" for extent in entry["shape"]),
                shown(entry["value"]),
                "stale" if entry["stale"] else "",
                entry["key"][:12],
            ]
            for entry in entries
        ]
        print_rows(("name", "type", "shape", "value", "state", "key"), rows)
    for entry in found["data"]:
        _print_columns(entry)


def _print_columns(entry: dict[str, Any]) -> None:
    if "columns" not in entry:
        return
    typer.echo(f"\nColumns: {_some(entry['columns'])}")
    if entry["truth"]:
        typer.echo(f"Known classes, '{entry['truth']}': {_some(entry['classes'])}")
    for note in entry["notes"]:
        typer.echo(note)


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown} … {len(names)} in all" if len(names) > MOST_NAMED else shown
