"""Wines of three growers, from scikit-learn."""

from __future__ import annotations

from coterie.core.formats.samples.shipped import labelled
from coterie.core.model.dataset import Dataset

COLUMNS = (
    "alcohol",
    "malic acid",
    "ash",
    "alcalinity of ash",
    "magnesium",
    "total phenols",
    "flavanoids",
    "nonflavanoid phenols",
    "proanthocyanins",
    "color intensity",
    "hue",
    "od280/od315 of diluted wines",
    "proline",
)


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the 178 wines; there are no others to draw."""
    features, growers, _ = labelled("wine_data.csv")
    return Dataset(
        title="Wines",
        features=features,
        columns=COLUMNS,
        truth=growers,
        truth_names=("grower 1", "grower 2", "grower 3"),
        truth_column="grower",
        details={"source": "Forina et al. (1988), UCI, as distributed by scikit-learn"},
    )
