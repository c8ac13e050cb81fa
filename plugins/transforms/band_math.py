"""Band math: features that formulas make of the bands."""

from __future__ import annotations

from typing import Any

from coterie.core import Dataset, Field, ParameterError
from coterie.core.formats.rasters.derived import BandTransform

MOST = 100


class BandMath(BandTransform):
    """Features by formulas of the bands, such as `EVI2 = 2.5 * (B8 - B4) / (B8 + 2.4 * B4 + 1)`.

    A formula has bands, numbers, + − * / and %, brackets, and comparisons, which are 1 where they
    hold and 0 elsewhere; names with blanks stand in backticks. Where it divides by 0 its value is
    0. Of a scene on disk, formulas are computed window by window, as its pixels are read.
    """

    id, title = "band-math", "Band math"

    class Params(BandTransform.Params):
        """The formulas."""

        formulas: list[str] = Field(
            default_factory=list,
            description='Each as "name = formula", or a formula alone: B4 / B3.',
            json_schema_extra={"between": ";"},
        )

    def settings_of(self, data: Dataset, params: Params) -> dict[str, Any]:
        """Return the formulas, each with the name of its column."""
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
        return {"formulas": [list(one) for one in formulas], "keep": params.keep}

    def columns_made(self, params: Params) -> int:
        """Return the number of formulas."""
        return len(params.formulas)


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
