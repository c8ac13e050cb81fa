"""Products in archives (.zip, .tar, .tar.gz): unpacked once into the cache folder.

An archive may come from anybody: names that lead out of its folder, links and devices, and sizes
that no product has are refused before, or as soon as, they are met.
"""

from __future__ import annotations

import hashlib
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from coterie.core.errors import DataError
from coterie.core.io.folders import cache_folder
from coterie.core.wording import counted, size_in_words

ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz")
# Compressed pictures hardly shrink, and plain ones to a tenth or so; a bomb shrinks to nothing.
LARGEST_RATIO = 200
ALWAYS_ALLOWED = 64 << 20
MOST_FILES = 20_000
_BLOCK = 1 << 20


@dataclass(frozen=True)
class _Member:
    name: PurePosixPath
    nbytes: int
    handle: Any


def is_archive(path: Path) -> bool:
    """Return whether a path is a file called like an archive."""
    return path.name.lower().endswith(ENDINGS) and path.is_file()


def unpacked(path: Path) -> Path:
    """Return the folder in the cache with the files of an archive, unpacked if need be."""
    status = path.stat()
    identity = f"{path.absolute()}\0{status.st_size}\0{status.st_mtime_ns}"
    name = hashlib.sha256(identity.encode()).hexdigest()[:32]
    target = cache_folder() / "archives" / name
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{name}.part")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir(mode=0o700)
        _unpack(path, temporary)
        temporary.rename(target)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, NotImplementedError) as error:
        raise DataError(
            f"'{path.name}' is not a complete archive ({error!s:.120}). Download it again.",
            code="file-damaged",
        ) from None
    except RuntimeError as error:  # what zipfile says of passwords
        raise DataError(
            f"'{path.name}' cannot be unpacked ({error!s:.120}). Unpack it yourself, and open "
            "the folder.",
            code="file-damaged",
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target


def place_of(path: Path, file: str = "") -> Path:
    """Return where a file of a scene is read: in its folder, or where its archive is unpacked."""
    if is_archive(path):
        path = unpacked(path)
    return path / file if file else path


def product_in(folder: Path) -> Path:
    """Return the folder of the product: archives mostly hold one folder, and all files in it."""
    for _ in range(3):
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith((".", "__"))]
        if len(entries) != 1 or not entries[0].is_dir():
            break
        folder = entries[0]
    return folder


def _unpack(path: Path, folder: Path) -> None:
    with _opened(path) as archive:
        members, total = [], 0
        allowed = max(ALWAYS_ALLOWED, LARGEST_RATIO * path.stat().st_size)
        for member in _members(path, archive):
            members.append(member)
            total += member.nbytes
            if total > allowed or len(members) > MOST_FILES:
                raise _bomb(path, total, len(members))
        _require_space(path, folder, total)
        for member in members:
            place = folder / member.name
            place.parent.mkdir(parents=True, exist_ok=True)
            with _stream(archive, member) as source, place.open("xb") as target:
                _copy(path, source, target, member.nbytes)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    if path.suffix.lower() == ".zip":
        with zipfile.ZipFile(path) as packed:
            yield packed
    else:
        with tarfile.open(path, "r:*") as rolled:
            yield rolled


def _members(path: Path, archive: Any) -> Iterator[_Member]:
    """The files in an archive; anything but a plain file in a folder of it is refused."""
    if isinstance(archive, zipfile.ZipFile):
        for info in archive.infolist():
            mode = info.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _outside(path, info.filename)
            if not info.is_dir():
                yield _Member(_plain(path, info.filename), info.file_size, info)
        return
    for entry in archive:
        if entry.isdir():
            continue
        if not entry.isreg():
            raise _outside(path, entry.name)
        yield _Member(_plain(path, entry.name), entry.size, entry)


def _plain(path: Path, name: str) -> PurePosixPath:
    place = PurePosixPath(name.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or not place.name or ":" in name or "\0" in name:
        raise _outside(path, name)
    return place


@contextmanager
def _stream(archive: Any, member: _Member) -> Iterator[IO[bytes]]:
    with (
        archive.open(member.handle)
        if isinstance(archive, zipfile.ZipFile)
        else archive.extractfile(member.handle)
    ) as source:
        yield source


def _copy(path: Path, source: IO[bytes], target: IO[bytes], nbytes: int) -> None:
    """Copy no more than was promised: the sizes in an archive are what its maker wrote."""
    left = nbytes
    while block := source.read(_BLOCK):
        left -= len(block)
        if left < 0:
            raise _bomb(path, nbytes - left, 1)
        target.write(block)


def _require_space(path: Path, folder: Path, total: int) -> None:
    from coterie.core.formats.rasters.numpy_scenes import require_space

    require_space(folder, total, f"unpack '{path.name}'")


def _bomb(path: Path, total: int, files: int) -> DataError:
    return DataError(
        f"'{path.name}' has {size_in_words(path.stat().st_size)} and would unpack to "
        f"{size_in_words(total)} or more in {counted(files, 'file')}, unlike any product. It was "
        "not unpacked. If you trust it, unpack it yourself and open the folder.",
        code="file-too-large",
    )


def _outside(path: Path, name: str) -> DataError:
    return DataError(
        f"'{path.name}' holds '{name:.80}', which is outside its folder or is not a plain file. "
        "It was not unpacked.",
        code="outside-folder",
    )
