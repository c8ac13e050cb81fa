"""Take some of the items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from coterie.core import (
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Ints,
    Transform,
    hookimpl,
)


class Sample(Transform):
    """A random sample of the items, at will with as many of each known class.

    The items keep their order. Which ones are taken depends on the seed alone.
    """

    id, title = "sample", "Sample of the items"

    class Params(Transform.Params):
        """How many, and whether of each class alike."""

        size: int = Field(
            1000,
            ge=1,
            description="Number of items to take; all when there are fewer.",
            json_schema_extra={"slider": [100, 10_000], "log": True, "unit": "items"},
        )
        balanced_by: Literal["none", "truth"] = Field(
            "none",
            description="Whether each known class is to have as many items, as far as it has them.",
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Dataset:
        """Return the sample."""
        context.check()
        if data.n == 0:
            raise DataError(f"'{data.title}' is empty, so that there is nothing to take.")
        if data.features is not None:
            data.clean_features()  # missing values are told at the first step that sees them
        if params.balanced_by == "truth":
            chosen = _balanced(data, params.size, context)
        else:
            chosen = context.rng.permutation(data.n)[: params.size]
        chosen = np.sort(chosen)
        note = f"A sample of {len(chosen)} of {data.n} items."
        # Pixels without their neighbours are no picture.
        details = {k: v for k, v in data.details.items() if k not in ("height", "width")}
        return replace(
            data.take(chosen),
            notes=(*data.notes, note),
            details={**details, "positions": chosen.tolist()},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The sample."""
        taken = min(data.n, params.size)
        return Cost(bytes=16 * taken * (data.d + 8) + 16 * data.n, seconds=1e-7 * data.n)


def _balanced(data: Dataset, size: int, context: Context) -> Ints:
    """As many of each class as can be had; what a small class lacks the others make up for."""
    if data.truth is None or not (data.truth >= 0).any():
        raise DataError(
            f"'{data.title}' has no known classes to balance a sample by. "
            "Choose a column of classes when reading it, or balance by none."
        )
    classes = [np.flatnonzero(data.truth == c) for c in range(int(data.truth.max()) + 1)]
    classes = sorted((members for members in classes if len(members)), key=len)
    parts, left = [], size
    for number, members in enumerate(classes):
        share = min(len(members), -(-left // (len(classes) - number)))
        parts.append(context.rng.permutation(members)[:share])
        left -= share
    return np.concatenate(parts)


@hookimpl
def coterie_transforms() -> Sequence[type[Transform]]:
    """Offer samples."""
    return [Sample]
