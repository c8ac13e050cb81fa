"""Band math: features that formulas make of the bands."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from coterie.core import (
    Context,
    Cost,
    Dataset,
    Field,
    Model,
    Output,
    ParameterError,
    Transform,
)
from coterie.core.formats.rasters.derived import with_derivation
from coterie.core.numerics.features.derived import FORMULAS, with_formulas

MOST = 100


class BandMath(Transform):
    """Features by formulas of the bands, such as `EVI2 = 2.5 * (B8 - B4) / (B8 + 2.4 * B4 + 1)`.

    A formula has bands, numbers, + − * / and %, brackets, and comparisons, which are 1 where they
    hold and 0 elsewhere; names with blanks stand in backticks. Where it divides by 0 its value is
    0. Of a scene on disk, formulas are computed window by window, as its pixels are read.
    """

    id, title = "band-math", "Band math"

    class Params(Transform.Params):
        """The formulas."""

        formulas: list[str] = Field(
            default_factory=list,
            description='Each as "name = formula", or a formula alone: B4 / B3.',
            json_schema_extra={"between": ";"},
        )
        keep: Literal["append", "replace"] = Field(
            "append", description="Whether the bands are kept before the new columns, or replaced."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the items with the new features, and the model that gives new items the same."""
        context.check()
        if not data.on_disk and (data.features is None or not data.d):
            data.clean_features()  # says what is wrong
        formulas = [_parted(text) for text in params.formulas if text.strip()]
        names = [name for name, _ in formulas]
        kept = data.columns if params.keep == "append" else ()
        twice = next((n for n in names if names.count(n) > 1 or n in kept), None)
        if not formulas or len(formulas) > MOST or twice is not None:
            raise ParameterError(
                f"There is a column '{twice:.60}' already. Give the formula another name."
                if twice is not None
                else f"There must be 1 to {MOST} formulas, such as ratio = "
                f"{data.columns[0]} / {data.columns[-1]}. Got {len(formulas)}.",
                code="invalid-parameters",
            )
        settings = {"formulas": [list(one) for one in formulas], "keep": params.keep}
        model = Model(title="Band math", dataset=data, settings=settings)
        if data.on_disk:
            return Output(with_derivation(data, FORMULAS, settings), {"model": model})
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Give new items, with bands of the same names, the same features."""
        context.check()
        changed = data.with_features(
            *with_formulas(data.dense_features(), data.columns, model.settings)
        )
        # The new columns have no wavelengths.
        details = {k: v for k, v in data.details.items() if k != "wavelengths"}
        return replace(changed, details=details)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result, and a copy of the bands; of a scene, nothing yet."""
        if data.on_disk:
            return Cost(bytes=1 << 20, seconds=0.01)
        cells = data.n * (2 * data.d + 2 * len(params.formulas))
        return Cost(bytes=8 * cells, seconds=2e-8 * cells)


def _parted(text: str) -> tuple[str, str]:
    """The name of a formula and the formula; one without a name is called as it is written.

    >>> _parted("ratio = B4 / B3"), _parted("B4 >= 2")
    (('ratio', 'B4 / B3'), ('B4 >= 2', 'B4 >= 2'))
    """
    name, equals, formula = text.partition("=")
    compares = name.rstrip().endswith(("<", ">", "!")) or formula.startswith("=")
    if not equals or compares:
        return text.strip(), text.strip()
    return name.strip().strip("`") or formula.strip(), formula.strip()
