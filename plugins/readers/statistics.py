"""Read a table as SPSS, Stata and SAS write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.core import Context, DataError, Dataset, Reader
from coterie.core.errors import no_file
from coterie.core.formats.columns.cells import Cells, cells_of, coded
from coterie.core.formats.columns.choosing import ColumnParams
from coterie.core.formats.columns.typed_table import NUMBERS, ColumnChoices, typed_dataset
from coterie.core.formats.files.tabular import unique_names
from coterie.core.model.columns import number_in_words

CHECK_EVERY = 64  # columns converted between two looks at the cancel button
READERS = {
    **dict.fromkeys((".sav", ".zsav"), "read_sav"),
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
MEASURES = {"nominal": "category", "ordinal": "ordered"}


class Statistics(Reader):
    """Files of SPSS (.sav, .zsav, .por), Stata (.dta) and SAS (.sas7bdat, .xpt), one item per row.

    Values that all have labels are categories, in the order of their codes; ordinal ones are
    ordered. What the file declares as missing is missing. Needs the package pyreadstat
    (coterie[tables]).
    """

    id, title = "statistics", "SPSS, Stata and SAS"
    extensions = tuple(READERS)

    class Params(ColumnParams):
        """What the columns are."""

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the file at `path`."""
        path = Path(path)
        context.check()
        values, about = _read(path)
        if not values or not len(next(iter(values.values()))):
            raise DataError(
                f"'{path.name}' holds no items. Open a file with at least one row.",
                code="empty-data",
            )
        plain = params.features == NUMBERS
        cells = []
        for j, (name, key) in enumerate(zip(unique_names(values), values, strict=True)):
            if j % CHECK_EVERY == 0:
                context.check()
            cells.append(_cells(name, values[key], about, key, plain))
        labels = [about.column_names_to_labels.get(key) or "" for key in values]
        return _labelled(typed_dataset(path, cells, ColumnChoices.of(params)), labels)


def _read(path: Path) -> tuple[Mapping[str, Sequence[Any]], Any]:
    """The columns by name, and what the file says about them."""
    try:
        import pyreadstat
    except ImportError:
        raise DataError(
            "Files of SPSS, Stata and SAS need the package 'pyreadstat', which is not installed. "
            "Install it with: pip install 'coterie[tables]'.",
            code="missing-package",
        ) from None
    if not path.is_file():
        raise no_file(path)
    reader = READERS.get(path.suffix.lower(), "read_sav")
    try:
        values, about = getattr(pyreadstat, reader)(str(path), output_format="dict")
    except MemoryError:
        raise DataError(
            f"'{path.name}' needs more memory than is available. Keep fewer rows or columns.",
            code="out-of-memory",
        ) from None
    # Its own error derives from nothing but Exception; years beyond 9999 overflow.
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, OverflowError) as error:
        raise DataError(
            f"'{path.name}' cannot be read as a file of SPSS, Stata or SAS ({error!s:.120}). "
            "Save it again.",
            code="file-damaged",
        ) from None
    return values, about


def _cells(name: str, values: Sequence[Any], about: Any, key: str, plain: bool) -> Cells:
    known = {value for value in values if value is not None and value == value}
    labels: Mapping[Any, str] = about.variable_value_labels.get(key, {})
    kind = MEASURES.get(about.variable_measure.get(key, ""), "")
    if not plain and labels and known and known <= set(labels):
        words = _unique({value: str(labels[value]) or str(value) for value in sorted(labels)})
        texts = ["" if v is None or v != v else words[v] for v in values]
        codes, different = coded(texts, ("",))
        order = tuple(word for value, word in words.items() if value in known)
        return Cells(
            name,
            None,
            codes,
            different,
            type=kind or "category",
            categories=order,
            why="The file has a label for each of its values.",
        )
    cells = cells_of(name, values)
    numbers = cells.numbers is not None and not cells.dates
    if kind and numbers and not plain:
        words_by = [number_in_words(float(value)) for value in sorted(known)]
        why = f"The file says that it is {'ordinal' if kind == 'ordered' else 'nominal'}."
        return replace(cells, type=kind, categories=tuple(words_by), why=why)
    return cells


def _unique(words: Mapping[Any, str]) -> dict[Any, str]:
    """Labels that are used twice get their value beside them."""
    seen: dict[str, int] = {}
    for word in words.values():
        seen[word] = seen.get(word, 0) + 1
    return {v: word if seen[word] == 1 else f"{word} ({v:g})" for v, word in words.items()}


def _labelled(data: Dataset, labels: Sequence[str]) -> Dataset:
    """Say the label of each column before why it is what it is."""
    table = tuple(
        replace(column, why=f"“{label}”. {column.why}".strip()) if label else column
        for column, label in zip(data.table, labels, strict=True)
    )
    return replace(data, table=table)
