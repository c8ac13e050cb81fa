"""Recommends methods for the open data, with the reason for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core import well_known
from coterie.core.model.arrays import is_sparse
from coterie.core.wording import counted

if TYPE_CHECKING:
    from coterie.core.catalogue.descriptors import Catalogue
    from coterie.core.model.dataset import Dataset

MANY_ITEMS = 20_000
FEW_ITEMS = 5_000  # up to which every pair can be looked at
MANY_COLUMNS = 50
_LOOKED_AT = 5_000  # items on which values are judged


@dataclass(frozen=True)
class Recommendation:
    """A method, "kind/id", and in a sentence why it suits the data."""

    use: str
    why: str


def recommended(
    data: Dataset | None, catalogue: Catalogue, kind: str = ""
) -> tuple[Recommendation, ...]:
    """Return the methods that suit the data, the most useful first.

    Parameters
    ----------
    kind : only methods of this kind; empty for all
    """
    if data is None:
        return ()
    found: dict[str, Recommendation] = {}
    for one in _for(data):
        if one.use in catalogue and (not kind or one.use.startswith(f"{kind}/")):
            found.setdefault(one.use, one)
    return tuple(found.values())


def _for(data: Dataset) -> Iterator[Recommendation]:
    if data.on_disk:
        yield from _for_scenes()
    elif data.relation is not None and data.features is None:
        yield from _for_relations()
    elif data.kind == "texts" and data.texts:
        yield from _for_texts()
    else:
        yield from _for_tables(data)


def _for_scenes() -> Iterator[Recommendation]:
    yield Recommendation(
        well_known.TRANSFORM_SAMPLE,
        "A scene stays on disk: groups are found in some of its pixels.",
    )
    yield Recommendation(
        well_known.CLASSIFIER_NEAREST, "It then labels every other pixel of the scene."
    )


def _for_relations() -> Iterator[Recommendation]:
    why = "The file holds similarities of every two items."
    yield Recommendation(
        well_known.CLUSTERER_AUTOMATIC,
        "Start here: it chooses the method and the number of groups.",
    )
    yield Recommendation(
        well_known.CLUSTERER_DOMINANT_SETS, f"{why} You need not choose the number of groups."
    )
    yield Recommendation(well_known.CLUSTERER_LEIDEN, f"{why} It finds any number of communities.")
    yield Recommendation(well_known.CLUSTERER_NCUT, f"{why} It cuts them into a number you choose.")


def _for_texts() -> Iterator[Recommendation]:
    yield Recommendation(
        well_known.CLUSTERER_AUTOMATIC,
        "Start here: it chooses the method and the number of groups.",
    )
    yield Recommendation(well_known.KERNEL_BAG_OF_WORDS, "Texts are compared by words they share.")
    yield Recommendation(
        well_known.KERNEL_SPECTRUM, "Short texts or names are compared by their letters."
    )
    yield Recommendation(well_known.CLUSTERER_JOINT, "It finds groups and their typical items.")


def _for_tables(data: Dataset) -> Iterator[Recommendation]:
    mixed = any(
        column.role == "feature" and column.type in ("category", "ordered") for column in data.table
    )
    yield Recommendation(
        well_known.CLUSTERER_AUTOMATIC,
        "Start here: it chooses the method and the number of groups.",
    )
    if mixed:
        why = "Some columns are categories"
        yield Recommendation(well_known.CLUSTERER_MIXED_MIXTURE, f"{why}; the number by evidence.")
        yield Recommendation(well_known.CLUSTERER_K_PROTOTYPES, f"{why}; you choose the number.")
        yield Recommendation(well_known.KERNEL_GOWER, f"{why}: Gower compares them as they are.")
        yield Recommendation(
            well_known.EMBEDDER_FAMD, f"{why}: a picture of numbers and categories."
        )
    yield from _for_values(data)
    items = counted(data.n, "item")
    yield Recommendation(
        well_known.CLUSTERER_HDBSCAN, "Groups of any shape; outliers stay unassigned."
    )
    if data.n > MANY_ITEMS:
        yield Recommendation(well_known.CLUSTERER_KMEANS, f"Quick for {items}; groups are round.")
        yield Recommendation(
            well_known.CLUSTERER_LEIDEN, f"Scales to {items}; any number of groups."
        )
    else:
        yield Recommendation(
            well_known.CLUSTERER_GAUSSIAN_MIXTURE, "Groups are ellipses, with shares of membership."
        )
    if data.n <= FEW_ITEMS:
        yield Recommendation(
            well_known.CLUSTERER_AGGLOMERATIVE, f"{items}: few enough to see groups at every level."
        )
        yield Recommendation(
            well_known.CLUSTERER_DOMINANT_SETS, f"{items}: few enough to compare every pair."
        )
    yield Recommendation(well_known.EMBEDDER_TSNE, "A picture in which groups appear as islands.")
    yield Recommendation(well_known.RANKER_OUTLIERS, "Finds items unlike all others.")
    if data.truth is not None:
        why = f"'{data.truth_column or 'truth'}' is known: see how well the groups agree with it."
        yield Recommendation(well_known.METRIC_NMI, why)


def _for_values(data: Dataset) -> Iterator[Recommendation]:
    """What the values of the columns call for."""
    features: Any = data.features
    if features is None:
        return
    if is_sparse(features):
        yield Recommendation(
            well_known.TRANSFORM_SVD, "Most values are 0: reduce them to a few columns."
        )
        return
    some = np.asarray(features[:: max(1, data.n // _LOOKED_AT)], dtype=float)
    missing = ~np.isfinite(some)
    if missing.any():
        share = f"{missing.mean():.1%}"
        yield Recommendation(well_known.TRANSFORM_IMPUTE, f"{share} of the values are missing.")
    known = np.where(missing, np.nan, some)
    with np.errstate(all="ignore"):
        low = np.min(np.where(missing, np.inf, known), axis=0, initial=np.inf)
        high = np.max(np.where(missing, -np.inf, known), axis=0, initial=-np.inf)
    spread = (high - low)[np.isfinite(high - low)]
    varied = spread[spread > 0]
    if len(varied) and varied.max() > 10 * varied.min():
        yield Recommendation(
            well_known.TRANSFORM_STANDARDISE,
            "Columns have very different ranges, and the widest would dominate.",
        )
    if data.d > MANY_COLUMNS:
        yield Recommendation(
            well_known.TRANSFORM_PCA, f"{counted(data.d, 'column')}: keep the main directions."
        )
