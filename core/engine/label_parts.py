"""Labels a Parquet table part by part: larger than memory, on all cores, and resumed if stopped.

Each part is labelled as a table of its own and kept, as text, in a folder beside the file to be
written. A run that was stopped, or that found the disk full, goes on with the parts that are
missing; when all are there they are joined and the folder goes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.api.context import Context
from coterie.core.engine.messages import Label
from coterie.core.errors import DataError
from coterie.core.formats.columns.typed_table import ColumnChoices, typed_dataset
from coterie.core.formats.files.parquet_parts import (
    CHUNK,
    ENDINGS,
    ParquetParts,
    Piece,
    cells_of,
)
from coterie.core.formats.files.tables import Table, clustering_table, with_columns
from coterie.core.io.atomic_write import writing_place
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.core.wording import counted

NAMED = 3  # parts that could not be labelled that a message names

Labelled = Callable[[Dataset], Clustering]


@dataclass(frozen=True)
class Part:
    """What came of one piece: lines of the file, or why there are none.

    Attributes
    ----------
    names : of the columns
    lines : the rows, as they are written
    counts : rows in each group, by its name; "" for those in none
    why : what was wrong, for a piece that could not be labelled
    """

    names: tuple[str, ...]
    lines: str
    counts: dict[str, int]
    why: str = ""


def parts_to_label(path: Path) -> ParquetParts | None:
    """Return the parts of a table that is labelled part by part; None for all others.

    These are Parquet files of many rows, and folders whose name ends in .parquet.
    """
    if not path.name.lower().endswith(ENDINGS) or not path.exists():
        return None
    try:
        parts = ParquetParts.of(path)
    except DataError:
        if path.is_dir():
            raise
        return None  # said by its reader
    return parts if path.is_dir() or parts.n > CHUNK else None


def label_parts(
    order: Label,
    parts: ParquetParts,
    labelled: Labelled,
    context: Context,
) -> list[str]:
    """Write the group of each row of all parts; return remarks.

    Parameters
    ----------
    labelled : from a piece of the table to its groups, on any core or machine
    """
    target = Path(order.target)
    kept = _Kept.of(target, order, parts)
    pieces = list(parts.pieces())
    several = parts.path.is_dir()
    missing = [number for number in range(len(pieces)) if not kept.has(number)]

    def work(number: int) -> Part:
        piece = pieces[number]
        return _part(piece, labelled, order.columns == "all", context.check)

    done = len(pieces) - len(missing)
    found = context.each(work, missing)
    with closing(found):
        for number, part in zip(missing, found, strict=True):
            kept.keep(number, part)
            done += 1
            context.progress(done, len(pieces), f"{done} of {counted(len(pieces), 'part')}")
    every = [kept.load(number) for number in range(len(pieces))]
    _join(target, pieces, every, kept, several=several)
    failed = [(piece, part.why) for piece, part in zip(pieces, every, strict=True) if part.why]
    if failed:
        raise _incomplete(failed, len(pieces), target.name)
    return [_remark(every)]


def _part(
    piece: Piece,
    labelled: Labelled,
    all_columns: bool,
    check: Callable[[], None],
) -> Part:
    text, counts = io.StringIO(), dict[str, int]()
    writer = csv.writer(text, lineterminator="\n")
    names: tuple[str, ...] = ()
    begun, last = piece.first, piece.first + piece.rows
    try:
        for first, rows in piece.batches():
            check()
            begun, last = first, first + rows.num_rows
            cells = cells_of(rows, False, check)
            data = typed_dataset(piece.path, cells, ColumnChoices())
            positions = list(range(first, last))
            found = labelled(replace(data, details={**data.details, "positions": positions}))
            _count(found, counts)
            table: Table = clustering_table(found)
            if all_columns:
                table = with_columns(table, data)
            names = table.names
            writer.writerows(map(_plain, zip(*table.columns, strict=True)))
            begun, last = last, piece.first + piece.rows
    except DataError as error:
        where = f"rows {begun + 1:,} to {last:,} of '{piece.path.name}'"
        return Part((), "", {}, f"{where}: {error}")
    return Part(names, text.getvalue(), counts)


def _plain(row: Sequence[Any]) -> list[Any]:
    return ["" if isinstance(value, float) and np.isnan(value) else value for value in row]


def _count(found: Clustering, counts: dict[str, int]) -> None:
    labels = found.labels
    sizes = np.bincount(labels[labels >= 0], minlength=found.k).tolist()
    for name, size in zip(found.group_names, sizes, strict=True):
        counts[name] = counts.get(name, 0) + size
    counts[""] = counts.get("", 0) + int((labels < 0).sum())


@dataclass(frozen=True)
class _Kept:
    """The parts that are labelled already, in a folder beside the target."""

    folder: Path

    @classmethod
    def of(cls, target: Path, order: Label, parts: ParquetParts) -> _Kept:
        """The folder of this very work; what another left there is thrown away."""
        files = [(str(f), f.stat().st_size, f.stat().st_mtime_ns) for f in parts.files]
        said = json.dumps([files, order.methods, order.models, order.source, order.columns])
        same = hashlib.sha256(said.encode()).hexdigest()[:16]
        beside = f".{target.name}.parts-"
        kept = cls(target.with_name(beside + same))
        try:
            for other in target.parent.glob(f"{beside}*"):
                if other != kept.folder:
                    shutil.rmtree(other, ignore_errors=True)
            kept.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise _unwritable(target, error, kept.folder) from error
        return kept

    def _place(self, number: int) -> Path:
        return self.folder / f"{number:06d}.json"

    def has(self, number: int) -> bool:
        """Whether a part was labelled; one that failed is tried again."""
        return self._place(number).exists() and not self.load(number).why

    def keep(self, number: int, part: Part) -> None:
        """Write a part, whole or not at all."""
        place = self._place(number)
        beside = place.with_suffix(".new")
        about = {"names": part.names, "counts": part.counts, "why": part.why}
        try:
            place.with_suffix(".csv").write_text(part.lines, encoding="utf-8", newline="")
            beside.write_text(json.dumps(about), encoding="utf-8")
            beside.replace(place)
        except OSError as error:
            raise _unwritable(place, error, self.folder) from error

    def load(self, number: int) -> Part:
        """Return what is known of a part, without its lines."""
        about = json.loads(self._place(number).read_text(encoding="utf-8"))
        return Part(tuple(about["names"]), "", about["counts"], about["why"])

    def lines(self, number: int) -> Iterator[str]:
        """Yield the rows of a part."""
        place = self._place(number).with_suffix(".csv")
        with place.open(encoding="utf-8", newline="") as stream:
            yield from csv_lines(stream)


def csv_lines(stream: Any) -> Iterator[str]:
    """Yield the lines of a CSV; a quoted line break does not end one."""
    line = ""
    for piece in stream:
        line += piece
        if line.count('"') % 2 == 0:
            yield line
            line = ""


def _join(
    target: Path,
    pieces: Sequence[Piece],
    parts: Sequence[Part],
    kept: _Kept,
    *,
    several: bool,
) -> None:
    """One file of all parts; of a folder the first column says which file a row is of."""
    names = next((part.names for part in parts if part.names), ())
    beside = writing_place(target)
    try:
        with beside.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["file", *names] if several else names)
            for number, (piece, part) in enumerate(zip(pieces, parts, strict=True)):
                if part.why:
                    continue
                which = _cell(piece.path.name) + "," if several else ""
                stream.writelines(which + line for line in kept.lines(number))
        beside.replace(target)
    except OSError as error:
        raise _unwritable(target, error, kept.folder) from error
    finally:
        beside.unlink(missing_ok=True)
    if not any(part.why for part in parts):
        shutil.rmtree(kept.folder, ignore_errors=True)


def _cell(text: str) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow([text])
    return written.getvalue()


def _unwritable(place: Path, error: OSError, folder: Path) -> DataError:
    return DataError(
        f"'{place.name}' cannot be written: {error.strerror or error}. Finished parts are kept "
        f"in '{folder.name}'. Free some disk space and run it again to resume.",
        code="file-not-writable",
    )


def _incomplete(failed: Sequence[tuple[Piece, str]], parts: int, target: str) -> DataError:
    said = failed[0][1].rstrip(".")
    also = "".join(f" Also: {why.partition(': ')[0]}." for _, why in failed[1:NAMED])
    more = f" And {len(failed) - NAMED} more." if len(failed) > NAMED else ""
    kept = f" The others are in '{target}'." if len(failed) < parts else ""
    return DataError(
        f"{len(failed)} of {counted(parts, 'part')} could not be labelled; "
        f"{said}.{also}{more}{kept}",
        code="incomplete",
    )


def _remark(parts: Sequence[Part]) -> str:
    counts: dict[str, int] = {}
    for part in parts:
        for name, count in part.counts.items():
            counts[name] = counts.get(name, 0) + count
    none, n = counts.pop("", 0), sum(counts.values())
    groups = ", ".join(f"{name}: {count:,}" for name, count in counts.items())
    said = f"{counted(n + none, 'row')} in {counted(len(parts), 'part')}. {groups}"
    return f"{said}, no group: {none:,}." if none else f"{said}."
