"""A plugin is known by all of its code, and a built-in by its version."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from coterie.core.catalogue import plugin_code
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.catalogue.discovery import PluginSource, find_plugins
from coterie.core.catalogue.registry import Registry, import_file
from coterie.plugins.kernels import gaussian

from .plugin_files import distribution, drop_in, good

WITH_HELPER = good().replace("import numpy as np", "import numpy as np\nfrom ._helper import *")


@pytest.fixture(autouse=True)
def modules_as_they_were() -> Iterator[None]:
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.partition(".")[0] != "coterie":
            del sys.modules[name]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def lab(site: Path, **more: object) -> Callable[[], str]:
    """Install a plugin of three modules; return what asks for its fingerprint."""
    files = {
        "lab/__init__.py": "",
        "lab/kernel.py": WITH_HELPER,
        "lab/_helper.py": "HALF = 0.5\n",
    }
    distribution(site, "lab", files, "x = lab.kernel", **more)  # type: ignore[arg-type]
    return lambda: fingerprint("lab")


def fingerprint(prefix: str, *folders: Path) -> str:
    importlib.invalidate_caches()
    (source,) = (one for one in find_plugins(folders) if one.prefix == prefix)
    return source.fingerprint


def test_every_module_of_a_distribution_counts(site: Path) -> None:
    asked = lab(site)
    before = asked()
    assert asked() == before
    (site / "lab" / "_helper.py").write_text("HALF = 0.4\n")
    assert asked() != before


def test_what_is_no_module_does_not_count(site: Path) -> None:
    asked = lab(site)
    before = asked()
    (site / "lab" / "notes.txt").write_text("thoughts")
    assert asked() == before


def test_the_version_of_a_distribution_counts(site: Path, tmp_path: Path) -> None:
    before = lab(site)()
    (site / "lab-1.2.dist-info").rename(site / "lab-1.3.dist-info")
    metadata = site / "lab-1.3.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("1.2", "1.3"))
    assert fingerprint("lab") != before


def test_the_place_of_a_distribution_does_not_count(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = lab(site)()
    moved = site.rename(tmp_path / "elsewhere")
    monkeypatch.syspath_prepend(str(moved))
    assert fingerprint("lab") == before


@pytest.mark.parametrize(
    ("requirement", "counts"),
    [
        ("networkx>=3", True),
        ("NetworkX ; python_version > '3'", True),
        ("numpy>=1.26", False),
        ("scikit_learn", False),
        ("coterie>=0.1", False),
        ("networkx ; extra == 'fast'", False),
    ],
)
def test_the_versions_of_what_is_required_count(
    site: Path, monkeypatch: pytest.MonkeyPatch, requirement: str, counts: bool
) -> None:
    versions = {"networkx": "3.1", "numpy": "2.0", "scikit-learn": "1.5", "coterie": "0.2"}
    found = SimpleNamespace(
        from_name=lambda name: SimpleNamespace(
            read_text=lambda _: f"Name: {name}\nVersion: {versions[name]}\n\nVersion: none\n"
        )
    )
    monkeypatch.setattr(plugin_code, "Distribution", found)
    asked = lab(site, requires=(requirement,))
    before = asked()
    versions.update(dict.fromkeys(versions, "99"))
    assert (asked() != before) == counts


def test_a_module_of_another_distribution_in_the_same_namespace_does_not_count(site: Path) -> None:
    distribution(site, "labs-one", {"labs/one/__init__.py": good()}, "x = labs.one")
    before = fingerprint("labs-one")
    drop_in(site / "labs" / "two", "__init__.py", "x = 1")
    assert fingerprint("labs-one") == before
    (site / "labs" / "one" / "more.py").write_text("x = 1")
    assert fingerprint("labs-one") != before


@pytest.mark.parametrize(
    "how",
    [
        "import _helper",
        "import _helper.deep as h",
        "from _helper import half",
        "def later():\n    import _helper",
        "import importlib; importlib.import_module('_helper')",
        "from pathlib import Path; place = Path(__file__).with_name('_helper.py')",
        "import _between",
    ],
)
def test_of_a_drop_in_the_modules_beside_it_that_it_imports_count(tmp_path: Path, how: str) -> None:
    drop_in(tmp_path, "a.py", f"{how}\n{good()}")
    drop_in(tmp_path, "_between.py", "from _helper import half")
    helper = drop_in(tmp_path, "_helper.py", "half = 0.5")
    before = fingerprint("local", tmp_path)
    helper.write_text("half = 0.4")
    assert fingerprint("local", tmp_path) != before


def test_of_a_drop_in_the_modules_that_it_does_not_import_do_not_count(tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", f"import numpy\n{good()}")
    other = drop_in(tmp_path, "_other.py", "half = 0.5")
    before = fingerprint("local", tmp_path)
    other.write_text("half = 0.4")
    assert fingerprint("local", tmp_path) == before


def test_a_drop_in_that_imports_itself_is_read_once(tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", f"import _b\n{good()}")
    drop_in(tmp_path, "_b.py", "import a, _b")
    (source,) = (one for one in find_plugins([tmp_path]) if one.prefix == "local")
    assert set(source.code.files) == {"a.py", "_b.py"}


@pytest.mark.parametrize("text", ["def (", "\0", "'\\ud800'"])
def test_a_drop_in_that_is_no_python_is_known_by_its_bytes(tmp_path: Path, text: str) -> None:
    drop_in(tmp_path, "a.py", text)
    assert len(fingerprint("local", tmp_path)) == 64


def test_the_catalogue_is_asked_for_again_when_a_helper_has_changed(tmp_path: Path) -> None:
    drop_in(tmp_path, "a.py", f"import _helper\n{good()}")
    helper = drop_in(tmp_path, "_helper.py", "half = 0.5")
    (before,) = (one.stamp for one in find_plugins([tmp_path]) if one.prefix == "local")
    helper.write_text("half = 0.25")
    (after,) = (one.stamp for one in find_plugins([tmp_path]) if one.prefix == "local")
    assert after != before


def test_a_comment_in_a_built_in_changes_no_key(tmp_path: Path) -> None:
    def key(text: str) -> str:
        module = import_file(drop_in(tmp_path, "gaussian.py", text))
        registry = Registry()
        registry.register(module, PluginSource(name="coterie", prefix="", origin="coterie"))
        method: Descriptor = registry.catalogue.get("kernel/gaussian")
        return method.key_of({"sigma": 1.0}, ["d" * 64], 0)

    text = inspect.getsource(gaussian)
    assert key(text) == key(f"# A remark.\n{text}")
