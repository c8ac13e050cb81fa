"""How large projects are that store everything, and those that leave out what is quickly computed.

For each number of rows: a table of ten columns around eight centres, with typical recipes. Sizes
are of the saved file, and as a ratio to the data's own numbers (rows × columns × 8 bytes).

    python bench/project_sizes.py [--rows 10000 100000]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.session import Session
from coterie.projects.store.keeping import Keep

COLUMNS = 10
RECIPES = {
    "automatic": (
        Step("plane", "embedder/pca", ("data",)),
        Step("groups", "clusterer/automatic", ("data",)),
    ),
    "scaled, 10 neighbours, ncut": (
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "graph/knn", ("scaled",), {"neighbours": 10}),
        Step("groups", "clusterer/ncut", ("near",), {"k": 8}),
        Step("order", "ranker/distance", ("scaled", "groups")),
    ),
    "three transforms, k-means": (
        Step("whole", "transform/impute", ("data",)),
        Step("robust", "transform/robust", ("whole",)),
        Step("scaled", "transform/minmax", ("robust",)),
        Step("plane", "embedder/pca", ("scaled",)),
        Step("groups", "clusterer/kmeans", ("scaled",), {"k": 8}),
    ),
    "Gaussian kernel, ncut": (
        Step("near", "kernel/gaussian", ("data",), {"sigma": 5.0}),
        Step("groups", "clusterer/ncut", ("near",), {"k": 8}),
    ),
}
MOST_DENSE = 5_000  # items of a dense kernel


def main() -> None:
    """Save each project in both ways and print how large it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rows", type=int, nargs="+", default=[5_000, 10_000, 100_000])
    parser.add_argument("--recipes", nargs="+", choices=RECIPES, default=[*RECIPES])
    chosen = parser.parse_args()
    print(f"{'recipe':32} {'rows':>10} {'everything':>22} {'without':>22}  left out")
    for rows in chosen.rows:
        with tempfile.TemporaryDirectory(prefix="coterie-bench-") as folder:
            table = _table(Path(folder), rows)
            for title in chosen.recipes:
                if "kernel" not in title or rows <= MOST_DENSE:
                    _measure(Path(folder), table, title, rows)


def _measure(folder: Path, table: Path, title: str, rows: int) -> None:
    recipe = Recipe(title=title, sources=(Source(open=str(table)),), steps=RECIPES[title])
    session = Session(root=folder)
    session.start()
    try:
        while not session.catalogue.methods:
            session.wait(0.1)
        session.project.load_recipe(recipe)
        session.run()
        session.wait()
        for name in recipe.names:
            if (failure := session.failure(name)) is not None:
                print(f"{title}: {failure.step}: {failure.message}")
                return
        said = []
        choices: tuple[Keep, ...] = ("all", "quick")
        for keep in choices:
            session.project.keep = keep
            path = folder / f"{keep}.coterie.h5"
            saving = session.project.save(path)
            session.wait()
            left = saving.result().left_out
            size = path.stat().st_size
            said.append(f"{size / 1e6:,.1f} MB ({size / (8 * COLUMNS * rows):.2f} ×)")
        print(f"{title:32} {rows:>10,} {said[0]:>22} {said[1]:>22}  {', '.join(left)}", flush=True)
    finally:
        session.close()


def _table(folder: Path, rows: int) -> Path:
    import pyarrow
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    labels = rng.integers(0, 8, rows)
    values = rng.normal(0, 8, (8, COLUMNS))[labels] + rng.normal(size=(rows, COLUMNS))
    path = folder / f"{rows}.parquet"
    names = [f"m{j}" for j in range(COLUMNS)]
    parquet.write_table(pyarrow.table(dict(zip(names, values.T, strict=True))), path)
    return path


if __name__ == "__main__":
    main()
