"""Rows of another table, labelled from the window by the models of the open project."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from coterie.gui.app.main_window import MainWindow
from coterie.projects.session import Session

Settle = Callable[[MainWindow], Session]
RECIPE = """
title = "Kinds"
format = 2
[data]
open = "old.csv"
[[step]]
name = "groups"
use = "clusterer/k-prototypes"
of = "data"
params = { k = 2 }
[[step]]
name = "similar"
use = "kernel/gower"
of = "data"
[[step]]
name = "map"
use = "embedder/kernel-pca"
of = "similar"
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["map", "groups"]
"""


def write(path: Path, n: int, seed: int, names: str = "size,colour") -> Path:
    rng = np.random.default_rng(seed)
    rows = [
        f"{'' if i % 7 == 5 else round(9 * (i % 2) + rng.normal(), 2)},{'rb'[i % 2]}"
        for i in range(n)
    ]
    path.write_text("\n".join([names, *rows]) + "\n")
    return path


def said(window: MainWindow) -> str:
    problem = window.message_bar.problem
    return "" if problem is None else problem.message


def test_rows_with_categories_and_gaps_are_labelled_from_the_window(
    window: MainWindow,
    settle: Settle,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(tmp_path / "old.csv", 40, 0)
    (tmp_path / "kinds.toml").write_text(RECIPE)
    window.documents.open_now(str(tmp_path / "kinds.toml"), tmp_path / "kinds.toml")
    session = settle(window)
    window.commands.run_all()
    settle(window)
    assert session.results.artefact("classes") is not None
    new, target = write(tmp_path / "new.csv", 21, 1), tmp_path / "groups.csv"
    answer = (str(new), "")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: answer)
    monkeypatch.setattr("coterie.gui.app.window_dialogs.ask_target", lambda *_: (target, ""))
    window.dialogs.label_table()
    settle(window)
    qtbot.waitUntil(target.exists)
    with target.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    pairs = {(row["colour"], row["group"]) for row in rows}
    assert len(rows) == 21
    assert len(pairs) == 2
    assert said(window) == ""
    # Another table is refused in a sentence that names the column.
    write(new, 21, 1, names="size,kind")
    target.unlink()
    window.dialogs.label_table()
    settle(window)
    assert "'colour'" in said(window)
    assert not target.exists()
