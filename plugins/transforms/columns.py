"""Other types and roles for the columns of a table."""

from __future__ import annotations

from dataclasses import replace

from coterie.core import Context, Cost, DataError, Dataset, Field, Model, Output, Transform
from coterie.core.formats.columns.retyping import own_table, retyped, with_table
from coterie.core.model.columns import Column, ColumnType, Role
from coterie.core.numerics.features.fitted_encoding import encoded_like, fitted_encoding


class Columns(Transform):
    """Give columns other types and roles than they were read with.

    A column that becomes information leaves the features; one that becomes a feature joins them, a
    label gives the known classes, a name those of the items. The features are the default encoding
    of the columns, so this step belongs right after the data. Cells that cannot be read in the
    other type are missing, and named in the notes; nothing is lost, as the step can be removed.
    """

    id, title = "columns", "Column types and roles"

    class Params(Transform.Params):
        """Types and roles by the names of the columns; all others stay as they are."""

        types: dict[str, ColumnType] = Field(
            default_factory=dict,
            description="New types by the name of the column: number, category, ordered, date, "
            "text or identifier.",
        )
        roles: dict[str, Role] = Field(
            default_factory=dict,
            description="New roles by the name of the column: feature, label, name, weight or "
            "information.",
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the data with the changed columns, and the model that changes new items alike."""
        context.check()
        if data.on_disk:
            data.clean_features()  # says that pixels stay on disk
        before = replace(data, table=own_table(data))
        table = retyped(before.table, params.types, params.roles, data.title)
        entries = fitted_encoding(table)
        if not entries:
            raise DataError(
                f"No column of '{data.title}' would be a feature. Give at least one column of "
                "numbers, dates or categories the role 'feature'.",
                code="no-numbers",
            )
        model = Model(
            title="Types and roles of columns",
            dataset=data,
            settings={
                "types": dict(params.types),
                "roles": dict(params.roles),
                "features": entries,
            },
        )
        changed = _encoded(with_table(before, table), entries)
        return Output(_noted(changed, before.table), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Change the columns of new items alike; labels and names may be absent."""
        context.check()
        before = replace(data, table=own_table(data))
        there = {column.name for column in before.table}
        types, roles = (
            {name: kind for name, kind in model.settings[what].items() if name in there}
            for what in ("types", "roles")
        )
        table = retyped(before.table, types, roles, data.title)
        return _encoded(with_table(before, table), model.settings["features"])

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The features once more, and the changed columns as texts."""
        width = data.d + 20 * (len(params.types) + len(params.roles))
        return Cost(bytes=24 * data.n * max(1, width), seconds=1e-6 * data.n)


def _encoded(data: Dataset, entries: list[dict[str, object]]) -> Dataset:
    features, names = encoded_like(entries, data.table, data.title)
    return replace(data, features=features, columns=names)


def _noted(data: Dataset, before: tuple[Column, ...]) -> Dataset:
    old = {column.name: column.notes for column in before}
    said = [
        f"Column '{column.name}': {note}"
        for column in data.table
        for note in column.notes
        if note not in old.get(column.name, ())
    ]
    return replace(data, notes=(*data.notes, *said))
