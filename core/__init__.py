"""Coterie's engine, and all that a plugin author needs: ``from coterie.core import …``.

Names are loaded when first used, so importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coterie.core.api.components import Classifier as Classifier
    from coterie.core.api.components import Clusterer as Clusterer
    from coterie.core.api.components import Component as Component
    from coterie.core.api.components import Cost as Cost
    from coterie.core.api.components import Embedder as Embedder
    from coterie.core.api.components import Graph as Graph
    from coterie.core.api.components import Kernel as Kernel
    from coterie.core.api.components import Metric as Metric
    from coterie.core.api.components import Output as Output
    from coterie.core.api.components import Plot as Plot
    from coterie.core.api.components import Ranker as Ranker
    from coterie.core.api.components import Reader as Reader
    from coterie.core.api.components import Sample as Sample
    from coterie.core.api.components import Transform as Transform
    from coterie.core.api.components import Writer as Writer
    from coterie.core.api.context import Context as Context
    from coterie.core.api.curves import Curve as Curve
    from coterie.core.api.hooks import hookimpl as hookimpl
    from coterie.core.api.parameters import Field as Field
    from coterie.core.api.partial_affinity import Glimpse as Glimpse
    from coterie.core.api.templates import RecipeTemplate as RecipeTemplate
    from coterie.core.errors import Cancelled as Cancelled
    from coterie.core.errors import CoterieError as CoterieError
    from coterie.core.errors import DataError as DataError
    from coterie.core.errors import ParameterError as ParameterError
    from coterie.core.model.affinity import Affinity as Affinity
    from coterie.core.model.arrays import Array as Array
    from coterie.core.model.arrays import Floats as Floats
    from coterie.core.model.arrays import Ints as Ints
    from coterie.core.model.columns import Column as Column
    from coterie.core.model.dataset import Dataset as Dataset
    from coterie.core.model.figures import Figure as Figure
    from coterie.core.model.recipes import Step as Step
    from coterie.core.model.results import Clustering as Clustering
    from coterie.core.model.results import Embedding as Embedding
    from coterie.core.model.results import Labelling as Labelling
    from coterie.core.model.results import Model as Model
    from coterie.core.model.results import Ranking as Ranking
    from coterie.core.model.results import Score as Score
    from coterie.core.model.results import Spectrum as Spectrum
    from coterie.core.model.results import Trace as Trace

_HOMES = {
    "model.affinity": ("Affinity",),
    "model.arrays": ("Array", "Floats", "Ints"),
    "api.components": (
        "Classifier",
        "Clusterer",
        "Component",
        "Cost",
        "Embedder",
        "Graph",
        "Kernel",
        "Metric",
        "Output",
        "Plot",
        "Ranker",
        "Reader",
        "Sample",
        "Transform",
        "Writer",
    ),
    "api.context": ("Context",),
    "model.columns": ("Column",),
    "model.dataset": ("Dataset",),
    "model.figures": ("Figure",),
    "errors": ("Cancelled", "CoterieError", "DataError", "ParameterError"),
    "api.curves": ("Curve",),
    "api.partial_affinity": ("Glimpse",),
    "api.hooks": ("hookimpl",),
    "api.parameters": ("Field",),
    "api.templates": ("RecipeTemplate",),
    "model.recipes": ("Step",),
    "model.results": (
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
