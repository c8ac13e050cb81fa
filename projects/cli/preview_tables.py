"""What a person wants to see of a result first: groups rather than items, the best ones on top."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.formats.files.tables import ROW, Table, item_names, table_of
from coterie.core.model.results import Clustering, Ranking, Score

TYPICAL = 5
_LONGEST_NAME = 60  # of an item beside those of other groups


def overview_of(noun: Any) -> Table:
    """Return a table for the screen; the whole result where that is what a person looks at."""
    match noun:
        case Clustering():
            return _groups(noun)
        case Ranking() if noun.order is not None:
            table, order = without_rows(table_of(noun)), noun.order.tolist()
            return Table(table.names, tuple([column[i] for i in order] for column in table.columns))
        case Score():
            if noun.table is None or noun.table.ndim != 2:
                return Table((), ())
            rows = noun.rows or tuple(str(i) for i in range(noun.table.shape[0]))
            columns = noun.columns or tuple(str(j) for j in range(noun.table.shape[1]))
            return Table(("", *columns), (rows, *(column.tolist() for column in noun.table.T)))
    return without_rows(table_of(noun))


def without_rows(table: Table) -> Table:
    """Return a table without the rows of the file that its items are: names say enough."""
    kept = [at for at, name in enumerate(table.names) if name != ROW]
    return Table(tuple(table.names[at] for at in kept), tuple(table.columns[at] for at in kept))


def _groups(clustering: Clustering) -> Table:
    """A row for each group: how many items, how close, and its most typical ones."""
    items = np.array(item_names(clustering.dataset, clustering.n), dtype=object)
    told_apart = False
    columns: dict[str, list[Any]] = {"group": [], "items": [], "cohesiveness": [], "typical": []}
    for group in range(clustering.k):
        members = clustering.members(group)
        best = members
        if clustering.membership is not None:
            share = clustering.membership[members, group]
            best = members[np.argsort(-share, kind="stable")]
            told_apart |= len(members) > 0 and bool(np.ptp(share) > 0)
        held = clustering.cohesiveness
        columns["group"].append(clustering.group_names[group])
        columns["items"].append(len(members))
        columns["cohesiveness"].append(None if held is None else float(held[group]))
        columns["typical"].append(", ".join(items[best[:TYPICAL]]))
    if clustering.cohesiveness is None:
        del columns["cohesiveness"]
    if not told_apart:  # nothing shows which items are typical: these are the first
        columns["examples"] = columns.pop("typical")
    return Table(tuple(columns), tuple(columns.values()))


def by_group(ranking: Ranking, clustering: Clustering) -> Table:
    """Return the first items of each group side by side, when each was ranked on its own."""
    assert ranking.order is not None
    items = item_names(ranking.dataset, clustering.n)
    labels = clustering.labels[ranking.order]
    listed = [ranking.order[labels == group].tolist() for group in range(clustering.k)]
    longest = max(map(len, listed), default=0)
    columns = [
        [_short(items[i]) for i in members] + [""] * (longest - len(members)) for members in listed
    ]
    named = zip(clustering.group_names, listed, strict=True)
    heads = (f"{name} ({len(members)})" for name, members in named)
    return Table(("rank", *heads), (range(1, longest + 1), *columns))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
