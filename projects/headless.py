"""`python -m coterie.projects.headless SAMPLE --into DIR`: a whole journey without a window.

Runs a sample's recipe, writes the project and the labels, and draws what a person would look at:
the items coloured by group, and how the search for the groups converged.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from coterie.core.engine.options import EngineOptions
from coterie.core.errors import CoterieError
from coterie.core.formats.files.tables import table_of
from coterie.core.formats.samples import SAMPLES
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe
from coterie.core.model.results import Clustering, Embedding, Trace
from coterie.projects import pictures
from coterie.projects.cli.progress import StepLines
from coterie.projects.cli.run_recipe import RecipeRun, begin
from coterie.projects.cli.session_runner import working
from coterie.projects.cli.tables import save_csv
from coterie.projects.jobs.scheduler import EngineKind
from coterie.projects.recipe.defaults import sample_recipe
from coterie.projects.session import Session


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute the sample that the command line names; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m coterie.projects.headless",
        description="Run a sample's recipe without a window.",
    )
    parser.add_argument("sample", choices=tuple(SAMPLES), help="which sample")
    parser.add_argument("--into", type=Path, default=Path(), help="folder for what is made")
    asked = parser.parse_args(arguments)
    try:
        written, failures = compute(asked.sample, asked.into)
    except (CoterieError, OSError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 1
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"\nIn {asked.into.resolve()}:")
    for path in written:
        print(f"  {path.name}")
    return 1 if failures else 0


def compute(
    name: str, folder: Path, engine: EngineKind | None = None
) -> tuple[list[Path], list[str]]:
    """Run a sample's recipe; return the files that were written, and what went wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    recipe = sample_recipe(name)
    project = folder / f"{name}.coterie.h5"
    with working(EngineOptions(), engine) as work:
        begin(work, recipe, project, fresh=True)
        with StepLines(recipe.names) as lines:
            running = RecipeRun(work, lines)
            running.go()
            lines.at_last(f"writing {project.name}")
            written = [project] if running.save(project) else []
        for path, content in _results(work.session, recipe, folder / name):
            if isinstance(content, Clustering):
                save_csv(table_of(content), str(path))
            else:
                path.write_text(content, encoding="utf-8")
            written.append(path)
        return written, [f"Step '{f.step}': {f.message}" for f in running.failures]


def _results(session: Session, recipe: Recipe, stem: Path) -> Iterator[tuple[Path, Any]]:
    """The files to write beside the project, as far as the recipe gives what they show."""
    nouns = [(step.name, session.fetch(step.name)) for step in recipe.steps]
    found = [(step, noun) for step, noun in nouns if isinstance(noun, Clustering)]
    if not found:
        return
    step, groups = found[-1]
    title = recipe.title or stem.name
    yield _beside(stem, "labels.csv"), groups
    embeddings = [noun for _, noun in nouns if isinstance(noun, Embedding)]
    plane = _plane(session.fetch(recipe.sources[0].name), embeddings)
    if plane is not None:
        points, axes = plane
        picture = pictures.scatter(points, groups.labels, title=title, axes=axes)
        yield _beside(stem, "groups.svg"), picture
    trace = session.fetch(step, "trace") if "trace" in session.results.parts(step) else None
    if isinstance(trace, Trace):
        picture = pictures.curve(
            trace.iterations,
            trace.objective,
            title=f"{title}: convergence",
            axes=("iteration", "objective xᵀAx"),
        )
        yield _beside(stem, "convergence.svg"), picture


def _plane(data: Any, embeddings: list[Embedding]) -> tuple[Any, tuple[str, str]] | None:
    """Two coordinates for each item: its own when it has just two, else the embedding's first."""
    if isinstance(data, Dataset) and data.d == 2:
        return data.dense_features(), (data.columns[0], data.columns[1])
    for embedding in reversed(embeddings):
        if embedding.coordinates.shape[1] >= 2:
            names = embedding.axis_names
            return embedding.coordinates[:, :2], (names[0], names[1])
    return None


def _beside(stem: Path, ending: str) -> Path:
    return stem.with_name(f"{stem.name}.{ending}")


if __name__ == "__main__":
    sys.exit(main())
