"""What the numbers of a table say by themselves, where there are categories beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from coterie.core import well_known
from coterie.core.api.components import Output
from coterie.core.api.context import Context
from coterie.core.errors import Cancelled, CoterieError
from coterie.core.model.columns import NUMERIC
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.core.numerics.automatic.agreement import pairwise_adjusted_rand
from coterie.core.numerics.automatic.choice import CLAIMED

FEWEST: Final = 2  # numbers; a single one says little
FEW_VALUES: Final = 10  # different ones, with which a number is as good as a category
SAME: Final = 0.7  # agreement from which what the numbers say is the answer itself
PREFIX: Final = "Numbers alone: "


def numbers_of(data: Dataset) -> list[str]:
    """Return the features that are measured numbers or dates, where there are others too.

    A number of few values, such as a year or a count of rooms, divides items as a category does.
    """
    numeric = {
        column.name
        for column in data.table
        if column.type in NUMERIC and len(np.unique(column.values)) > FEW_VALUES
    }
    found = [name for name in data.columns if name in numeric]
    return found if FEWEST <= len(found) < data.d else []


def with_numbers_alone(
    output: Output, data: Dataset, params: Mapping[str, Any], context: Context
) -> Output:
    """Return an answer with those that the numbers alone give, where they are different.

    A category that goes across the groups, as the sex does across species, hides them among all
    columns; without the categories they may be plain.

    Parameters
    ----------
    params : with which the automatic answer was asked
    """
    main: Any = output.main
    names = numbers_of(data)
    if not names or not main.details["candidates"]:
        return output
    try:
        numbers = context.run(well_known.TRANSFORM_SELECT, data, params={"columns": names}).main
        alone = context.run(well_known.CLUSTERER_AUTOMATIC, numbers, params=params)
    except Cancelled:
        raise
    except CoterieError:
        return output  # the answer of all columns is there; it says what it was made of
    found: Any = alone.main
    parts, rows = dict(output.parts), list(main.details["candidates"])
    offered = [main, *(parts[row["part"]] for row in rows if row["answer"] and row["part"])]
    before = len(rows)
    for row in found.details["candidates"]:
        groups: Any = found if row["chosen"] else alone.parts[row["part"]]
        claimed = row["answer"] and row["expected"] >= CLAIMED
        if not claimed or any(_agreement(groups, other) >= SAME for other in offered):
            continue
        part = f"alternative-{len(parts) + 1}"
        parts[part] = Clustering(
            title=PREFIX + row["title"], dataset=main.dataset, labels=groups.labels
        )
        rows.append(_row(row, part, names))
    if len(rows) == before:
        return output
    said = f"{PREFIX}{found.details['sentence']}"
    main = Clustering(
        title=main.title,
        dataset=main.dataset,
        labels=main.labels,
        membership=main.membership,
        notes=(*main.notes, said),
        details={**main.details, "candidates": rows, "numbers_alone": found.details["sentence"]},
    )
    return Output(main, parts)


def _row(row: Mapping[str, Any], part: str, names: list[str]) -> dict[str, Any]:
    """A candidate of the numbers as one of the whole table."""
    chosen = {
        "name": "numbers",
        "use": well_known.TRANSFORM_SELECT,
        "of": [""],
        "params": {"columns": names},
    }
    steps = [
        {**step, "of": ["numbers" if name == "" else name for name in step["of"]]}
        for step in row["steps"]
    ]
    return {
        **row,
        "title": PREFIX + row["title"],
        "chosen": False,
        "part": part,
        "steps": [chosen, *steps],
    }


def _agreement(groups: Clustering, other: Clustering) -> float:
    both = [np.unique(one.labels, return_inverse=True)[1] for one in (groups, other)]
    return float(pairwise_adjusted_rand(np.stack(both))[0, 1])
