"""Where the exemplars of groups are during a run, and the paths they took.

Destinations are items. A mean is where the members of its group are on average, which in a plane
that is a projection of the features is where the mean itself is seen.
"""

from __future__ import annotations

import numpy as np

from coterie.core.api.frame import Frame
from coterie.core.model.arrays import Array, Floats
from coterie.gui.views.shown_items.run_monitor import Live

LONGEST = 24  # steps of a way that are drawn


def exemplar_ways(live: Live, x: Floats, y: Floats) -> Floats:
    """Return the (steps, k, 2) places of the exemplars up to the moment that is looked at.

    Empty when the run has none, or speaks of other items.
    """
    nothing = np.empty((0, 0, 2))
    moment = live.moment
    if moment is None:
        return nothing
    moves = [move for move in live.moves if move.iteration <= moment.iteration][-LONGEST:]
    if not moves:
        return nothing
    if moves[-1].items is not None:
        items = [move.items for move in moves if move.items is not None]
        places = [_places(x, y, chosen) for chosen in items if chosen.max(initial=0) < len(x)]
    else:
        before = [m for m in live.moments if m.iteration <= moment.iteration][-LONGEST:]
        places = [_means(x, y, one) for one in before or [moment]]
    # Another start may have had another number of groups.
    last = [place for place in places if place.shape == places[-1].shape]
    return np.stack(last) if last else nothing


def _places(x: Floats, y: Floats, items: Array) -> Floats:
    return np.column_stack([x[items], y[items]])


def _means(x: Floats, y: Floats, moment: Frame) -> Floats:
    labels = moment.spread(moment.labels, len(x), -1)
    if labels is None:
        return np.empty((0, 2))
    held = (labels >= 0) & np.isfinite(x) & np.isfinite(y)
    group = labels[held].astype(np.int64)
    counts = np.maximum(np.bincount(group), 1)
    return np.column_stack([np.bincount(group, weights=of[held]) / counts for of in (x, y)])
