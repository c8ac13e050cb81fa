"""The catalogue on disk is believed only while nothing about the plugins has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from coterie.core.catalogue.cache import CatalogueCache
from coterie.core.catalogue.descriptors import BrokenPlugin, Catalogue
from coterie.core.catalogue.registry import Registry

from .plugin_files import drop_in, good


def test_a_catalogue_is_read_back_as_it_was(tmp_path: Path) -> None:
    catalogue = Registry.load(safe_mode=True).catalogue
    file = tmp_path / "catalogue.json"
    CatalogueCache(file, [tmp_path]).write(catalogue)
    assert CatalogueCache(file, [tmp_path]).read() == catalogue


def test_a_changed_plugin_makes_it_invalid(tmp_path: Path) -> None:
    plugins = tmp_path / "plugins"
    file = tmp_path / "catalogue.json"
    plugin = drop_in(plugins, "a.py", good())
    CatalogueCache(file, [plugins]).write(Catalogue())
    assert CatalogueCache(file, [plugins]).read() == Catalogue()
    plugin.write_text(good("Other", "other-one"))
    assert CatalogueCache(file, [plugins]).read() is None


def test_safe_mode_has_a_catalogue_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "catalogue.json"
    CatalogueCache(file).write(Catalogue(broken=(BrokenPlugin("a", "b"),)))
    assert CatalogueCache(file, safe_mode=True).read() is None


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", "3", "{}", '{"stamp": STAMP}', '{"stamp": STAMP, "catalogue": 3}']
    + [f'{{"stamp": STAMP, "catalogue": {{"methods": {m}, "broken": []}}}}' for m in ("[3]", "{}")]
    + ['{"stamp": STAMP, "catalogue": {"methods": [{"kind": "x"}], "broken": []}}'],
)
def test_a_damaged_file_is_as_good_as_none(text: str, tmp_path: Path) -> None:
    file = tmp_path / "catalogue.json"
    cache = CatalogueCache(file)
    cache.write(Catalogue())
    stamp = file.read_text().split(",")[0].removeprefix('{"stamp": ')
    file.write_text(text.replace("STAMP", stamp))
    assert cache.read() in (None, Catalogue())


def test_failing_to_write_is_no_harm(tmp_path: Path) -> None:
    CatalogueCache(tmp_path / "nowhere" / "catalogue.json").write(Catalogue())
    assert list(tmp_path.iterdir()) == []
