"""Typed columns as features, in other ways than the default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.core.model.columns import CODED, NUMERIC, Column
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.mixed.columns import layout_of, table_like, table_of, used_columns
from coterie.core.numerics.mixed.factors import Encoder, fit_encoder
from coterie.core.numerics.mixed.table import MixedTable

Categories = Literal["equal", "rare", "indicators"]
Dates = Literal["number", "year", "week", "day"]
DAY = 86400.0
CYCLES = {"year": 365.2425 * DAY, "week": 7 * DAY, "day": DAY}
OTHERS = "any other"


@dataclass(frozen=True)
class EncodingChoices:
    """How columns become features.

    Attributes
    ----------
    categories : indicators that together vary as much as one standardised number ("equal"), that
        count rare categories more ("rare"), or plain zeros and ones ("indicators")
    ranks : ordered categories are their ranks, and not categories like others
    dates : one number, or a place on a circle: the season, the day of the week, the time of day
    standardise : numbers get mean 0 and deviation 1
    fill : what is missing is put in the middle of its column
    most : categories of a column that get a feature of their own; rarer ones share one
    """

    categories: Categories = "equal"
    ranks: bool = True
    dates: Dates = "number"
    standardise: bool = True
    fill: bool = True
    most: int = 100


class ColumnEncoding:
    """How the columns of a data set become features; fitted on some items, used for any.

    `arrays` and `settings` are all of it, for a model.
    """

    def __init__(
        self, choices: EncodingChoices, arrays: Mapping[str, Array], settings: Mapping[str, Any]
    ) -> None:
        self.choices, self.arrays, self.settings = choices, arrays, settings

    @classmethod
    def fitted(cls, data: Dataset, choices: EncodingChoices) -> ColumnEncoding:
        """Learn means, deviations and shares."""
        chosen = prepared(data, choices)
        table = table_of(chosen)
        table = replace(table, level_names=tuple(_named(table, choices.most)), levels=())
        layout = layout_of(table)
        table = _in_layout(chosen, layout)
        encoder = fit_encoder(table, "rare" if choices.categories == "rare" else "equal")
        shares, scale = encoder.shares, encoder.scale
        if choices.categories == "indicators":
            shares, scale = np.zeros_like(shares), np.ones_like(scale)
        kept, factor = _kept(table, choices.categories)
        mean, deviation = encoder.mean, encoder.deviation
        if not choices.standardise:
            mean, deviation = np.zeros_like(mean), np.ones_like(deviation)
        weight = np.array([_weight(name, choices) for name in table.number_names])
        arrays = {
            "mean": mean,
            "deviation": deviation,
            "number_weights": weight,
            "middle": np.nan_to_num(_middles(table)),
            "shares": shares,
            "category_shares": encoder.shares,
            "scale": scale * factor,
            "kept": np.flatnonzero(kept),
        }
        return cls(choices, arrays, {"layout": layout})

    def features(self, data: Dataset) -> tuple[Floats, tuple[str, ...], int]:
        """Return the features of these items, their names, and how many values were missing."""
        layout = self.settings["layout"]
        table = _in_layout(prepared(data, self.choices), layout)
        numbers = table.numbers.copy()
        unknown = np.isnan(numbers)
        numbers = np.where(unknown, self.arrays["middle"], numbers)
        deviation = np.asarray(self.arrays["deviation"])
        varies = deviation > 0
        numbers = (numbers - self.arrays["mean"]) / np.where(varies, deviation, 1.0)
        numbers[:, ~varies] = 0.0
        numbers *= self.arrays["number_weights"]
        kept = np.asarray(self.arrays["kept"])
        encoder = Encoder(
            np.zeros(0),
            np.zeros(0),
            np.asarray(self.arrays["shares"]),
            np.asarray(self.arrays["scale"]),
            table.levels,
        )
        coded = encoder.encoded(replace(table, numbers=np.zeros((table.n, 0)), number_names=()))
        missing = np.repeat(table.codes < 0, table.levels, axis=1)
        middle = (self.arrays["category_shares"] - self.arrays["shares"]) * self.arrays["scale"]
        coded = np.where(missing, middle, coded)[:, kept]
        if not self.choices.fill:
            numbers[unknown] = np.nan
            coded[missing[:, kept]] = np.nan
        names = [
            f"{name} = {level}"
            for name, levels in zip(table.category_names, table.level_names, strict=True)
            for level in (levels or ("",))
        ]
        count = int(unknown.sum()) + int((table.codes < 0).sum())
        return (
            np.hstack([numbers, coded]),
            (*table.number_names, *(names[j] for j in kept)),
            count,
        )


def prepared(data: Dataset, choices: EncodingChoices) -> Dataset:
    """Return the items with only the columns to encode, as they are to be encoded.

    The columns that the features stand for, or all that are features where those are others.
    """
    used = used_columns(data) or tuple(
        column
        for column in data.table
        if column.role == "feature" and column.type in (*NUMERIC, *CODED)
    )
    if not used:
        return replace(data, table=())
    columns: list[Column] = []
    for column in used:
        if column.type == "date" and choices.dates != "number":
            columns += _on_circle(column, choices.dates)
        elif column.type == "ordered" and not choices.ranks:
            columns.append(replace(column, type="category"))
        else:
            columns.append(column)
    return Dataset(title=data.title, items=data.items, table=tuple(columns))


def _on_circle(column: Column, cycle: str) -> list[Column]:
    turn = 2 * np.pi * np.mod(column.values, CYCLES[cycle]) / CYCLES[cycle]
    return [
        Column(f"{column.name}, {cycle}, sine", np.sin(turn)),
        Column(f"{column.name}, {cycle}, cosine", np.cos(turn)),
    ]


def _weight(name: str, choices: EncodingChoices) -> float:
    """The two coordinates of a date on a circle weigh as much as one number."""
    ends = (f", {choices.dates}, sine", f", {choices.dates}, cosine")
    cyclic = choices.standardise and choices.dates != "number" and name.endswith(ends)
    return float(np.sqrt(0.5)) if cyclic else 1.0


def _middles(table: MixedTable) -> Floats:
    known = ~np.isnan(table.numbers)
    sums = np.where(known, table.numbers, 0.0).sum(axis=0)
    return np.asarray(sums / np.maximum(known.sum(axis=0), 1))


def _named(table: MixedTable, most: int) -> list[tuple[str, ...]]:
    """The categories of each column that get a feature; the last may stand for all others."""
    found = []
    for codes, names in zip(table.codes.T, table.level_names, strict=True):
        if len(names) <= most:
            found.append(names)
            continue
        counts = np.bincount(codes[codes >= 0], minlength=len(names))
        common = np.sort(np.argsort(-counts, kind="stable")[: most - 1])
        found.append((*(names[code] for code in common), OTHERS))
    return found


def _in_layout(data: Dataset, layout: Mapping[str, Any]) -> MixedTable:
    """The items in the columns of a layout; where it has "any other", unknown ones are that."""
    table = table_of(data)
    own = dict(zip(table.category_names, zip(table.codes.T, table.level_names, strict=True),
                   strict=True))  # fmt: skip
    found = table_like(data, layout)
    codes = found.codes.copy()
    for j, name in enumerate(found.category_names):
        levels: Sequence[str] = found.level_names[j]
        if levels and levels[-1] == OTHERS:
            there = own[name][0] >= 0
            codes[there & (codes[:, j] < 0), j] = len(levels) - 1
    return replace(found, codes=codes)


def _kept(table: MixedTable, categories: Categories) -> tuple[Array, Floats]:
    """Which indicators are kept, and what each is multiplied by in addition.

    Of two that mirror each other one is enough: √2 as large, distances are the same.
    """
    total = int(sum(table.levels))
    kept, factor = np.ones(total, dtype=np.bool_), np.ones(total)
    start = 0
    for count in table.levels:
        if count == 2 and categories != "rare":
            kept[start] = False
            factor[start + 1] = 1.0 if categories == "indicators" else np.sqrt(2.0)
        start += count
    return kept, factor
