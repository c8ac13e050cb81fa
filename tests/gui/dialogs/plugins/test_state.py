"""What is known of the plugins, without a window."""

from pathlib import Path

import pytest

from coterie.core.catalogue.descriptors import BrokenPlugin, Catalogue, Descriptor
from coterie.core.catalogue.quarantine import Quarantine
from coterie.core.engine.options import EngineOptions
from coterie.gui.dialogs.plugins.state import Plugin, plugins_of


def method(origin: str) -> Descriptor:
    return Descriptor("kernel", "local:flat", "Flat", "All alike.", "1", origin, {}, (), "affinity")


@pytest.fixture
def options(tmp_path: Path) -> EngineOptions:
    folder = tmp_path / "plugins"
    folder.mkdir()
    for name in ("good.py", "bad.py", "new.py"):
        (folder / name).touch()
    return EngineOptions(plugin_folders=(folder,), memory=1 << 30, workers=1)


CATALOGUE = Catalogue(
    (method("local file good.py"),),
    (BrokenPlugin("local file bad.py", "No such module.", "Traceback"),),
)


def found(options: EngineOptions) -> dict[str, Plugin]:
    return {plugin.name: plugin for plugin in plugins_of(CATALOGUE, options)}


def test_each_plugin_has_a_state(options: EngineOptions) -> None:
    plugins = found(options)
    states = {name: plugin.state for name, plugin in plugins.items()}
    assert states["good.py"] == "on"
    assert states["bad.py"] == "broken"
    assert states["new.py"] == "waiting"
    assert plugins["good.py"].summary == "in use  ·  1 method"
    assert plugins["bad.py"].problems[0].traceback == "Traceback"
    assert not plugins["Built-in methods"].can_switch


def test_what_was_switched_off_or_ended_the_engine_can_be_switched_on(
    options: EngineOptions,
) -> None:
    quarantine = Quarantine(options.quarantine_folder)
    good = found(options)["good.py"]
    assert not good.is_off
    quarantine.switch(good.key, on=False)
    assert found(options)["good.py"].state == "off"
    assert found(options)["good.py"].is_off
    quarantine.switch(good.key, on=True)
    assert found(options)["good.py"].state == "on"


def test_safe_mode_knows_the_built_ins_alone(tmp_path: Path) -> None:
    options = EngineOptions(safe_mode=True, plugin_folders=(tmp_path,), memory=1, workers=1)
    assert list(found(options)) == ["Built-in methods"]
