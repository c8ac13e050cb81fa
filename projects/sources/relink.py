"""Finds a data file that was moved: by its size, then by its hash, whatever it is called.

A project refers to a large file by its path. When the file is no longer there, it is looked for in
a folder that a person names, and automatically in the project's own folder. What is taken must have
the bytes that the project was made with: nothing that was computed changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coterie.core.errors import DataError
from coterie.core.io.fingerprints import LARGE, Fingerprint, fingerprint

# By itself, a search looks no deeper and at no more entries than this: a project may lie in a
# person's home folder.
NEAR_DEPTH, NEAR_ENTRIES = 4, 20_000

Check = Callable[[], None]
Report = Callable[[str], None]


@dataclass(frozen=True)
class MissingFile:
    """What a project knows of a file that it once read.

    Attributes
    ----------
    name : of the file or folder
    sha256, blocks : as `core.fingerprints` makes them
    nbytes : size; None in projects from before sizes were kept
    """

    name: str
    sha256: str
    nbytes: int | None = None
    blocks: str = ""

    @classmethod
    def of(cls, provenance: Mapping[str, Any]) -> MissingFile | None:
        """Take it from where a dataset came from; None when that was no file."""
        name, sha256 = provenance.get("source"), provenance.get("source_sha256")
        nbytes, blocks = provenance.get("source_bytes"), provenance.get("source_blocks_sha256")
        if not isinstance(name, str) or not isinstance(sha256, str) or not name:
            return None
        size = nbytes if isinstance(nbytes, int) and nbytes >= 0 else None
        return cls(Path(name).name, sha256, size, blocks if isinstance(blocks, str) else "")

    def is_like(self, found: Fingerprint) -> bool:
        """Return whether these are the same bytes, as far as they were looked at."""
        return found.sha256 == self.sha256 or bool(self.blocks and found.blocks == self.blocks)


@dataclass(frozen=True)
class _Candidate:
    path: Path
    nbytes: int
    depth: int
    folder: bool = False


def find_lost(
    lost: MissingFile, folder: Path, check: Check = lambda: None, report: Report = lambda said: None
) -> Path:
    """Return where in `folder`, or below it, a file is now; raise when it is missing.

    Parameters
    ----------
    check : called often; it raises to give up
    report : called with a message about what is searched
    """
    if not folder.is_dir():
        raise DataError(
            f"The folder '{folder}' does not exist. Choose another.", code="file-not-found"
        )
    report(f"Searching '{folder.name or folder}'")
    candidates = _fitting(lost, folder, check, report)
    found = _first_alike(lost, candidates, check, report)
    if found is None:
        alike = f"{len(candidates)} of the same size had different content" if candidates else ""
        said = alike or f"it has no file of that size ({_size(lost.nbytes)})"
        if lost.nbytes is None and not candidates:
            said = "it has no file of that name or kind"
        raise DataError(
            f"'{lost.name}' is not in '{folder}' or its subfolders: {said}. Choose another folder.",
            code="file-not-found",
        )
    return found


def find_near(lost: MissingFile, folder: Path) -> Path | None:
    """Return where a file is in or near the top of `folder`, None when a short look fails."""
    if lost.nbytes is None:
        return None  # without a size, too much would have to be read
    try:
        listed = _fitting(lost, folder, _go_on, lambda said: None, NEAR_DEPTH, NEAR_ENTRIES)
        return _first_alike(lost, listed, _go_on, lambda said: None)
    except OSError:
        return None


def _go_on() -> None:
    """Never stop: a short look is soon over."""


def require_same(lost: MissingFile, path: Path, check: Check = lambda: None) -> None:
    """Raise unless `path` holds the bytes that the project was made with."""
    try:
        if _is_same(lost, path, check):
            return
        nbytes = _total(path)
    except OSError as error:
        raise DataError(f"'{path}' cannot be read: {error.strerror}.", code="file-access") from None
    differs = "its content differs"
    if lost.nbytes is not None and nbytes != lost.nbytes:
        differs = f"it has {_size(nbytes)}, not {_size(lost.nbytes)}"
    raise DataError(
        f"'{path.name}' is not the '{lost.name}' that the project uses: {differs}. "
        "Choose another file, or open this one as new data.",
        code="file-changed",
    )


def _is_same(lost: MissingFile, path: Path, check: Check) -> bool:
    if lost.is_like(fingerprint(path, check, partly=True)):
        return True
    # Only rasters are looked at in part; whether it was one is unknown of every file.
    whole = not lost.blocks and _total(path) > LARGE
    return whole and lost.is_like(fingerprint(path, check))


def _first_alike(
    lost: MissingFile, candidates: list[_Candidate], check: Check, report: Report
) -> Path | None:
    # The same name first, then the nearest.
    candidates.sort(key=lambda c: (c.path.name != lost.name, c.depth, str(c.path)))
    for number, candidate in enumerate(candidates):
        check()
        report(f"Comparing '{candidate.path.name}', {number + 1} of {len(candidates)}")
        try:
            if _is_same(lost, candidate.path, check):
                return candidate.path
        except OSError:
            continue  # an unreadable file is not the one
    return None


def _fitting(
    lost: MissingFile,
    folder: Path,
    check: Check,
    report: Report,
    depth: int = 64,
    most: int = 10_000_000,
) -> list[_Candidate]:
    """The files and folders that could be it, by size; of an old project by name or ending."""
    ending = Path(lost.name).suffix.lower()
    found, seen, total = [], 0, 0
    for candidate in _below(folder, depth):
        seen += 1
        total += 0 if candidate.folder else candidate.nbytes
        if seen % 256 == 0:
            check()
            report(f"Searching '{folder.name or folder}': {seen:,} files")
        if seen > most:
            break
        if lost.nbytes is None:
            name = candidate.path.name
            fits = name == lost.name or (bool(ending) and name.lower().endswith(ending))
        else:
            fits = candidate.nbytes == lost.nbytes
        if fits:
            found.append(candidate)
    if total == lost.nbytes and seen <= most:  # a product that is itself a folder
        found.append(_Candidate(folder, total, 0, folder=True))
    return found


def _below(folder: Path, depth: int, level: int = 0) -> Iterator[_Candidate]:
    """Every file below a folder, and every folder with the size of all that is in it.

    Links are not followed: they may lead round in a circle, or out of the folder.
    """
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in listed:
        try:
            if entry.is_symlink():
                continue
            if entry.is_file():
                yield _Candidate(Path(entry.path), entry.stat().st_size, level)
            elif entry.is_dir() and level < depth:
                total = 0
                for below in _below(Path(entry.path), depth, level + 1):
                    total += 0 if below.folder else below.nbytes
                    yield below
                yield _Candidate(Path(entry.path), total, level, folder=True)
        except OSError:
            continue


def _total(path: Path) -> int:
    if not path.is_dir():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def _size(nbytes: int | None) -> str:
    return "unknown" if nbytes is None else f"{nbytes:,} bytes"
