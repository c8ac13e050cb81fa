"""The parameters for what the columns of a table are."""

from __future__ import annotations

from typing import Literal

from coterie.core.api.components import Reader
from coterie.core.api.parameters import Field
from coterie.core.model.columns import ColumnType, Role


class ColumnParams(Reader.Params):
    """What the columns are: declared once, for every reader of tables."""

    leave_out: list[str] = Field(
        [], description="Columns to keep as information only: neither feature nor label nor name."
    )
    types: dict[str, ColumnType] = Field(
        default_factory=dict,
        description="Types of columns, where they are not to be guessed: number, category, "
        "ordered, date, text or identifier, by the name of the column.",
        json_schema_extra={"advanced": True},
    )
    roles: dict[str, Role] = Field(
        default_factory=dict,
        description="Roles of columns, where they are not to be guessed: feature, label, name, "
        "weight or information, by the name of the column.",
        json_schema_extra={"advanced": True},
    )
    features: Literal["guess", "numbers"] = Field(
        "guess",
        description="guess: numbers, categories and dates that describe the items; numbers: all "
        "columns of plain numbers and no others, as Coterie 0.1 did.",
        json_schema_extra={"advanced": True},
    )
