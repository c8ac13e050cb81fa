"""Many rows labelled part by part by two workers of 2 GB each; stop it and start it again.

`./dev bench parts` writes a folder of Parquet files (`--rows`, 10 columns, 1,000,000 rows a file),
groups a sample of 20,000 rows by k-means, and labels all of them on a local Dask cluster. Files
that are there are kept and parts that are labelled are not labelled again, so it can be stopped at
any time. It prints processor seconds and the largest memory of a worker, and what 1,000,000,000
rows would take at that rate. `--rows 100000000` takes 8 GB of disk.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from coterie.projects.cli.main import main as coterie

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "parts"
EACH, COLUMNS, GROUPS = 1_000_000, 10, 8
GROUP = """\
title = "Rows in parts"
format = 2
[data]
open = "rows.parquet"
params = { sample = 20000 }
[[step]]
name = "groups"
use = "clusterer/kmeans"
of = "data"
params = { k = 8 }
[[step]]
name = "classes"
use = "classifier/maximum-likelihood"
of = ["data", "groups"]
"""


def write(folder: Path, rows: int) -> None:
    """Write what is missing of the files."""
    import pyarrow as pa
    from pyarrow import parquet

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(-(-rows // EACH)):
        file = folder / f"part-{number:05d}.parquet"
        if file.exists():
            continue
        rng = np.random.default_rng([1, number])
        centres = 8.0 * np.random.default_rng(0).normal(size=(GROUPS, COLUMNS))
        n = min(EACH, rows - number * EACH)
        X = (centres[rng.integers(GROUPS, size=n)] + rng.normal(size=(n, COLUMNS))).astype("f4")
        beside = file.with_suffix(".new")
        parquet.write_table(
            pa.table({f"x{j + 1}": X[:, j] for j in range(COLUMNS)}), beside, row_group_size=100_000
        )
        beside.replace(file)


def main() -> None:
    """Write, group a sample, label all, and say what it took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=2_000_000)
    rows = parser.parse_args().rows
    from dask.distributed import Client, LocalCluster

    place = FOLDER / str(rows)
    write(place / "rows.parquet", rows)
    recipe, project = place / "rows.toml", place / "rows.coterie.h5"
    recipe.write_text(GROUP, encoding="utf-8")
    if not project.exists():
        coterie(["run", str(recipe), "-o", str(project)])
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, memory_limit="2GB") as cluster,
        Client(cluster) as client,
    ):
        began = time.perf_counter()
        target = str(place / "groups.csv")
        table, engine = str(place / "rows.parquet"), ("--engine", cluster.scheduler_address)
        status = coterie(["classify", str(project), table, "-o", target, *engine])
        wall = time.perf_counter() - began
        worked = sum(client.run(time.process_time).values())
        peaks = client.run(_peak)
    print(
        f"{rows:,} rows, status {status}: {worked:.1f} processor s of two workers, {wall:.0f} s by "
        f"the clock, at most {max(peaks.values())} MB in a worker; 1,000,000,000 rows would take "
        f"{worked / rows * 1e9 / 3600:.1f} h of processors at this rate (if nothing was resumed)"
    )


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
