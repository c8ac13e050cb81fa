"""A picture for each method that gives something to see: all computed by one recipe on samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import CoterieError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.core.model.result_types import RESULT_TYPES
from coterie.core.numerics.drawing.figures import figure_of
from coterie.core.numerics.drawing.page import as_svg
from coterie.projects.cli.session_runner import working

SOURCES = (
    Source(name="iris", open="iris"),
    Source(name="moon", open="moon", params={"n": 200}),
)
BASICS = (
    Step("iris-scaled", "transform/standardise", ("iris",)),
    Step("iris-unit", "transform/minmax", ("iris",)),
    Step("moon-unit", "transform/minmax", ("moon",)),
    Step("moon-near", "kernel/gaussian", ("moon",), {"sigma": 0.25}),
    Step("iris-near", "kernel/gaussian", ("iris-scaled",), {"sigma": 0.7}),
    Step("iris-inner", "kernel/linear", ("iris-scaled",)),
    Step("iris-joint", "embedder/joint", ("iris-near",)),
    Step("iris-groups", "clusterer/dominant-sets", ("iris-near",), {"k": 3, "rest": "nearest"}),
    Step("moon-groups", "clusterer/dominant-sets", ("moon-near",), {"k": 2}),
    Step("iris-levels", "clusterer/dominant-hierarchy", ("iris-near",)),
    Step("iris-tree", "plot/dendrogram", ("iris-scaled",)),
)
# Where the general rule below gives a method nothing to show, or nothing it is made for.
NOT_HERE = {
    "kernel/bag-of-words", "kernel/spectrum", "kernel/spatial-pyramid", "kernel/precomputed",
    "graph/pixels", "clusterer/by-hand",
}  # fmt: skip
INPUTS = {
    "clusterer/transduction": ("moon-near", "moon-groups"),
    "kernel/euler-gaussian": ("iris-unit",),
    "kernel/histogram-intersection": ("iris-unit",),
    "embedder/euler-pca": ("iris-unit",),
    "embedder/euler-pca-real": ("iris-unit",),
    "clusterer/euler-kmeans": ("moon-unit",),
    "clusterer/multi-affinity": ("iris-near", "iris-inner"),
    "graph/combine": ("iris-near", "iris-inner"),
    "clusterer/cut-tree": ("iris-tree",),
    "plot/dendrogram": ("iris-scaled", "iris-groups"),
    "plot/density-tree": ("iris-scaled", "iris-groups"),
    "plot/hierarchy": ("iris-levels",),
    "ranker/joint": ("iris-joint", "iris-near", "iris-groups"),
}
PARAMS: dict[str, dict[str, Any]] = {
    "kernel/probabilistic-cluster": {"max_components": 6, "initialisations": 5},
    "kernel/cluster": {"max_components": 6},
    "ranker/membership": {"scope": "within-cluster"},
}
INPUT_OF = {
    ("clusterer", "dataset"): "moon",
    ("clusterer", "affinity"): "moon-near",
    ("clusterer", "clustering"): "moon-groups",
    ("metric", "affinity"): "iris-near",
    ("kernel", "dataset"): "iris-scaled",
    ("graph", "dataset"): "iris-scaled",
    ("graph", "affinity"): "iris-near",
    ("embedder", "dataset"): "iris-scaled",
    ("embedder", "affinity"): "iris-near",
    ("ranker", "affinity"): "iris-near",
    ("ranker", "dataset"): "iris-scaled",
    ("ranker", "clustering"): "iris-groups",
    ("ranker", "embedding"): "iris-joint",
    ("metric", "clustering"): "iris-groups",
    ("metric", "dataset"): "iris",
    ("plot", "clustering"): "iris-groups",
    ("plot", "dataset"): "iris-scaled",
}


def draw(catalogue: Catalogue, folder: Path) -> Iterator[Path]:
    """Run all methods that can be shown and draw what they give."""
    folder.mkdir(parents=True, exist_ok=True)
    steps = [step for method in catalogue if (step := _step(method)) is not None]
    recipe = Recipe(title="Methods", sources=SOURCES, steps=(*BASICS, *steps))
    with working(EngineOptions(safe_mode=True), "inprocess") as work:
        session = work.session
        session.project.load_recipe(recipe)
        session.run()
        work.finish()
        for step in steps:
            failure = session.failure(step.name)
            if failure is not None:
                print(f"no picture of {step.use}: {failure.message}")
                continue
            try:
                drawing = figure_of(session.fetch(step.name), title=catalogue.get(step.use).title)
            except CoterieError as error:
                print(f"no picture of {step.use}: {error}")
                continue
            path = folder / f"{step.use.replace('/', '-')}.svg"
            path.write_text(as_svg(drawing), encoding="utf-8")
            yield path


def _step(method: Descriptor) -> Step | None:
    """The step that shows a method; None when there is nothing to show."""
    if not KINDS[method.kind].is_step or method.name in NOT_HERE:
        return None
    if method.gives == "dataset" or RESULT_TYPES[method.gives].figure is None:
        return None
    inputs = INPUTS.get(method.name) or tuple(
        name
        for need in method.inputs
        if not need.optional and (name := INPUT_OF.get((method.kind, need.accepts[0]))) is not None
    )
    if not inputs:
        return None
    params = dict(PARAMS.get(method.name, {}))
    properties = method.params.get("properties", {})
    if "k" in properties and method.kind == "clusterer":
        params.setdefault("k", 2)
    return Step(f"show-{method.kind}-{method.id}", method.name, inputs, params)
