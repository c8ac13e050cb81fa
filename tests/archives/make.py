"""Writes the archive of the present schema. Run once, when a schema is released; never again.

    python tests/archives/make.py

What it writes is committed, and every later Coterie must open it. Schema 2 is open until 0.2 is
released: until then its archive is removed and written again when something is added to it.

`written-by-0.1.coterie.h5` is what `coterie run` of 0.1.0 made of `points.csv`, with results whose
keys have hashes of source files. `runs/run-0.1.coterie.h5` has the trace of a run, in schema 1.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NAMES = ("points", "dense", "sparse", "groups", "score", "trace", "customers")


def main() -> None:
    """Write schema-N.coterie.h5, unless it is there."""
    sys.path.insert(0, str(HERE.parent / "projects" / "store" / "hdf5"))
    samples: Any = importlib.import_module("samples")

    from coterie.projects.store.hdf5.layout import SCHEMA

    path = HERE / f"schema-{SCHEMA}.coterie.h5"
    if path.exists():
        raise SystemExit(f"{path.name} exists. An archive is never written again.")
    keys = {samples.key_of(name) for name in NAMES}
    made = [artefact for artefact in samples.artefacts() if artefact.key in keys]
    groups = samples.key_of("groups")
    samples.save(path, made, steps={"groups": {"key": groups, "parts": {}}})


if __name__ == "__main__":
    main()
