"""Upgrades recipes of earlier formats: their defaults are written out as they were then.

`format = 2` in a recipe says that it was written for the defaults of Coterie 0.2. A recipe without
it was written for 0.1, and goes on computing what it did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from coterie.core import well_known
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step

FORMAT = 2

# What 0.1 took for parameters whose default is another in 0.2, by "kind/id". Who changes a default
# adds the old one here. Not None, which TOML cannot write. A reader that the source does not name
# is found by the ending of the file.
DEFAULTS_OF_FORMAT_1: Mapping[str, Mapping[str, Any]] = {
    well_known.CLUSTERER_DOMINANT_SETS: {"rest_sigma": 0.0},
    well_known.CLUSTERER_JOINT: {"form": "document"},
    well_known.EMBEDDER_JOINT: {"form": "document"},
    well_known.KERNEL_EULER_GAUSSIAN: {"sigma": 1.0},
    well_known.RANKER_JOINT: {"form": "document"},
    well_known.READER_ARFF: {"features": "numbers"},
    well_known.READER_CSV: {"features": "numbers"},
    well_known.READER_EXCEL: {"features": "numbers"},
    well_known.READER_PARQUET: {"features": "numbers"},
}
# What has another name now, as its name has become that of something else.
RENAMED_SINCE_FORMAT_1: Mapping[str, str] = {
    well_known.EMBEDDER_EULER_PCA: well_known.EMBEDDER_EULER_PCA_REAL,
}
# Methods that have another version now, and with the old defaults still compute what 0.1 did.
SAME_AS_FORMAT_1: Mapping[str, str] = {
    well_known.READER_ARFF: "2",
    well_known.READER_CSV: "3",
    well_known.READER_EXCEL: "2",
    well_known.READER_PARQUET: "2",
}
# The readers of those endings in 0.1, as far as they are among the above.
_READERS_OF_FORMAT_1 = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz"), well_known.READER_CSV),
    ".txt.gz": well_known.READER_CSV,
    **dict.fromkeys((".arff", ".arff.gz"), well_known.READER_ARFF),
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), well_known.READER_EXCEL),
    **dict.fromkeys((".parquet", ".pq"), well_known.READER_PARQUET),
}


def check_format(written: object) -> int:
    """Return the format that a recipe says it has, or refuse it; without one it is 1."""
    if written is None:
        return 1
    if not isinstance(written, int) or isinstance(written, bool) or written < 1:
        raise RecipeError(
            f"The format of a recipe is a whole number from 1 to {FORMAT}. Got {written!r:.80}.",
            code="invalid-recipe",
        )
    if written > FORMAT:
        raise RecipeError(
            f"The recipe has format {written}, and this version of Coterie reads formats up to "
            f"{FORMAT}. Open it with a newer version.",
            code="newer-version",
        )
    return written


def upgrade(
    recipe: Recipe,
    written: int,
    defaults: Mapping[str, Mapping[str, Any]] | None = None,
) -> Recipe:
    """Return a recipe of an earlier format as one of the present format that computes the same.

    Parameters
    ----------
    written : the format that it has
    defaults : `DEFAULTS_OF_FORMAT_1` unless given

    Examples
    --------
    >>> from coterie.core.model.recipes import Step
    >>> old = Recipe(steps=(Step("groups", "clusterer/old", params={"k": 3}),))
    >>> dict(upgrade(old, 1, {"clusterer/old": {"sigma": 0.5}}).step("groups").params)
    {'sigma': 0.5, 'k': 3}
    """
    known = DEFAULTS_OF_FORMAT_1 if defaults is None else defaults
    if written >= FORMAT or not known:
        return recipe

    def explicit(method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**known.get(method, {}), **params}

    def updated(step: Step) -> Step:
        use = RENAMED_SINCE_FORMAT_1.get(step.use, step.use)
        return replace(step, use=use, params=explicit(step.use, step.params))

    return replace(
        recipe,
        sources=tuple(replace(s, params=explicit(_reader(s), s.params)) for s in recipe.sources),
        steps=tuple(updated(step) for step in recipe.steps),
    )


def _reader(source: Source) -> str:
    """The reader of a source, also when only the ending of its file says so."""
    name = source.open.lower()
    endings = _READERS_OF_FORMAT_1.items()
    return source.reader or next((reader for end, reader in endings if name.endswith(end)), "")
