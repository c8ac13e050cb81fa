"""Which methods are recommended for which data."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from coterie.core.catalogue.registry import Registry
from coterie.core.model.columns import Column
from coterie.core.model.dataset import Dataset
from coterie.projects.recipe.recommend import recommended

CATALOGUE = Registry.load(safe_mode=True).catalogue
X = np.random.default_rng(0).normal(size=(60, 4))


def _uses(data: Dataset | None, kind: str = "") -> list[str]:
    return [one.use for one in recommended(data, CATALOGUE, kind)]


def test_the_automatic_answer_comes_first_for_tables() -> None:
    uses = _uses(Dataset(features=X))
    assert uses[0] == "clusterer/automatic"
    assert "transform/impute" not in uses
    assert len(uses) == len(set(uses))
    assert _uses(None) == []
    assert all(use.startswith("embedder/") for use in _uses(Dataset(features=X), "embedder"))


@pytest.mark.parametrize(
    ("features", "wanted"),
    [
        (np.where(X > 1.5, np.nan, X), "transform/impute"),
        (X * [1, 1, 1, 1000], "transform/standardise"),
        (np.tile(X, 20), "transform/pca"),
        (sp.csr_array(np.maximum(X, 0)), "transform/svd"),
        (np.zeros((30_000, 2)), "clusterer/leiden"),
    ],
)  # fmt: skip
def test_what_the_values_call_for(features: object, wanted: str) -> None:
    assert wanted in _uses(Dataset(features=features))  # type: ignore[arg-type]


def test_categories_relations_texts_and_classes() -> None:
    colours = Column("colour", np.zeros(60, dtype=np.int32), "category", categories=("red",))
    mixed = Dataset(features=X, table=(colours,))
    assert _uses(mixed)[1] == "clusterer/mixed-mixture"
    relation, texts = (
        Dataset(kind="relation", relation=np.eye(5)),
        Dataset(kind="texts", texts=("a b", "c d")),
    )
    assert _uses(relation)[:2] == ["clusterer/automatic", "clusterer/dominant-sets"]
    assert _uses(texts)[:2] == ["clusterer/automatic", "kernel/bag-of-words"]
    known = replace(Dataset(features=X), truth=np.zeros(60, int), truth_names=("a",))
    assert "metric/nmi" in _uses(known)
    assert all(one.why.endswith(".") for one in recommended(known, CATALOGUE))
