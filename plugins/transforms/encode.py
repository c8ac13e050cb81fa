"""Categories, ordered categories and dates as numbers."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Literal

from coterie.core import Context, Cost, Dataset, Field, Model, Output, Transform
from coterie.core.numerics.mixed.encoding import ColumnEncoding, EncodingChoices


class Encode(Transform):
    """Turn the columns of a table into numbers: categories, ordered categories and dates as well.

    A table comes with a default encoding; this step makes another from the columns as they were
    read. Each column weighs as much as one standardised number unless asked otherwise. New items
    are encoded by what was learned here; a category that was not seen counts as missing.
    """

    id, title = "encode", "Encode columns"
    reference = "Pagès (2014). Multiple Factor Analysis by Example Using R. CRC Press."

    class Params(Transform.Params):
        """How columns become numbers."""

        categories: Literal["equal", "rare", "indicators"] = Field(
            "equal",
            description="One column for each category, scaled: 'equal' gives the whole column "
            "the weight of one number, 'rare' gives more weight to sharing a rare category, "
            "'indicators' are plain zeros and ones.",
        )
        ordered: Literal["ranks", "categories"] = Field(
            "ranks",
            description="Encode ordered categories as ranks, or like categories without order.",
        )
        dates: Literal["number", "year", "week", "day"] = Field(
            "number",
            description="Encode dates as one number, or as the position in a cycle: season, day "
            "of the week, or time of day.",
        )
        numbers: Literal["standardise", "keep"] = Field(
            "standardise",
            description="Scale numbers to mean 0 and standard deviation 1, or keep them.",
        )
        missing: Literal["middle", "keep"] = Field(
            "middle",
            description="Set missing values to the middle of their column, or keep them missing.",
        )
        most_categories: int = Field(
            100,
            ge=2,
            description="Maximum number of categories of a column that get their own number; "
            "rarer ones share one.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the encoded columns, and the model that encodes new items likewise."""
        context.check()
        choices = EncodingChoices(
            categories=params.categories,
            ranks=params.ordered == "ranks",
            dates=params.dates,
            standardise=params.numbers == "standardise",
            fill=params.missing == "middle",
            most=params.most_categories,
        )
        encoding = ColumnEncoding.fitted(data, choices)
        context.check()
        model = Model(
            title="How columns become numbers",
            dataset=data,
            arrays=encoding.arrays,
            settings={**encoding.settings, "choices": asdict(choices)},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Encode new items as the fitted ones were."""
        context.check()
        choices = EncodingChoices(**model.settings["choices"])
        encoding = ColumnEncoding(choices, model.arrays, model.settings)
        features, names, missing = encoding.features(data)
        changed = data.with_features(features, names)
        if not missing:
            return changed
        done = "set to the middle of their column" if choices.fill else "kept missing"
        return replace(changed, notes=(*data.notes, f"Missing values: {missing}, {done}."))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result and some working copies."""
        width = data.d or sum(max(1, len(column.categories)) for column in data.table)
        return Cost(bytes=48 * data.n * max(1, width), seconds=3e-8 * data.n * max(1, width))
