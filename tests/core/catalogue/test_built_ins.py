"""What is known of the built-ins stands for loading them, and only while it is right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.core.catalogue import built_ins
from coterie.core.catalogue.built_ins import BuiltIns
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import PluginError, UnknownComponentError
from tests.refusals import refuses

from .plugin_files import drop_in, good


@pytest.fixture(scope="module")
def loaded() -> Registry:
    """The built-ins as they are when all are imported."""
    return Registry.load(safe_mode=True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """What an earlier start has kept."""
    file = tmp_path / "built-ins.json"
    Registry.load(built_ins=BuiltIns(file))
    return file


def test_what_is_known_is_what_would_be_loaded(loaded: Registry, file: Path) -> None:
    known = Registry.load(built_ins=BuiltIns(file))
    assert len(BuiltIns(file).read()) == len(loaded.catalogue.methods)
    assert known.catalogue == loaded.catalogue
    for method in known.catalogue:
        assert known.component(method.name) is loaded.component(method.name)


def test_only_what_is_used_is_imported(file: Path) -> None:
    code = """
import sys
from pathlib import Path
from coterie.core.catalogue.built_ins import BuiltIns
from coterie.core.catalogue.registry import Registry

def imported():
    return {name for name in sys.modules if name.startswith("coterie.plugins.kernels.")}

registry = Registry.load(built_ins=BuiltIns(Path(sys.argv[1])))
print(len(registry.catalogue.methods) > 100, sorted(imported()))
print(registry.component("kernel/gaussian").__name__, sorted(imported()))
"""
    command = [sys.executable, "-c", code, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "True []",
        "Gaussian ['coterie.plugins.kernels.gaussian']",
    ]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:1000],
        lambda text: "[]",
        lambda text: json.dumps({**json.loads(text), "stamp": "another"}),
        lambda text: json.dumps({**json.loads(text), "methods": [{"place": "os:system"}]}),
        lambda text: text.replace("coterie.plugins.kernels", "somewhere.else"),
    ],
    ids=["empty", "torn", "another kind", "another stamp", "strange", "not ours"],
)
def test_what_is_damaged_is_made_again(
    loaded: Registry, file: Path, damage: Callable[[str], str]
) -> None:
    whole = file.read_text()
    file.write_text(damage(whole))
    assert BuiltIns(file).read() == ()
    assert Registry.load(built_ins=BuiltIns(file)).catalogue == loaded.catalogue
    assert file.read_text() == whole


def test_changed_code_is_loaded_anew(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_ins, "code_stamp", lambda: "changed")
    assert BuiltIns(file).read() == ()


def test_nothing_is_kept_where_changed_code_would_not_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built_ins, "code_stamp", lambda: "")
    Registry.load(built_ins=BuiltIns(tmp_path / "kept.json"))
    assert list(tmp_path.iterdir()) == []


def test_a_method_of_another_version_than_at_the_start_is_not_run(
    loaded: Registry, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Registry.load(built_ins=BuiltIns(file))
    monkeypatch.setattr(loaded.component("kernel/gaussian"), "version", "another")
    with refuses("plugin-changed", PluginError, match="kernel/gaussian"):
        known.component("kernel/gaussian")


def test_a_method_that_is_gone_is_told(file: Path) -> None:
    known = BuiltIns(file).read()[0]
    with refuses("plugin-changed", PluginError):
        replace(known, place=known.place + "Gone").component()


def test_other_plugins_are_loaded_beside_and_kept_out(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "plugins"
    drop_in(folder, "a.py", good())
    whole = file.read_text()
    known = Registry.load([folder], built_ins=BuiltIns(file))
    assert known.component("kernel/local:flat").id == "flat"
    assert file.read_text() == whole
    with refuses("unknown-method", UnknownComponentError, match="kernel/gaussian"):
        known.component("kernel/gausian")


def test_who_traces_hooks_sees_them_called(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COTERIE_TRACE", "hooks")
    Registry.load(built_ins=BuiltIns(file))
    assert "coterie.plugins.kernels.gaussian offers [Gaussian]" in capsys.readouterr().err


def test_a_folder_one_may_not_write_is_no_harm(loaded: Registry, tmp_path: Path) -> None:
    kept = tmp_path / "not there" / "built-ins.json"
    assert Registry.load(built_ins=BuiltIns(kept)).catalogue.broken == ()
    assert not kept.exists()


def test_it_is_kept_with_what_can_be_made_again() -> None:
    file = EngineOptions().built_ins_file
    assert str(file).startswith(os.environ["XDG_CACHE_HOME"])
