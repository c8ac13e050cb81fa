"""The workspace: a folder of computed artefacts that every process maps read-only.

Each artefact is a folder named by its key, holding `.npy` files and one `record.json`. It is
written under another name and renamed when complete, so what is there is whole.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from coterie.core.errors import DataError, WorkspaceError
from coterie.core.io.artefact_folder import (
    CHECKSUM,
    CHECKSUMS,
    DAMAGE,
    NEEDED,
    RECORD,
    DamagedArtefactError,
    checksum_of,
    checksum_of_file,
    damaged,
    mapped_array,
    newer,
    part,
    read_error,
    read_texts,
    require_plain,
    signed,
    size_of,
    write_error,
    write_into,
)
from coterie.core.model.artefacts import Artefact, is_key
from coterie.core.model.dataset import Dataset
from coterie.core.model.encoding import Encoded, decode


def artefact_folder(folder: Path, key: str = "") -> Path:
    """Return where the workspace `folder` has an artefact; all of them, without a key."""
    return folder / "artefacts" / key


class Workspace:
    """The artefacts in one folder.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> from coterie.core import Dataset
    >>> from coterie.core.model.encoding import encode
    >>> workspace = Workspace(Path(tempfile.mkdtemp()))
    >>> key = "0" * 64
    >>> workspace.write(Artefact(key, encode(Dataset(title="two", features=np.eye(2)))))
    >>> workspace.load(key).n
    2
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._artefacts = artefact_folder(folder)
        try:
            self._artefacts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorkspaceError(
                f"The workspace folder '{folder}' cannot be created: {error.strerror}. "
                "Free some disk space or check its permissions.",
                code="workspace-unusable",
            ) from error

    def __contains__(self, key: object) -> bool:
        return is_key(key) and (self._artefacts / str(key) / RECORD).exists()

    def keys(self) -> Iterator[str]:
        """Yield the keys of all complete artefacts."""
        for folder in self._artefacts.iterdir():
            if folder.name in self:
                yield folder.name

    def write(self, artefact: Artefact) -> None:
        """Write an artefact; one that is already there is left as it is."""
        if artefact.key in self:
            return
        target = self._folder(artefact.key)
        try:
            # The process is in the name, so `sweep` finds what a killed one left.
            prefix = f"writing-{os.getpid()}-"
            temporary = Path(tempfile.mkdtemp(prefix=prefix, dir=self._artefacts))
            try:
                write_into(temporary, artefact)
                if target.exists() and artefact.key not in self:
                    self.discard(artefact.key)  # what is left of a damaged one
                temporary.rename(target)
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                if artefact.key not in self:  # else another process was faster: just as good
                    raise
        except OSError as error:
            raise WorkspaceError(write_error(error), code="workspace-unusable") from error

    def restate(self, artefact: Artefact) -> None:
        """Let an artefact that is there say something else of itself; its arrays stay.

        Its record is replaced in one go: a crash, or a full disk, leaves the old one or the new.
        """
        record = {**self.record(artefact.key), "meta": artefact.encoded.meta}
        target = self._folder(artefact.key) / RECORD
        temporary = target.with_name(f"{RECORD}.{os.getpid()}")
        try:
            temporary.write_text(signed(record), encoding="utf-8")
            temporary.replace(target)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise WorkspaceError(write_error(error), code="workspace-unusable") from error

    def take_over(self, artefact: Artefact, other: Workspace, stored: str) -> None:
        """Move an artefact from another workspace on the same disk, where its key is `stored`.

        It then says of itself what `artefact` does. The other one may have been filled by a process
        that is not trusted: links and names that are not those of parts are refused.
        """
        if artefact.key in self:
            other.discard(stored)
            return
        folder, encoded = other._folder(stored), artefact.encoded
        record = other.record(stored)
        named = [*record["arrays"].values(), *record["strings"].values()]
        require_plain(folder, named)
        try:
            changed = {
                "key": artefact.key,
                "meta": encoded.meta,
                "dataset": artefact.dataset,
                "provenance": dict(artefact.provenance),
            }
            (folder / RECORD).write_text(signed({**record, **changed}), encoding="utf-8")
            target = self._folder(artefact.key)
            if target.exists():
                self.discard(artefact.key)  # what is left of a damaged one
            folder.rename(target)
        except OSError as error:
            if artefact.key not in self:  # else another process was faster: just as good
                raise WorkspaceError(write_error(error), code="workspace-unusable") from error

    def read(self, key: str) -> Artefact:
        """Return an artefact with its large arrays mapped, not loaded."""
        record = self.record(key)
        folder = self._folder(key)
        try:
            encoded = Encoded(
                type=record["type"],
                version=record["version"],
                meta=dict(record["meta"]),
                arrays={
                    name: mapped_array(part(folder, f)) for name, f in record["arrays"].items()
                },
                strings={
                    name: read_texts(part(folder, f)) for name, f in record["strings"].items()
                },
            )
            dataset, provenance = record["dataset"], dict(record["provenance"])
            if dataset is not None and not is_key(dataset):
                raise ValueError("its dataset has no key")
        # OverflowError is what numpy makes of a header that promises too much.
        except DAMAGE as error:
            raise DamagedArtefactError(damaged(key, error)) from error
        except (OSError, MemoryError) as error:
            raise WorkspaceError(read_error(key, error), code="result-unreadable") from error
        with contextlib.suppress(OSError):  # a courtesy: what was used last is evicted last
            os.utime(folder / RECORD)
        return Artefact(key, encoded, dataset, provenance)

    def record(self, key: str) -> dict[str, Any]:
        """Return what is known of an artefact without its arrays."""
        path = self._folder(key) / RECORD
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise WorkspaceError(
                f"The result {key[:12]} is not in the workspace. Run its step again.",
                code="result-missing",
            ) from None
        except (ValueError, RecursionError) as error:
            raise DamagedArtefactError(damaged(key, error)) from error
        except OSError as error:
            raise WorkspaceError(read_error(key, error), code="result-unreadable") from error
        if not isinstance(record, dict) or any(name not in record for name in NEEDED):
            raise DamagedArtefactError(damaged(key, "no record"))
        if CHECKSUM in record and record.pop(CHECKSUM) != checksum_of(record):
            raise DamagedArtefactError(damaged(key, "its record was changed"))
        return record

    def verify(self, key: str) -> None:
        """Read all of an artefact, and raise when a byte differs from what was written.

        `read` maps the arrays and cannot see that; whoever is about to keep them for good can
        afford to.
        """
        record, folder = self.record(key), self._folder(key)
        sums = record.get(CHECKSUMS)
        if not isinstance(sums, dict):
            return  # written before there were any
        for name, expected in sums.items():
            try:
                actual = checksum_of_file(part(folder, name))
            except (FileNotFoundError, TypeError, ValueError) as error:
                raise DamagedArtefactError(damaged(key, error)) from error
            except OSError as error:
                raise WorkspaceError(read_error(key, error), code="result-unreadable") from error
            if actual != expected:
                raise DamagedArtefactError(damaged(key, "its numbers were changed"))

    def load(self, key: str) -> Any:
        """Return the noun of an artefact, with the dataset it is about.

        What turns out to be damaged is discarded, so its step runs again when asked to. What a
        newer Coterie wrote is refused, and stays.
        """
        artefact = self._read_or_discard(key)
        try:
            dataset = None
            if artefact.dataset is not None and artefact.dataset in self:
                dataset = decode(self._read_or_discard(artefact.dataset).encoded)
                if not isinstance(dataset, Dataset):
                    raise DataError("the data it is about is not a dataset", code="result-damaged")
            return decode(artefact.encoded, dataset)
        except DataError as error:
            if error.code == "newer-version":  # whole, and of use to the Coterie that wrote it
                raise WorkspaceError(newer(key, error), code=error.code) from error
            self.discard(key)
            raise DamagedArtefactError(damaged(key, error)) from error

    def _read_or_discard(self, key: str) -> Artefact:
        try:
            return self.read(key)
        except DamagedArtefactError:
            self.discard(key)
            raise

    def discard(self, key: str) -> None:
        """Remove one artefact."""
        folder = self._folder(key)
        # Renamed first, so a half-removed artefact is never taken for a whole one.
        try:
            doomed = Path(tempfile.mkdtemp(prefix="removing-", dir=self._artefacts))
        except OSError:  # a full disk may have no room for one more folder
            shutil.rmtree(folder, ignore_errors=True)
            return
        with contextlib.suppress(OSError):
            folder.rename(doomed / key)
        shutil.rmtree(doomed, ignore_errors=True)

    def sweep(self, pid: int) -> None:
        """Remove what process `pid`, which has ended, left half-written."""
        for folder in self._artefacts.glob(f"writing-{pid}-*"):
            shutil.rmtree(folder, ignore_errors=True)

    def shapes(self, key: str) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array of an artefact; none is read."""
        folder = self._folder(key)
        try:
            arrays = self.record(key)["arrays"].items()
            return {name: mapped_array(part(folder, file)).shape for name, file in arrays}
        except DAMAGE as error:
            raise DamagedArtefactError(damaged(key, error)) from error
        except (OSError, MemoryError) as error:
            raise WorkspaceError(read_error(key, error), code="result-unreadable") from error

    def nbytes_of(self, key: str) -> int:
        """Return the bytes that an artefact takes on disk."""
        return size_of(self._folder(key))

    def nbytes(self) -> int:
        """Return the bytes that all artefacts take on disk."""
        return sum(size_of(folder) for folder in self._artefacts.iterdir())

    def evict(self, keep: Collection[str], quota: int | None = None) -> list[str]:
        """Remove the least recently used artefacts not in `keep`, until the rest fits `quota`.

        The datasets that the artefacts in `keep` are about are kept as well. The default quota is
        a fifth of the free disk.
        """
        if quota is None:
            quota = shutil.disk_usage(self.folder).free // 5
        total = self.nbytes()
        if total <= quota:
            return []
        kept = {*keep, *self._datasets_of(keep)}
        evicted = []
        for key in sorted(self.keys(), key=self._last_used):
            if total <= quota:
                break
            if key not in kept:
                total -= size_of(self._folder(key))
                self.discard(key)
                evicted.append(key)
        return evicted

    def _datasets_of(self, keys: Collection[str]) -> Iterator[str]:
        for key in keys:
            with contextlib.suppress(WorkspaceError):
                dataset = self.record(key).get("dataset")
                if isinstance(dataset, str):
                    yield dataset

    def _last_used(self, key: str) -> int:
        try:
            return (self._folder(key) / RECORD).stat().st_mtime_ns
        except OSError:
            return 0

    def _folder(self, key: str) -> Path:
        if not is_key(key):
            raise WorkspaceError(f"'{key}' is not the key of a result.", code="result-missing")
        return self._artefacts / key
