"""Change between two dates of the same pixels."""

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
from coterie.core.numerics.features.derived import CHANGE, with_change


class Change(Transform):
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

    class Params(Transform.Params):
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

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the items with their change, and the model that gives new items the same."""
        context.check()
        if not data.on_disk and (data.features is None or not data.d):
            data.clean_features()  # says what is wrong
        pairs = _pairs(data, params)
        settings = {"pairs": pairs, "what": params.what, "keep": params.keep}
        model = Model(title="Change between dates", dataset=data, settings=settings)
        if data.on_disk:
            return Output(with_derivation(data, CHANGE, settings), {"model": model})
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Give new items, with bands of the same names, their change."""
        context.check()
        changed = data.with_features(
            *with_change(data.dense_features(), data.columns, model.settings)
        )
        # Changes have no wavelengths.
        details = {k: v for k, v in data.details.items() if k != "wavelengths"}
        return replace(changed, details=details)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result, and a copy of the bands; of a scene, nothing yet."""
        if data.on_disk:
            return Cost(bytes=1 << 20, seconds=0.01)
        cells = 4 * data.n * data.d
        return Cost(bytes=8 * cells, seconds=2e-8 * cells)


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
