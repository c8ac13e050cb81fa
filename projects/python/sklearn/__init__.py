"""Coterie's methods as scikit-learn estimators: `from coterie.sklearn import NcutClusterer`.

There is a class for each clusterer, embedder, transform, kernel, ranker and classifier, plugins'
included, made from the catalogue when it is first asked for. `dir(coterie.sklearn)` lists them;
`estimator("clusterer/ncut")` gives one by the name of its method. docs/python.md shows their use.
"""

from __future__ import annotations

from typing import Any

from coterie.sklearn.classes import estimator as estimator
from coterie.sklearn.classes import estimators as estimators
from coterie.sklearn.names import class_names

__all__ = ["estimator", "estimators"]


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    names = class_names(plugins=False)
    if name not in names:
        names = class_names(plugins=True)
    if name not in names:
        raise AttributeError(f"module 'coterie.sklearn' has no attribute '{name}'")
    return estimator(names[name])


def __dir__() -> list[str]:
    return sorted([*__all__, *class_names(plugins=True)])
