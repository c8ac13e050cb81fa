"""Bad data, bad recipes and bad plugins: a clear sentence each, exit code 1, the rest goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from coterie.core.engine import client
from coterie.projects.cli import session_runner

RUN = """\
[data]
open = "table.csv"
[[step]]
name = "scaled"
use = "transform/minmax"
of = "data"
[[step]]
name = "near"
use = "kernel/gaussian"
of = "scaled"
"""
PLUGIN = '''
import os, time
from coterie.core import Kernel, hookimpl

class Bad(Kernel):
    """Does what it should not."""
    id, title = "bad", "Bad"

    def compute(self, data, *, params, context):
        {body}

@hookimpl
def coterie_kernels():
    return [Bad]
'''
WITH_PLUGIN = """\
[data]
open = "arcs"
params = { n = 20 }
[[step]]
name = "bad"
use = "kernel/local:bad"
of = "data"
[[step]]
name = "after"
use = "clusterer/dominant-sets"
of = "bad"
[[step]]
name = "good"
use = "transform/minmax"
of = "data"
"""


@pytest.mark.parametrize(
    ("content", "step", "words"),
    [
        (b"a,b\n1,2\n3\n", "data", "Line 3"),
        (b"a,b\nx,y\nz,w\n", "data", "no column that can describe"),
        (b"a,b\n1,\n3,4\n5,6\n", "scaled", "missing"),
        (b"", "data", "is empty"),
        (b"\x00\x01\x02\xff\xfe\n\x00", "data", "is not text"),
        (b"a,b\n", "data", "no items"),
        (None, "data", "There is no file"),
    ],
    ids=["ragged", "no numbers", "NaN", "empty", "binary", "header only", "missing"],
)
def test_bad_data_is_named_by_its_step(
    coterie: Any, tmp_path: Path, content: bytes | None, step: str, words: str
) -> None:
    (tmp_path / "r.toml").write_text(RUN, encoding="utf-8")
    if content is not None:
        (tmp_path / "table.csv").write_bytes(content)
    said = coterie("run", "r.toml")
    assert said.code == 1
    first = said.err.splitlines()[0]
    assert first.startswith(f"Step '{step}': ")
    assert words in first


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("kernel/gaussian", "kernel/gausian", "Did you mean kernel/gaussian?"),
        ('of = "data"', 'of = "near"', "use each other in a circle"),
        ('of = "data"', 'of = "nobody"', "uses 'nobody', which does not exist"),
        ('of = "scaled"', 'of = "scaled"\nparams = { width = 1 }', "has no parameter 'width'"),
        ('of = "scaled"', 'of = "scaled"\nparams = { sigma = "wide" }', "Parameter 'sigma'"),
        ('of = "scaled"', 'of = "scaled"\ncolour = "red"', "unknown entry 'colour'"),
        ("[data]", "[data", "is not valid TOML"),
        ('of = "scaled"', 'of = "scaled"\nparams = { sigma = nan }', "must be finite. Got nan"),
        ("[data]", "title = " + "[" * 5000 + "]" * 5000 + "\n[data]", "nested too deeply"),
        ('name = "near"', 'name = "scaled"', "Two steps are called 'scaled'"),
        ('of = "scaled"', 'of = ["scaled", "data"]', "Step 'near': kernel/gaussian "),
    ],
)
def test_a_bad_recipe_is_answered_in_one_line(
    coterie: Any, tmp_path: Path, old: str, new: str, words: str
) -> None:
    (tmp_path / "table.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    (tmp_path / "r.toml").write_text(RUN.replace(old, new), encoding="utf-8")
    said = coterie("run", "r.toml")
    assert said.code == 1
    assert words in said.complaint


def test_a_recipe_that_is_no_text_is_said_to_be_none(coterie: Any, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_bytes(b"\xff\xfe\x00")
    assert "is not a text file" in coterie("run", "r.toml").complaint


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise RuntimeError('no luck')", "no luck"),
        ("return 'nonsense'", "must return a result of type Affinity"),
        ("return None", "must return a result of type Affinity"),
        ("import numpy; return numpy.eye(3)", "Similarities of 3 items do not fit"),
        ("raise SystemExit(3)", "SystemExit"),
    ],
)
def test_a_failing_plugin_costs_its_own_steps_only(
    coterie: Any, plugin_folder: Path, tmp_path: Path, body: str, words: str
) -> None:
    (plugin_folder / "bad.py").write_text(PLUGIN.format(body=body), encoding="utf-8")
    (tmp_path / "r.toml").write_text(WITH_PLUGIN, encoding="utf-8")
    said = coterie("run", "r.toml")
    assert said.code == 1
    assert said.complaint.startswith("Step 'bad': ")
    assert words in said.complaint
    assert "20 items" in next(line for line in said.out.splitlines() if line.startswith("good"))
    assert "after  skipped: needs 'bad'" in said.out


def test_a_plugin_that_aborts_ends_its_engine_only(
    program: Any, plugin_folder: Path, tmp_path: Path
) -> None:
    (plugin_folder / "bad.py").write_text(PLUGIN.format(body="os.abort()"), encoding="utf-8")
    (tmp_path / "r.toml").write_text(WITH_PLUGIN, encoding="utf-8")
    said = program("run", "r.toml")
    assert said.code == 1
    said_so = "Step 'bad': The engine ended while kernel/local:bad ran: it aborted."
    assert said.complaint.startswith(said_so)
    assert "(2 computed, 1 failed)" in said.out


def test_a_plugin_that_aborts_at_import_is_disabled_and_listed(
    program: Any, plugin_folder: Path
) -> None:
    (plugin_folder / "bad.py").write_text("import os; os.abort()", encoding="utf-8")
    said = program("methods", "--json")
    assert said.code == 0
    (broken,) = json.loads(said.out)["broken"]
    assert "bad" in broken["name"]
    assert "crashed the engine" in broken["error"]


def test_a_plugin_that_hangs_at_import_is_given_up_by_the_engine_before_the_command() -> None:
    # A command that gave up first would end the engine, and nobody would note the plugin.
    assert session_runner.START_SECONDS > client.START_PATIENCE * client.MOST_FALSE_STARTS


def test_an_empty_recipe_is_refused(coterie: Any, tmp_path: Path) -> None:
    (tmp_path / "none.toml").write_text("")
    said = coterie("run", "none.toml")
    assert said.code == 1
    assert "is empty" in said.complaint


@pytest.mark.slow
def test_control_c_cancels_a_hanging_step_and_keeps_the_rest(
    plugin_folder: Path, tmp_path: Path
) -> None:
    (plugin_folder / "bad.py").write_text(PLUGIN.format(body="time.sleep(600)"), encoding="utf-8")
    recipe = WITH_PLUGIN.replace(
        'of = "data"\n[[step]]\nname = "after"', 'of = "good"\n[[step]]\nname = "after"'
    )
    (tmp_path / "r.toml").write_text(recipe, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "coterie.projects.cli", "run", "r.toml"],
        cwd=tmp_path,
        env=os.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if line.startswith("good"):
                break
        time.sleep(0.5)  # until the engine is inside the plugin
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert err == "Cancelled. Run the same command again to resume.\n"
    assert "bad    cancelled" in out
    assert "(2 computed)" in out
    assert (tmp_path / "r.coterie.h5").exists()


@pytest.mark.parametrize("value", ['"2"', "true"])
def test_a_parameter_of_another_type_is_refused_in_one_sentence(
    coterie: Any, recipe: Path, value: str
) -> None:
    recipe.write_text(recipe.read_text().replace("k = 2", f"k = {value}"))
    said = coterie("run", recipe, "-o", "p.coterie.h5")
    assert said.code == 1
    assert "Parameter 'k' of clusterer/dominant-sets: input should be a valid integer." in said.err
    info = coterie("info", "p.coterie.h5", "--json")
    assert not any(entry["stale"] for entry in json.loads(info.out)["results"])
