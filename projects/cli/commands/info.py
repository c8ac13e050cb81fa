"""`coterie info`: what is in a project or data file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.core import well_known
from coterie.core.errors import Cancelled, DataError, ProjectFileError
from coterie.core.model.recipes import Recipe, Source

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions
    from coterie.core.formats.files.tabular import TablePreview
    from coterie.core.model.dataset import Dataset
    from coterie.projects.cli.session_runner import Work

SECTIONS = {"data": "Data", "graphs": "Graphs", "results": "Results"}
MOST_NAMED = 12
MOST_COLUMNS = 40  # listed one by one


def info(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Project or data file; for .npz also FILE:ARRAY.")
    ],
    reader: Annotated[
        str,
        typer.Option(
            metavar="ID", help=f"Reader to use, such as raster or {well_known.READER_CSV}."
        ),
    ] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAM=VALUE", help="Set a parameter of the reader."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the contents of a project or data file.

    A file of several arrays is listed. One of them is named by FILE:ARRAY, or --set array=NAME.
    """
    from coterie.projects.cli.info_json import project_contents
    from coterie.projects.cli.set_option import parse_setting

    path = Path(file)
    if is_project(path, context.obj):
        found = project_contents(path, context.obj)
    else:
        use = reader if "/" in reader or not reader else f"reader/{reader}"
        params = dict(parse_setting(text) for text in setting or [])
        found = data_contents(file, context.obj, use, params)
    if as_json:
        typer.echo(json.dumps(found, indent=2))
        return
    _print(found)


def is_project(path: Path, options: EngineOptions) -> bool:
    """Return whether a file is, or claims to be, a project rather than data."""
    from coterie.projects.cli.session_runner import read_catalogue
    from coterie.projects.store.hdf5.reading import ProjectFile, is_hdf5

    if path.name.endswith(".coterie.h5"):
        return True
    if not path.is_file() or not os.access(path, os.R_OK) or not is_hdf5(path):
        return False
    try:
        ProjectFile.open(path).close()
    except ProjectFileError:  # data, if there is a reader for it; else let it say what it is not
        return read_catalogue(options).reader_for(path.name) is None
    return True


def data_contents(
    file: str, options: EngineOptions, reader: str = "", params: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Read a data file, or make a sample, through the engine and say what is in it."""
    from coterie.projects.cli.guess_input import looked_at
    from coterie.projects.cli.session_runner import working
    from coterie.projects.cli.set_option import as_declared

    source = _source(file, reader, dict(params or {}))
    with working(options) as work:
        session = work.session
        work.await_methods()
        usual = session.catalogue.reader_of(Path(source.open))
        use = source.reader or (usual.name if usual is not None else "")
        if use in session.catalogue:
            declared = session.catalogue.get(use).params
            source = replace(source, params=as_declared(source.params, declared))
        source, likely = looked_at(work, source)
        session.project.load_recipe(Recipe(sources=(source,)))
        session.run()
        work.finish()
        failure = session.failure(source.name)
        if failure is not None:
            if (arrays := _arrays(work, source)) is not None:
                return arrays
            raise DataError(failure.message, code="file-not-readable")
        data = session.fetch(source.name)
        if data is None:
            raise Cancelled
        found = _data_json(data, session.results.key(source.name) or "")
        if likely is not None:
            found["data"][0]["notes"].insert(0, likely.why)
        return found


def _source(file: str, reader: str, params: dict[str, Any]) -> Source:
    """The file, one array of it as FILE.npz:ARRAY, or a sample."""
    from coterie.projects.recipe.toml import is_sample

    path, colon, array = file.rpartition(".npz:")
    if colon and not Path(file).exists():
        file, params = f"{path}.npz", {**params, "array": array}
    if Path(file).exists():
        return Source(open=str(Path(file).absolute()), reader=reader, params=params)
    if not is_sample(Source(open=file)):
        raise DataError(f"'{file}' does not exist. Check the path.", code="file-not-found")
    return Source(open=file, reader=reader, params=params)


def _arrays(work: Work, source: Source) -> dict[str, Any] | None:
    """What a file holds of which one must be chosen, None when that was not the trouble."""
    session = work.session
    usual = session.catalogue.reader_for(source.open)
    use = source.reader or (usual.name if usual is not None else "")
    if not use:
        return None
    answers: list[TablePreview | str] = []
    session.questions.file_previewed.connect(lambda _, answer: answers.append(answer))
    session.questions.preview_file(Path(source.open), use, source.params)
    work.until(lambda: bool(answers))
    if isinstance(answers[0], str) or not answers[0].problem or not answers[0].choices:
        return None
    [parameter] = answers[0].choices
    arrays = [{"name": name, "size": size} for name, size in answers[0].rows]
    empty: dict[str, list[object]] = {section: [] for section in SECTIONS}
    title = Path(source.open).name
    return {"title": title, "parameter": parameter, "arrays": arrays, **empty}


def _data_json(data: Dataset, key: str) -> dict[str, Any]:
    from coterie.core.formats.columns.previews import about

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
    if data.table:
        entry["table"] = [asdict(about(column)) for column in data.table]
    if data.kind == "raster":
        entry["scene"] = _scene_json(data)
    return {"title": data.title, "data": [entry], "graphs": [], "results": []}


def _scene_json(data: Dataset) -> dict[str, Any]:
    from rasterio.crs import CRS

    from coterie.core.formats.rasters.scene import scene_of

    scene = scene_of(data)
    return {
        "height": scene.height,
        "width": scene.width,
        "crs": CRS.from_wkt(scene.crs).to_string() if scene.crs else "",
        "transform": list(scene.transform),
        "wavelengths": list(scene.wavelengths),
    }


# Whether it is out of date; that is not known without the plugin that made it.
STATES = {True: "stale", False: "", None: "no plugin"}


def _print(found: dict[str, Any]) -> None:
    from coterie.projects.cli.console import print_rows, shown

    typer.echo(found["title"] or "Untitled")
    if "written" in found:
        typer.echo(f"{found['writer']}, {found['written'].replace('T', ' ')[:16]}, {found['size']}")
    if "arrays" in found:
        typer.echo("\nArrays")
        print_rows(("name", "size"), [[entry["name"], entry["size"]] for entry in found["arrays"]])
        typer.echo(f"\nUse --set {found['parameter']}=NAME to inspect one of them.")
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
                STATES[entry["stale"]] if entry.get("stored", True) else "not stored",
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
    if "scene" in entry:
        _print_scene(entry["scene"], entry["columns"])
    elif entry.get("table"):
        _print_table(entry["table"])
    else:
        typer.echo(f"\nColumns: {_some(entry['columns'])}")
    if entry["truth"]:
        typer.echo(f"Known classes, '{entry['truth']}': {_some(entry['classes'])}")
    for note in entry["notes"]:
        typer.echo(note)


def _print_table(columns: list[dict[str, Any]]) -> None:
    from coterie.projects.cli.console import print_rows

    typer.echo("\nColumns")
    rows = [
        [
            column["name"],
            column["type"],
            column["role"],
            f"{column['range']} {column['unit']}".strip(),
            str(column["missing"] or ""),
        ]
        for column in columns[:MOST_COLUMNS]
    ]
    print_rows(("name", "type", "role", "values", "missing"), rows)
    if len(columns) > MOST_COLUMNS:
        typer.echo(f"… ({len(columns)} in total)")
    typer.echo("")


def _print_scene(scene: dict[str, Any], names: list[str]) -> None:
    waves = scene["wavelengths"]
    bands = [f"{n} ({w:g} nm)" if w else n for n, w in zip(names, waves, strict=True)]
    typer.echo(f"\nBands: {_some(bands)}")
    said = f"{scene['height']:,} × {scene['width']:,} pixels"
    if scene["crs"]:
        a, b, _, d, e, _ = scene["transform"]
        # The whole text of a system without a number would fill the screen.
        system = scene["crs"] if len(scene["crs"]) <= 40 else "a custom coordinate system"
        said = f"{said} of {hypot(a, d):g} × {hypot(b, e):g}, {system}"
    typer.echo(f"{said}.")


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown} … ({len(names)} in total)" if len(names) > MOST_NAMED else shown
