"""Shows `coterie validate` projects that nobody may be harmed by, in little memory.

Run as a program: python -m tests.hostile.projects FOLDER. It prints one line of JSON: for each
project the exit code of the command and what it said.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from coterie.projects.cli.main import main as coterie
from tests.hostile.capped import cap
from tests.hostile.mutants import whole_project
from tests.projects.store.hdf5 import samples
from tests.projects.store.hdf5.test_inspection import BAD_TEXTS, REFUSED, _replace_text

GROUPS = f"results/{samples.key_of('groups')}"
SPARSE = f"graphs/{samples.key_of('sparse')}"
Edit = Callable[[h5py.File], Any]


def _very_deep(file: h5py.File) -> None:
    at = file["data"]
    for _ in range(3000):
        at = at.create_group("d")


def _newer(file: h5py.File) -> None:
    file.attrs["schema"], file.attrs["min_reader"] = 99, 99


def _put(path: str, array: Any) -> Edit:
    def edit(file: h5py.File) -> None:
        del file[path]
        file[path] = array

    return edit


def _attribute(path: str, name: str, value: Any) -> Edit:
    def edit(file: h5py.File) -> None:
        file[path].attrs[name] = value

    return edit


MORE: dict[str, Edit] = {
    "very deep": _very_deep,
    "newer schema": _newer,
    "unknown encoding": _attribute(GROUPS, "encoding-type", np.bytes_(b"oracle")),
    "unknown version": _attribute(GROUPS, "encoding-version", 99),
    "version that is a text": _attribute(GROUPS, "encoding-version", np.bytes_(b"one")),
    "another format": _attribute("/", "format", np.bytes_(b"keras")),
    "labels beyond all groups": _put(f"{GROUPS}/labels", np.array([0, 0, 2**62, -(2**63)])),
    "sparse matrix of any size": _put(f"{SPARSE}/shape", np.array([2**61, 2**61])),
    "sparse rows that start nowhere": _put(f"{SPARSE}/indptr", np.array([0, 2**40, 1, 9, 4])),
    "recipe that is no TOML": _replace_text("recipe", "[[[["),
    "recipe nested without end": _replace_text("recipe", "a = " + "[" * 100_000),
    "recipe of tables in tables": _replace_text("recipe", f"[{'.'.join(['a'] * 50_000)}]\nb = 1"),
    "recipe of a number without end": _replace_text("recipe", "a = " + "9" * 5000),
    "recipe of too many steps": _replace_text("recipe", "[[step]]\n" * 5000),
    "recipe that opens no name": _replace_text("recipe", '[data]\nopen = "a\\u0000b"'),
    "recipe of bad UTF-8": _replace_text("recipe", b"title = '\xff'"),
    "view that is a list": _replace_text("view", "[1]"),
    "number of a million digits": _replace_text("view", '{"a": ' + "9" * 1_000_000 + "}"),
}


def all_edits() -> dict[str, Edit]:
    """Return every way to make a project hostile that the tests know, by name."""
    edits: dict[str, Edit] = {name: edit for name, (edit, _, _) in REFUSED.items()}
    edits |= {f"steps: {name}": _replace_text("steps", t) for name, (t, _) in BAD_TEXTS.items()}
    return edits | MORE


def main() -> None:
    folder = Path(sys.argv[1])
    path = folder / "p.coterie.h5"
    whole = whole_project(folder / "whole.coterie.h5")
    coterie(["validate", str(folder / "whole.coterie.h5")])
    said = {}
    cap(400)
    for name, edit in all_edits().items():
        path.write_bytes(whole)
        with h5py.File(path, "r+", libver=("v108", "latest")) as file:
            edit(file)
        heard = io.StringIO()
        with contextlib.redirect_stderr(heard), contextlib.redirect_stdout(heard):
            code = coterie(["validate", str(path)])
        said[name] = [code, heard.getvalue()]
    print(json.dumps(said))


if __name__ == "__main__":
    main()
