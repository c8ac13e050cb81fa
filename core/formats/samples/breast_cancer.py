"""Tumours of the breast, benign and malignant, from scikit-learn."""

from __future__ import annotations

from coterie.core.formats.samples.shipped import labelled
from coterie.core.model.dataset import Dataset

MEASURES = (
    "radius",
    "texture",
    "perimeter",
    "area",
    "smoothness",
    "compactness",
    "concavity",
    "concave points",
    "symmetry",
    "fractal dimension",
)
COLUMNS = tuple(
    form.format(measure) for form in ("mean {}", "{} error", "worst {}") for measure in MEASURES
)


def make(seed: int, n: int) -> Dataset:  # noqa: ARG001 - what every maker takes
    """Return the 569 tumours; there are no others to draw."""
    features, diagnoses, names = labelled("breast_cancer.csv")
    return Dataset(
        title="Breast tumours",
        features=features,
        columns=COLUMNS,
        truth=diagnoses,
        truth_names=names,
        truth_column="diagnosis",
        details={"source": "Wolberg et al. (1995), UCI, as distributed by scikit-learn"},
    )
