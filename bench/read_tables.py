"""Reading a table of a million rows and ten columns, beside pandas, polars and pyarrow.

`python -m bench.read_tables [ROWS]` prints the processor time of each in one run, for a table of
numbers and for one with categories, dates and a running number, and the largest amount of memory
that reading takes beyond the table itself.
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
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


def written_mixed(path: Path, rows: int) -> Path:
    """Write a table of customers: numbers, categories, dates, and some cells missing."""
    rng = np.random.default_rng(0)
    days = np.datetime64("2008-01-01") + rng.integers(0, 6000, rows)
    columns = [
        np.arange(1000, 1000 + rows),
        rng.integers(18, 90, rows),
        rng.lognormal(10, 0.5, rows).round(2),
        rng.normal(170, 9, rows).round(1),
        rng.choice(["f", "m"], rows),
        rng.choice(["Berlin", "Wien", "Basel", "Graz"], rows),
        days,
        np.where(rng.random(rows) < 0.05, "", rng.normal(size=rows).round(4).astype(str)),
        rng.choice(["yes", "no"], rows),
        rng.choice(["basic", "plus", "pro"], rows),
    ]
    with path.open("w") as stream:
        stream.write("id,age,income,height,sex,town,since,score,member,plan\n")
        for row in zip(*(column.astype(str).tolist() for column in columns), strict=True):
            stream.write(",".join(row) + "\n")
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
        numbers = written(Path(folder) / "numbers.csv", rows)
        mixed = written_mixed(Path(folder) / "mixed.csv", rows)
        for path in (numbers, mixed):
            others = {"pandas": pandas.read_csv, "polars": polars.read_csv, "pyarrow": csv.read_csv}
            took = {name: seconds(partial(read, path)) for name, read in others.items()}
            fastest = min(took.values())
            took["coterie"] = seconds(partial(coterie.read, path))
            print(path.name)
            for name, value in took.items():
                print(f"  {name:8} {value:6.2f} s  {value / fastest:4.1f} x")
        tracemalloc.start()
        table = coterie.read(numbers).features.nbytes
        print(
            f"memory beyond the table: {(tracemalloc.get_traced_memory()[1] - table) / 1e6:.0f} MB"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
