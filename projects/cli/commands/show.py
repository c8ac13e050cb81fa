"""`coterie show`: one artefact out of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.core.errors import DataError
from coterie.projects.cli.output_files import require_other_file
from coterie.projects.cli.whole_project import SHORTEST_KEY, project_for

if TYPE_CHECKING:
    from coterie.projects.store.hdf5.reading import ProjectFile


def show(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Project file.")],
    name: Annotated[
        str, typer.Argument(metavar="KEY|NAME", help="Step name, or the start of a key.")
    ],
    part: Annotated[
        str, typer.Option(metavar="PART", help="An additional output, such as trace.")
    ] = "",
    as_csv: Annotated[
        str, typer.Option("--csv", metavar="OUT", help="Write a CSV table; - for standard output.")
    ] = "",
    as_npy: Annotated[
        str, typer.Option("--npy", metavar="OUT", help="Write its main array as a NumPy file.")
    ] = "",
) -> None:
    """Print a result of a project, or write it to a file."""
    for output in (as_csv, as_npy):
        if output not in ("", "-"):
            require_other_file(Path(output), file)
    with project_for(file, name, context.obj) as project:
        key = find_key(project, name, part)
        noun = load(project, key)
        groups = _groups_behind(project, key, noun)
    if as_csv:
        from coterie.core.formats.files.tables import table_of
        from coterie.projects.cli.tables import save_csv

        save_csv(table_of(noun), as_csv)
    if as_npy:
        _save_npy(noun, as_npy)
    if not as_csv and not as_npy:
        _print(noun, groups)


def find_key(project: ProjectFile, name: str, part: str = "") -> str:
    """Return the key of a step's artefact, of its part, or the one key that begins like `name`."""
    steps = project.steps
    if name not in steps and not part and name.rpartition(".")[0] in steps:
        name, _, part = name.rpartition(".")  # as `info` lists them
    if name in steps:
        parts: dict[str, str] = steps[name].get("parts", {})
        if not part:
            return str(steps[name]["key"])
        if part in parts:
            return parts[part]
        has = f"It has {', '.join(parts)}." if parts else "It has none."
        raise DataError(f"'{name}' has no part '{part}'. {has}", code="unknown-result")
    if len(name) >= SHORTEST_KEY:
        keys = [key for key in project.entries if key.startswith(name.lower())]
        if len(keys) == 1:
            return keys[0]
        if keys:
            raise DataError(
                f"{len(keys)} keys start with '{name}'. Give more characters.",
                code="unknown-result",
            )
    known = ", ".join(steps) or "nothing"
    raise DataError(
        f"'{project.path.name}' has no result '{name}'. It has {known}.", code="unknown-result"
    )


def load(project: ProjectFile, key: str) -> Any:
    """Return an artefact together with the dataset it is about."""
    from coterie.core.model.encoding import decode

    artefact = project.read(key)
    dataset = artefact.dataset
    about = load(project, dataset) if dataset is not None and dataset in project.entries else None
    return decode(artefact.encoded, about)


def _groups_behind(project: ProjectFile, key: str, noun: Any) -> Any:
    """Return the groups that were ranked each on its own, if that is what the artefact is."""
    from coterie.core.model.results import Clustering, Ranking

    if not isinstance(noun, Ranking) or noun.scope != "within-cluster":
        return None
    for given in project.provenance(key).get("inputs", ()):
        if given in project.entries and isinstance(groups := load(project, given), Clustering):
            return groups if groups.n == len(noun.scores) else None
    return None


def _save_npy(noun: Any, target: str) -> None:
    import numpy as np

    from coterie.projects.cli.tables import numbers_of

    numbers = numbers_of(noun)
    with Path(target).open("wb") as stream:
        np.save(stream, numbers, allow_pickle=False)


def _print(noun: Any, groups: Any = None) -> None:
    from coterie.projects.cli.console import print_table
    from coterie.projects.cli.preview_tables import by_group, overview_of
    from coterie.projects.formatting import summary_in_words

    typer.echo(f"{noun.title or noun.encoding_type.capitalize()}: {summary_in_words(noun)}")
    for note in noun.notes:
        typer.echo(f"  {note}")
    overview = overview_of(noun) if groups is None else by_group(noun, groups)
    if len(overview):
        typer.echo("")
        print_table(overview)
