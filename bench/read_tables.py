"""Reading a table of a million rows and ten columns, beside pandas, polars and pyarrow.

`python -m bench.read_tables [ROWS]` prints the processor time of each in one run, and the largest
amount of memory that reading takes beyond the table itself.
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

import coterie

COLUMNS = 10
REPEATS = 3


def written(path: Path, rows: int) -> Path:
    """Write a table of normal deviates with six decimals."""
    rng = np.random.default_rng(0)
    with path.open("w") as stream:
        stream.write(",".join(f"x{j}" for j in range(COLUMNS)) + "\n")
        for start in range(0, rows, 10_000):
            some = rng.normal(size=(min(10_000, rows - start), COLUMNS))
            np.savetxt(stream, some, fmt="%.6f", delimiter=",")
    return path


def seconds(work: Callable[[], object]) -> float:
    """The least processor time of a few runs."""
    found = []
    for _ in range(REPEATS):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def main(rows: int = 1_000_000) -> None:
    """Print the times, and their ratios to the fastest of the others."""
    import pandas
    import polars
    from pyarrow import csv

    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder) / "table.csv", rows)
        took = {
            "pandas": seconds(lambda: pandas.read_csv(path)),
            "polars": seconds(lambda: polars.read_csv(path)),
            "pyarrow": seconds(lambda: csv.read_csv(path)),
            "coterie": seconds(lambda: coterie.read(path)),
        }
        fastest = min(value for name, value in took.items() if name != "coterie")
        for name, value in took.items():
            print(f"{name:8} {value:6.2f} s  {value / fastest:4.1f} x")
        tracemalloc.start()
        coterie.read(path)
        table = 8 * rows * COLUMNS
        print(
            f"memory beyond the table: {(tracemalloc.get_traced_memory()[1] - table) / 1e6:.0f} MB"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
