"""Read a table as web services and scripts write them: JSON and JSON Lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from coterie.core import Context, Dataset, Reader
from coterie.core.formats.columns.cells import Cells
from coterie.core.formats.columns.choosing import ColumnParams
from coterie.core.formats.columns.previews import preview_of
from coterie.core.formats.columns.typed_table import ALL_MISSING, ColumnChoices, typed_dataset
from coterie.core.formats.files.json_tables import LINES, as_cells, read_table
from coterie.core.formats.files.tabular import TablePreview

PREVIEWED = 10_000  # items of JSON Lines that a preview judges columns by


class Json(Reader):
    """Tables in JSON, one object per item: an array of objects, JSON Lines, or GeoJSON features.

    Arrays of rows, objects of columns and pandas' arrangements are read as well. Objects within
    objects become columns with both names, such as 'size.width'; lists are kept as texts. What an
    object leaves out is missing, and so are null, NaN and infinite values.
    """

    id, title = "json", "JSON table"
    extensions = (".json", ".geojson", ".json.gz", *LINES)

    class Params(ColumnParams):
        """What the columns are."""

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the file at `path`."""
        path = Path(path)
        cells, notes = _cells(path, context)
        return typed_dataset(path, cells, ColumnChoices.of(params), notes=notes)

    def preview(self, path: str | Path, *, params: Params, context: Context) -> TablePreview:
        """Return the first items as they would be read, and every guess made for that."""
        path = Path(path)
        cells, notes = _cells(path, context, PREVIEWED)
        choices = ColumnChoices.of(params)
        choices.require(path.name, [each.name for each in cells])
        shown = preview_of(cells, choices)
        return replace(shown, notes=(*notes, *shown.notes))


def _cells(
    path: Path, context: Context, most: int | None = None
) -> tuple[list[Cells], tuple[str, ...]]:
    table = read_table(path, memory=context.memory, check=context.check, most=most)
    return as_cells(table, ALL_MISSING, context.check), table.notes
