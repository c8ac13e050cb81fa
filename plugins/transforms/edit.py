"""Correct the names and known classes of single items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from coterie.core import Context, Cost, DataError, Dataset, Field, Transform


class Edit(Transform):
    """Change the name or the known class of single items.

    Items are given by number, the first being 1, as names may repeat. A class that was not
    there before is added; an empty one makes the class of an item unknown.
    """

    id, title = "edit", "Corrected names and classes"
    # Columns are as they were, so there is nothing to do for new items.
    chooses_items = True

    class Params(Transform.Params):
        """Which items, and their new names and classes."""

        names: dict[str, str] = Field(
            default_factory=dict, description="New names, by the number of the item."
        )
        truth: dict[str, str] = Field(
            default_factory=dict, description="Known classes, by the number of the item."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Dataset:
        """Return the corrected data."""
        context.check()
        if data.on_disk:
            raise DataError(
                f"'{data.title}' is a raster, whose pixels have no names to correct. Use a subset "
                f"first (transform/sample).",
                code="scene-on-disk",
            )
        if data.n == 0:
            raise DataError(
                f"'{data.title}' is empty, so there is nothing to correct.", code="empty-data"
            )
        changed = data
        if params.names:
            items = list(data.item_names)
            for place, name in _by_place(params.names, data).items():
                items[place] = name
            changed = replace(changed, items=tuple(items))
        if params.truth:
            changed = _reclassified(changed, _by_place(params.truth, data))
        return changed

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The names and classes; the features are shared."""
        return Cost(bytes=128 * data.n, seconds=1e-7 * data.n)


def _reclassified(data: Dataset, classes: Mapping[int, str]) -> Dataset:
    names = list(data.truth_names)
    truth = np.full(data.n, -1, dtype=np.int64) if data.truth is None else data.truth.copy()
    # A class without a name of its own is called by its number, as everywhere.
    names += [f"class {c + 1}" for c in range(len(names), int(truth.max(initial=-1)) + 1)]
    for place, name in classes.items():
        if name and name not in names:
            names.append(name)
        truth[place] = names.index(name) if name else -1
    return replace(data, truth=truth, truth_names=tuple(names))


def _by_place(edits: Mapping[str, str], data: Dataset) -> dict[int, str]:
    """The edits by 0-based position, once each is known to be about an item."""
    found = {}
    for number, value in edits.items():
        if not number.isdecimal() or not 1 <= int(number) <= data.n:
            raise DataError(
                f"'{data.title}' has items 1 to {data.n}. Got item '{number:.40}'. "
                "Remove that correction.",
                code="unknown-item",
            )
        found[int(number) - 1] = value.strip()
    return found
