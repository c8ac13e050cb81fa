"""Coterie's engine, and all that a plugin author needs: ``from coterie.core import …``.

Names are loaded when first used, so that importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coterie.core.affinity import Affinity as Affinity
    from coterie.core.arrays import Array as Array
    from coterie.core.arrays import Floats as Floats
    from coterie.core.arrays import Ints as Ints
    from coterie.core.components import Classifier as Classifier
    from coterie.core.components import Clusterer as Clusterer
    from coterie.core.components import Component as Component
    from coterie.core.components import Cost as Cost
    from coterie.core.components import Embedder as Embedder
    from coterie.core.components import Graph as Graph
    from coterie.core.components import Kernel as Kernel
    from coterie.core.components import Metric as Metric
    from coterie.core.components import Output as Output
    from coterie.core.components import Ranker as Ranker
    from coterie.core.components import Reader as Reader
    from coterie.core.components import Transform as Transform
    from coterie.core.components import Writer as Writer
    from coterie.core.context import Context as Context
    from coterie.core.dataset import Dataset as Dataset
    from coterie.core.errors import Cancelled as Cancelled
    from coterie.core.errors import CoterieError as CoterieError
    from coterie.core.errors import DataError as DataError
    from coterie.core.errors import ParameterError as ParameterError
    from coterie.core.glimpses import Glimpse as Glimpse
    from coterie.core.hooks import hookimpl as hookimpl
    from coterie.core.parameters import Field as Field
    from coterie.core.results import Clustering as Clustering
    from coterie.core.results import Embedding as Embedding
    from coterie.core.results import Labelling as Labelling
    from coterie.core.results import Model as Model
    from coterie.core.results import Ranking as Ranking
    from coterie.core.results import Score as Score
    from coterie.core.results import Spectrum as Spectrum
    from coterie.core.results import Trace as Trace

_HOMES = {
    "affinity": ("Affinity",),
    "arrays": ("Array", "Floats", "Ints"),
    "components": (
        "Classifier",
        "Clusterer",
        "Component",
        "Cost",
        "Embedder",
        "Graph",
        "Kernel",
        "Metric",
        "Output",
        "Ranker",
        "Reader",
        "Transform",
        "Writer",
    ),
    "context": ("Context",),
    "dataset": ("Dataset",),
    "errors": ("Cancelled", "CoterieError", "DataError", "ParameterError"),
    "glimpses": ("Glimpse",),
    "hooks": ("hookimpl",),
    "parameters": ("Field",),
    "results": (
        "Clustering",
        "Embedding",
        "Labelling",
        "Model",
        "Ranking",
        "Score",
        "Spectrum",
        "Trace",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    try:
        home = _HOME_OF[name]
    except KeyError:
        raise AttributeError(f"module 'coterie.core' has no attribute '{name}'") from None
    return getattr(import_module(f"coterie.core.{home}"), name)


def __dir__() -> list[str]:
    return __all__
