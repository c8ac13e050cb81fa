"""Items held out to measure how well a classifier does, and what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from coterie.core.model.arrays import Array, Ints
from coterie.core.model.results import Score
from coterie.core.numerics.partitions.accuracy import accuracy_of
from coterie.core.wording import listed

SQUARES = 12  # along the longer side of a scene
NOTHING_TO_SPARE = "No group has items to spare, so the accuracy was not measured."


def chosen_in_words(*, by_place: bool) -> str:
    """Return how items were chosen that are held out."""
    where = "in whole squares of the scene" if by_place else "one by one"
    return f"They were chosen at random, {where}."


def held_out(
    labels: Ints,
    share: float,
    rng: np.random.Generator,
    details: Mapping[str, Any] | None = None,
    by: Literal["place", "items"] = "place",
) -> tuple[Array, bool]:
    """Choose items to hold out, and say whether that was by place.

    Parameters
    ----------
    labels : (n,) group of each item
    share : of the items of each group; at least one of every group stays
    details : of the data; with "rows" and "columns", whole squares of the scene are held out, as
        neighbouring pixels are alike and would flatter the classifier
    """
    n = len(labels)
    squares = _squares(details or {}, n) if by == "place" else None
    units = np.arange(n) if squares is None else squares
    out = np.zeros(n, dtype=np.bool_)
    for group in range(int(labels.max(initial=-1)) + 1):
        members = np.flatnonzero(labels == group)
        wanted = min(round(share * len(members)), len(members) - 1)
        _take(out, members, units, wanted, rng)
    return out, squares is not None


def _take(out: Array, members: Ints, units: Ints, wanted: int, rng: np.random.Generator) -> None:
    """Hold out whole units of a group until enough items are, or the smallest alone."""
    if wanted < 1:
        return
    names, place = np.unique(units[members], return_inverse=True)
    if len(names) == 1:  # all at one place: there is nothing but the items to divide
        out[rng.permutation(members)[:wanted]] = True
        return
    for unit in rng.permutation(len(names)):
        inside = members[place == unit]
        if len(inside) <= wanted:
            out[inside] = True
            wanted -= len(inside)
    if not out[members].any():  # at most half of the group, as there is another unit
        out[members[place == np.bincount(place).argmin()]] = True


def _squares(details: Mapping[str, Any], n: int) -> Ints | None:
    """The square of the scene that each item is in; None when the places are not known."""
    rows, columns = (np.asarray(details.get(name, ())) for name in ("rows", "columns"))
    if rows.shape != (n,) or columns.shape != (n,) or n == 0:
        return None
    side = max(int(rows.max()), int(columns.max())) // SQUARES + 1
    found: Ints = (rows // side) * (SQUARES + 1) + columns // side
    return found.astype(np.int64)


def score_of(found: Ints, known: Ints, names: Sequence[str], k: int) -> Score:
    """Return the overall accuracy of labels, with its error matrix: map in rows, truth in columns.

    Items that the classifier leaves in no group are wrong.
    """
    counts = np.zeros((k + 1, k + 1), dtype=np.int64)
    np.add.at(counts, (np.where(found < 0, k, found), known), 1)
    called = tuple(names) if len(names) == k else tuple(f"group {i + 1}" for i in range(k))
    if not counts[k].any():
        counts, rows = counts[:k, :k], called
    else:
        rows = (*called, "no group")
    judged = accuracy_of(counts, rows)
    low, high = judged.overall_range
    without = [f"'{called[at]}'" for at in range(k) if not counts[:, at].any()]
    lacking = f" None of {listed(without)} was among them." if without else ""
    return Score(
        title="Accuracy on items held out",
        value=judged.overall,
        table=counts.astype(np.float64),
        rows=rows,
        columns=rows,
        notes=(
            f"{len(known)} items were held out: {judged.overall:.1%} of them are right "
            f"(95% interval {low:.1%} to {high:.1%}), kappa {judged.kappa:.3f}."
            f"{lacking}",
        ),
    )
