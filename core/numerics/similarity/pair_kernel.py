"""Similarities of new items to known ones by any kernel of the catalogue that compares pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.errors import DataError, ParameterError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.well_known import KERNEL_GAUSSIAN

if TYPE_CHECKING:
    from coterie.core.api.context import Context

PROBED = 24  # items on which it is tried whether a kernel compares pairs
AGREES = 1e-9  # relative to the largest similarity


@dataclass(frozen=True)
class PairKernel:
    """A kernel whose similarity of two items depends on these two alone.

    Attributes
    ----------
    use : such as "kernel/euler-gaussian"
    params : with what "auto" stands for on the data it was prepared for
    """

    use: str
    params: Mapping[str, Any]

    @classmethod
    def prepared(
        cls, use: str, params: Mapping[str, Any], data: Dataset, context: Context
    ) -> PairKernel:
        """Return the kernel as it is on `data`, or refuse one that learns from all items."""
        if not use.startswith("kernel/"):
            raise ParameterError(
                f"'{use}' is not a kernel. Name one as 'kernel/id'.",
                code="invalid-parameters",
            )
        whole: Any = context.run(use, data, params=dict(params)).main
        known = dict(params)
        sigma = whole.details.get("sigma")
        if sigma is not None and known.get("sigma", "auto") == "auto":
            known["sigma"] = float(sigma)
        kernel = cls(use, known)
        some = np.unique(np.linspace(0, data.n - 1, min(PROBED, data.n)).astype(np.int64))
        alone = kernel.among(data.take(some), context)
        among_all = np.asarray(whole.submatrix(some).to_dense(), dtype=np.float64)
        most = float(np.abs(among_all).max(initial=0.0))
        if not np.abs(alone - among_all).max(initial=0.0) <= AGREES * most:
            raise ParameterError(
                f"{use} learns the similarity of two items from all of them; that of new items "
                f"is not known. Choose a kernel of two items, such as {KERNEL_GAUSSIAN}.",
                code="invalid-parameters",
            )
        return kernel

    def among(self, items: Dataset, context: Context) -> Floats:
        """Return the (m, m) similarities of items."""
        found: Any = context.run(self.use, items, params=dict(self.params)).main
        return np.asarray(found.to_dense(), dtype=np.float64)

    def between(self, new: Dataset, known: Dataset, context: Context) -> Floats:
        """Return the (n, m) similarities of new items to known ones, some of them at a time."""
        result = np.empty((new.n, known.n))
        height = max(known.n, 256)  # so most of what is computed is of use
        for start in range(0, new.n, height):
            context.check()
            rows: Ints = np.arange(start, min(start + height, new.n))
            both = self.among(_stacked(known, new.take(rows)), context)
            result[rows] = both[known.n :, : known.n]
        return result


def items_as(features: Floats | None, texts: tuple[str, ...]) -> Dataset:
    """Return items that are described by numbers, or by texts."""
    return (
        Dataset(features=features) if features is not None else Dataset(kind="texts", texts=texts)
    )


def _stacked(one: Dataset, other: Dataset) -> Dataset:
    if one.features is None:
        if other.features is not None or not other.texts:
            raise DataError("The groups are of texts, and these items are not.", code="no-texts")
        return items_as(None, (*one.texts, *other.texts))
    return items_as(np.vstack([one.dense_features(), other.dense_features()]), ())
