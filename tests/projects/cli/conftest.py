"""Runs commands in this process, on an engine in this process, and tells what they said."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from coterie.projects.cli import session_runner
from coterie.projects.cli.main import main

RECIPE = """\
title = "Small arcs"
[data]
open = "arcs"
params = { n = 60 }
[[step]]
name = "scaled"
use = "transform/minmax"
of = "data"
[[step]]
name = "near"
use = "kernel/gaussian"
of = "scaled"
params = { sigma = 0.3 }
[[step]]
name = "groups"
use = "clusterer/dominant-sets"
of = "near"
params = { k = 2, rest = "nearest" }
[[step]]
name = "order"
use = "ranker/membership"
of = "groups"
[[step]]
name = "picture"
use = "embedder/pca"
of = "scaled"
[[step]]
name = "agreement"
use = "metric/nmi"
of = "groups"
"""


@dataclass(frozen=True)
class Said:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line that went to stderr."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


Coterie = Callable[..., Said]


@pytest.fixture
def coterie(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Coterie:
    """Runs one command in a folder of the test's own."""
    monkeypatch.setattr(session_runner, "ENGINE", "inprocess")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COTERIE_TRACE", raising=False)

    def call(*arguments: object) -> Said:
        capsys.readouterr()
        given = [str(argument) for argument in arguments]
        if given[:1] == ["run"] and "--engine" not in given:
            given += ["--engine", "inprocess"]
        code = main(given)
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Said(code, said.out, said.err)

    return call


@pytest.fixture
def program(tmp_path: Path) -> Coterie:
    """Runs one command in a process of its own, as a person's shell does."""

    def call(*arguments: object, **variables: str) -> Said:
        finished = subprocess.run(
            [sys.executable, "-m", "coterie.projects.cli", *map(str, arguments)],
            cwd=tmp_path,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Said(finished.returncode, finished.stdout, finished.stderr)

    return call


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A recipe with a step of nearly every kind, on 60 items."""
    path = tmp_path / "small.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def made_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of that recipe, made once."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "small.toml").write_text(RECIPE, encoding="utf-8")
    assert main(["run", str(folder / "small.toml"), "--engine", "inprocess"]) == 0
    return folder / "small.coterie.h5"


@pytest.fixture
def project(made_project: Path, tmp_path: Path) -> Path:
    """A copy of that project."""
    path = tmp_path / "small.coterie.h5"
    path.write_bytes(made_project.read_bytes())
    return path


@pytest.fixture
def plugin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of drop-in plugins."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    monkeypatch.setenv("COTERIE_PLUGINS", str(folder))
    return folder
