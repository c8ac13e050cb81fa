"""Edit groups: name, colour, merge and reorder the groups of another step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from coterie.core import (
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Field,
    ParameterError,
)
from coterie.core.numerics.drawing.palette import is_colour
from coterie.core.numerics.partitions.regrouping import regrouped, with_identity
from coterie.core.wording import counted

LONGEST_NAME = 200
T = TypeVar("T")


class EditGroups(Clusterer):
    """Rename, recolour, reorder or merge the groups of another step, or move items between them.

    Made in the window by naming, colouring, merging and moving groups. Numbers count from 1, as
    people read them. Items are moved first, then groups are put together and ordered; names and
    colours go by the new numbers. A group that is made of others keeps the colour of the first of
    them.
    """

    id, title = "edit-groups", "Edited groups"
    needs = ("clustering",)

    class Params(Clusterer.Params):
        """What becomes of the groups."""

        groups: list[list[int]] = Field(
            default_factory=list,
            description="The new groups in order, each as the numbers of the groups to merge; "
            "the other groups follow unchanged.",
        )
        moved: dict[str, list[int]] = Field(
            default_factory=dict,
            description="Items, numbered from 0, that belong to another group than the method "
            "found, by the number of that group before any merging.",
            json_schema_extra={"advanced": True},
        )
        names: dict[str, str] = Field(
            default_factory=dict, description="Names, by the number of the new group."
        )
        colours: dict[str, str] = Field(
            default_factory=dict,
            description='Colours as "#rrggbb", by the number of the new group.',
        )

    def compute(self, groups: Clustering, *, params: Params, context: Context) -> Clustering:
        """Return the same items in the edited groups."""
        context.check()
        made = groups if not params.moved else _moved(groups, params.moved)
        if params.groups:
            made = regrouped(made, [[number - 1 for number in old] for old in params.groups])
        for number, colour in params.colours.items():
            if colour and not is_colour(colour):
                raise ParameterError(
                    f"The colour of group {number:.40} must be like #1f77b4. Got '{colour:.40}'.",
                    code="invalid-parameters",
                )
        names = {at: _tidy(name) for at, name in _by_group(params.names, made).items()}
        made = with_identity(made, names, _by_group(params.colours, made))
        merged = groups.k - made.k
        notes = [f"{counted(merged + 1, 'group')} merged."] if merged else []
        if params.moved:
            count = len({item for items in params.moved.values() for item in items})
            notes.append(f"{counted(count, 'item')} moved by hand.")
        return replace(made, title=f"{counted(made.k, 'group')}, edited", notes=tuple(notes))

    def estimate(self, groups: Clustering, *, params: Params) -> Cost:
        """A label for each item, and its shares."""
        return Cost(bytes=(64 + 16 * groups.k) * groups.n, seconds=1e-7 * groups.n)


def _tidy(name: str) -> str:
    return " ".join(name.split())[:LONGEST_NAME]


def _moved(groups: Clustering, moved: Mapping[str, list[int]]) -> Clustering:
    """The groups with some items in others."""
    if groups.group_starts is not None:
        raise DataError(
            "Items of overlapping groups cannot be moved. Choose a method whose groups do not "
            "overlap.",
            code="input-mismatch",
        )
    labels = groups.labels.copy()
    shares = None if groups.membership is None else groups.membership.copy()
    for group, listed in _by_group(moved, groups).items():
        items = np.asarray(listed, dtype=np.int64)
        if len(items) and not 0 <= items.min() <= items.max() < groups.n:
            wrong = int(items.min() if items.min() < 0 else items.max())
            raise ParameterError(
                f"There is no item at position {wrong}: there are {groups.n}, from 0 to "
                f"{groups.n - 1}. Choose items of these data.",
                code="unknown-item",
            )
        labels[items] = group
        if shares is not None and shares.shape[1] == groups.k:
            shares[items] = np.eye(groups.k)[group]
    gone = np.setdiff1d(groups.labels, labels)
    if len(gone[gone >= 0]):
        raise ParameterError(
            f"Group {int(gone.max()) + 1} would have no items left. Merge it with another "
            "group instead.",
            code="invalid-parameters",
        )
    return replace(groups, labels=labels, membership=shares)


def _by_group(values: Mapping[str, T], groups: Clustering) -> dict[int, T]:
    found = {}
    for number, value in values.items():
        if not number.isdecimal() or not 1 <= int(number) <= groups.k:
            raise ParameterError(
                f"There are groups 1 to {groups.k}. Got group '{number:.40}'. Remove its name "
                "and colour.",
                code="unknown-group",
            )
        found[int(number) - 1] = value
    return found
