"""Artefacts on their way between the project file and the workspace."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from coterie.core import Clustering, Dataset
from coterie.core.model.artefacts import Artefact
from coterie.core.model.encoding import encode
from coterie.projects.store.artefacts import Storage


def test_data_are_brought_before_what_is_about_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Dataset(features=np.eye(3))
    groups = Clustering(labels=np.zeros(3, dtype=np.int64), dataset=data)
    entries = {
        "a" * 64: Artefact("a" * 64, encode(data)),
        "b" * 64: Artefact("b" * 64, encode(groups), "a" * 64),
    }
    storage = Storage(tmp_path)
    try:
        written: list[str] = []
        write = storage.workspace.write

        def noted(artefact: Artefact) -> None:
            written.append(artefact.key)
            write(artefact)

        monkeypatch.setattr(storage.workspace, "write", noted)
        file = SimpleNamespace(
            entries=entries,
            read=entries.get,
            write_into=lambda workspace, artefact, _: workspace.write(artefact),
        )
        monkeypatch.setattr(storage, "_file", file)
        storage.bring(["b" * 64])
        # Whoever finds the groups there must find their data, too.
        assert written == ["a" * 64, "b" * 64]
        assert storage.workspace.load("b" * 64).dataset is not None
    finally:
        monkeypatch.setattr(storage, "_file", None)
        storage.close(remove=True)
