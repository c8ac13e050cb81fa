"""The example plugins: their own tests pass; installed, used and uninstalled, nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "packaging" / "examples"
NAMES = ("coterie-cauchy", "coterie-density-peaks")
SMALL = (
    "coterie-any-estimator", "coterie-autoencoder", "coterie-diffusion-map", "coterie-fcs",
    "coterie-group-tree", "coterie-h5ad", "coterie-latent-classes", "coterie-orbits",
)  # fmt: skip
KERNEL = "kernel/coterie-cauchy:cauchy"
CLUSTERER = "clusterer/coterie-density-peaks:density-peaks"
RECIPE = f"""\
title = "With plugins"
[data]
open = "arcs"
params = {{ n = 60 }}
[[step]]
name = "similarity"
use = "{KERNEL}"
of = "data"
params = {{ scale = 0.5 }}
[[step]]
name = "groups"
use = "{CLUSTERER}"
of = "similarity"
params = {{ k = 3 }}
"""
# Opens a project, runs what can be run, and tells what the cards show and what there is to see.
WINDOW = """\
import json, os, sys, time
from pathlib import Path
from PySide6.QtCore import QSize
from coterie.core.engine.options import EngineOptions
from coterie.gui.app.application import make_application
from coterie.gui.app.main_window import MainWindow
from coterie.projects.session import Session

app = make_application("light")
root = Path(sys.argv[2])
options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
window = MainWindow(lambda: Session(options=options, root=root), QSize(1280, 800))
window.show()
window.documents.open(Path(sys.argv[1]))

def work_until(is_done):
    end = time.monotonic() + 90
    while not is_done():
        if time.monotonic() > end:
            sys.exit("the window does not get there")
        app.processEvents()
        time.sleep(0.01)

work_until(lambda: window.workbench is not None and window.session.catalogue.methods)
work_until(lambda: not window.session.busy)
if "--rerun" in sys.argv:
    session = window.session
    changed = session.recipe.changed("similarity", params={"scale": 0.7})
    session.edits.replace(changed, "change the scale")
    window.workbench.analysis.run_all.click()
    shown = window.workbench.analysis.cards
    work_until(lambda: all(card.chip.text() == "Up to date" for card in shown.values()))
cards = window.workbench.analysis.cards
app.processEvents()
labels = window.session.fetch("groups").labels.tolist()
print(json.dumps({"chips": {name: card.chip.text() for name, card in cards.items()},
                  "labels": labels}))
window.documents.close_session()
window.close()
sys.stdout.flush()
os._exit(0)  # without an event loop nobody takes Qt and Python apart in the right order
"""


def _environment() -> dict[str, str]:
    return os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1"}


def _call(*command: object, expected: int = 0) -> str:
    finished = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env=_environment(),
        check=False,
    )
    assert finished.returncode == expected, finished.stdout + finished.stderr
    return finished.stdout


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """The interpreter of a separate environment that borrows Coterie and all it needs from here."""
    home = tmp_path / "venv"
    venv.create(home, symlinks=True)
    [site_packages] = home.glob("lib/python*/site-packages")
    borrowed = sysconfig.get_path("purelib")
    (site_packages / "borrowed.pth").write_text(f"import site; site.addsitedir({borrowed!r})\n")
    return home / "bin" / "python"


def _install(python: Path, name: str, tmp_path: Path) -> None:
    source = tmp_path / "sources" / name  # a copy: building leaves traces
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    shutil.copytree(EXAMPLES / name, source, ignore=ignored)
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    _call(*pip, "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", source)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_plugins_come_and_go_and_what_they_computed_stays(python: Path, tmp_path: Path) -> None:
    coterie = (python, "-m", "coterie.projects.cli")
    for name in NAMES:
        _install(python, name, tmp_path)
    listed = {f"{m['kind']}/{m['id']}": m for m in _json(_call(*coterie, "methods", "--json"))}
    assert listed[KERNEL]["origin"] == "coterie-cauchy 0.1.0"
    assert listed[CLUSTERER]["title"] == "Density peaks"
    for name in NAMES:
        assert "0 broken" in _call(*coterie, "plugin", "check", name)

    recipe, project = tmp_path / "recipe.toml", tmp_path / "used.coterie.h5"
    recipe.write_text(RECIPE, encoding="utf-8")
    _call(*coterie, "run", recipe, "-o", project)
    before = _results(_call(*coterie, "info", project, "--json"))
    assert before["groups"]["stale"] is False
    assert "groups.trace" in before  # the frames that were shown while it ran
    script = tmp_path / "window.py"
    script.write_text(WINDOW, encoding="utf-8")
    shown = json.loads(_call(python, script, project, tmp_path, "--rerun").splitlines()[-1])
    assert set(shown["chips"].values()) == {"Up to date"}
    assert set(shown["labels"]) == {0, 1, 2}

    for name in NAMES:
        _call(sys.executable, "-m", "pip", "--python", python, "uninstall", "-q", "-y", name)
    remaining = _json(_call(*coterie, "methods", "--json"))
    assert not any("coterie-" in method["id"] for method in remaining)
    after = _results(_call(*coterie, "info", project, "--json"))
    assert after.keys() == before.keys()
    assert after["groups"]["key"] == before["groups"]["key"]
    assert after["groups"]["stale"] is None  # the plugin that could tell is not installed
    assert "no plugin" in _call(*coterie, "info", project)
    assert _call(*coterie, "show", project, "groups")
    _call(*coterie, "validate", project)
    lost = json.loads(_call(python, script, project, tmp_path).splitlines()[-1])
    assert lost["chips"]["groups"] == lost["chips"]["similarity"] == "No plugin"
    assert set(lost["labels"]) == {0, 1, 2}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", SMALL)
def test_each_example_is_installed_and_keeps_its_promises(
    name: str, python: Path, tmp_path: Path
) -> None:
    _install(python, name, tmp_path)
    coterie = (python, "-m", "coterie.projects.cli", "plugin", "check", name, "--json")
    verdict = json.loads(_call(*coterie))
    assert verdict["passed"], [f for f in verdict["findings"] if f["outcome"] == "failed"]
    assert len(verdict["findings"]) > 10
    listed = _json(_call(python, "-m", "coterie.projects.cli", "methods", "--json"))
    assert any(f"{name}:" in method["id"] for method in listed)


def test_every_example_is_tested() -> None:
    there = {folder.name for folder in EXAMPLES.iterdir() if (folder / "pyproject.toml").is_file()}
    assert there == {*NAMES, *SMALL}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_examples_own_tests_pass() -> None:
    every = (*NAMES, *SMALL)
    sources = os.pathsep.join(str(EXAMPLES / name / "src") for name in every)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["--import-mode=importlib", *(str(EXAMPLES / name / "tests") for name in every)]
    environment = _environment() | {"PYTHONPATH": sources}
    finished = subprocess.run(
        command, cwd=EXAMPLES, env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stdout


def _json(said: str) -> list[dict[str, Any]]:
    methods: list[dict[str, Any]] = json.loads(said)["methods"]
    return methods


def _results(said: str) -> dict[str, dict[str, Any]]:
    contents = json.loads(said)
    return {entry["name"]: entry for group in ("graphs", "results") for entry in contents[group]}
