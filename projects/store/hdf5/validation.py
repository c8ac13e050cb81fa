"""Finds all that is wrong with a project file, by reading every part of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from coterie.core.errors import CoterieError, ProjectFileError
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import decode
from coterie.core.model.result_types import RESULT_TYPES
from coterie.projects.recipe.toml import parse_recipe
from coterie.projects.store.hdf5 import layout
from coterie.projects.store.hdf5.entries import ArtefactEntry
from coterie.projects.store.hdf5.provenance import unsound
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.refusals import DamagedFileError, UnsafeFileError


@dataclass(frozen=True)
class FileProblem:
    """Something wrong: where in the file, and what."""

    where: str
    problem: str

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}"


def validate(path: str | os.PathLike[str]) -> list[FileProblem]:
    """Return everything that is wrong with the project file at `path`; nothing when it is whole.

    A file that is unsafe, or of another kind, is not read any further: there is one finding then.
    """
    try:
        file = ProjectFile.open(path)
    except ProjectFileError as error:
        return [_finding("/", error)]
    with file:
        datasets: dict[str, Dataset] = {}
        found = [*_members(file)]
        # Datasets first: all else is decoded with the dataset that it is about.
        for entry in sorted(file.entries.values(), key=lambda entry: entry.type != "dataset"):
            found += _artefact(file, entry, datasets)
        return [*found, *_texts(file)]


def _members(file: ProjectFile) -> Iterator[FileProblem]:
    for name in file.unknown_members():
        yield FileProblem(f"/{name}", "is not part of a project; saving would remove it")


def _artefact(
    file: ProjectFile, entry: ArtefactEntry, datasets: dict[str, Dataset]
) -> Iterator[FileProblem]:
    known = RESULT_TYPES.get(entry.type)
    newer = known is not None and entry.version > known.noun.encoding_version
    if known is None:
        yield FileProblem(entry.path, f"has an unknown encoding type '{entry.type:.40}'")
    elif newer:
        yield FileProblem(entry.path, f"has an unknown version {entry.version} of '{entry.type}'")
    if entry.dataset is not None and not _is_dataset(file, entry.dataset):
        yield FileProblem(entry.path, f"refers to a missing dataset {entry.dataset[:12]}…")
    try:
        if names := unsound(file.stored_provenance(entry.key)):
            problem = f"has values of the wrong type in its provenance: {', '.join(names)}"
            yield FileProblem(entry.path, problem)
        artefact = file.read(entry.key)  # verifies the checksum of every chunk
        if known is None or newer:
            return
        decoded = decode(artefact.encoded, datasets.get(entry.dataset or ""))
    except CoterieError as error:
        yield _finding(entry.path, error)
        return
    if isinstance(decoded, Dataset):
        datasets[entry.key] = decoded


def _is_dataset(file: ProjectFile, key: str) -> bool:
    return key in file.entries and file.entries[key].type == "dataset"


def _texts(file: ProjectFile) -> Iterator[FileProblem]:
    try:
        steps: dict[str, Any] = file.steps
    except ProjectFileError as error:
        yield _finding(f"/{layout.STEPS}", error)
        steps = {}
    for name, step in steps.items():
        for what, key in {"result": step["key"], **step.get("parts", {})}.items():
            if key not in file.entries:
                problem = f"refers to a missing {what} {key[:12]}… of '{name}'"
                yield FileProblem(f"/{layout.STEPS}", problem)
    try:
        left_out = file.left_out
    except ProjectFileError as error:
        yield _finding(f"/{layout.LEFT_OUT}", error)
        left_out = {}
    for name, one in left_out.items():
        for part, key in one.parts.items():
            if key not in file.entries:
                problem = f"refers to a missing {part} {key[:12]}… of '{name}'"
                yield FileProblem(f"/{layout.LEFT_OUT}", problem)
    try:
        parse_recipe(file.recipe)
    except CoterieError as error:
        yield _finding(f"/{layout.RECIPE}", error)
    try:
        _ = file.view
    except ProjectFileError as error:
        yield _finding(f"/{layout.VIEW}", error)


def _finding(where: str, error: CoterieError) -> FileProblem:
    if isinstance(error, UnsafeFileError | DamagedFileError):
        return FileProblem(error.where, f"has {error.problem}")
    return FileProblem(where, str(error))
