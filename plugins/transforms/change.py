"""Change between two dates of the same pixels."""

from __future__ import annotations

from typing import Any, Literal

from coterie.core import Dataset, Field, ParameterError
from coterie.core.formats.rasters.derived import BandTransform


class Change(BandTransform):
    """What changed between two dates: differences, log ratios, or the change vector.

    Both dates are bands of one scene: open the folder of both, or a stack. The change vector has a
    length, how much changed, and a direction, what changed into what; groups of it are kinds of
    change. Of a scene on disk it is computed window by window, as its pixels are read.
    """

    id, title = "change", "Change between dates"
    reference = (
        "Malila (1980). Change vector analysis: an approach for detecting forest changes with "
        "Landsat."
    )

    class Params(BandTransform.Params):
        """Which bands are compared, and how."""

        before: list[str] = Field(
            default_factory=list,
            description="Bands of the first date; empty: the first half of all bands.",
        )
        after: list[str] = Field(
            default_factory=list,
            description="Bands of the second date, in the same order; empty: the second half.",
        )
        what: Literal["vector", "difference", "log-ratio"] = Field(
            "vector",
            description="Length and direction of the difference, the difference of each band, or "
            "the logarithm of their ratio, as for radar.",
        )
        keep: Literal["append", "replace"] = Field(
            "replace", description="Whether the bands are kept before the new columns, or replaced."
        )

    def settings_of(self, data: Dataset, params: Params) -> dict[str, Any]:
        """Return the pairs of bands that are compared, and how."""
        return {"pairs": _pairs(data, params), "what": params.what, "keep": params.keep}


def _pairs(data: Dataset, params: Change.Params) -> list[list[str]]:
    """Each band of the first date with that of the second."""
    before, after = list(params.before), list(params.after)
    if not before and not after:
        half, odd = divmod(len(data.columns), 2)
        if odd or not half:
            raise ParameterError(
                f"'{data.title}' has {len(data.columns)} bands, which cannot be split into two "
                "dates. Name the bands before and after.",
                code="invalid-parameters",
            )
        before, after = list(data.columns[:half]), list(data.columns[half:])
    if len(before) != len(after):
        raise ParameterError(
            f"Each band of the first date needs one of the second. Got {len(before)} and "
            f"{len(after)}.",
            code="invalid-parameters",
        )
    for name in (*before, *after):
        if name not in data.columns:
            raise ParameterError(
                f"'{data.title}' has no band '{name:.60}'. Its bands are: "
                f"{', '.join(data.columns):.200}.",
                code="unknown-band",
            )
    return [list(pair) for pair in zip(before, after, strict=True)]
