"""Plugins that change what others rely on, or ask for another Coterie, are named and left out."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from coterie.core.catalogue import discovery
from coterie.core.catalogue.registry import Registry
from coterie.core.catalogue.requirement import unmet

KERNEL = '''
from coterie.core import Kernel
class {name}(Kernel):
    """A kernel that is here to be loaded."""
    id, title = "{id}", "A kernel"
    def compute(self, data, *, params, context):
        return data.dense_features() @ data.dense_features().T
'''


def write(folder: Path, name: str, before: str = "") -> None:
    text = before + KERNEL.format(name=name.title(), id=name)
    (folder / f"{name}.py").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("does", "named"),
    [
        ("import json\njson.dumps = lambda *a, **k: '{}'\n", "json.dumps"),
        ("import builtins\nbuiltins.open = None\n", "builtins.open"),
        ("import numpy\nnumpy.asarray = len\n", "numpy.asarray"),
        ("import os\nos.chdir('/')\n", "the working folder"),
    ],
)
def test_who_replaces_what_all_rely_on_is_named_and_the_others_work(
    tmp_path: Path, does: str, named: str
) -> None:
    dumps, folder = json.dumps, Path.cwd()
    write(tmp_path, "bad", does)
    write(tmp_path, "good")
    catalogue = Registry.load((tmp_path,)).catalogue
    assert json.dumps is dumps
    assert Path.cwd() == folder
    assert "kernel/local:good" in catalogue
    assert "kernel/local:bad" not in catalogue
    [broken] = catalogue.broken
    assert broken.name == "local file bad.py"
    assert not [name for name in sys.modules if name.endswith("_bad")]
    assert f"it replaced {named}, which the engine relies on" in broken.error


def test_a_drop_in_file_imports_the_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "_numbers_of_mine.py").write_text("SCALE = 2\n", encoding="utf-8")
    write(tmp_path, "good", "from _numbers_of_mine import SCALE\n")
    catalogue = Registry.load((tmp_path,)).catalogue
    assert "kernel/local:good" in catalogue, catalogue.broken
    for name in [name for name in sys.modules if name.endswith("_good")]:
        del sys.modules[name]
    sys.modules.pop("_numbers_of_mine")
    sys.path.remove(str(tmp_path))


@pytest.mark.parametrize(
    ("requirement", "said"),
    [
        ("coterie>=0.1", ""),
        ("coterie>=9", "coterie>=9"),
        ("Coterie[tables] >= 0.1, < 0.2 ; python_version > '3'", "coterie>=0.1,<0.2"),
        ("coterie~=0.2", ""),
        ("coterie~=0.2.1", "coterie~=0.2.1"),
        ("coterie==0.2.*", ""),
        ("coterie!=0.2.*", "coterie!=0.2.*"),
        ("coterie-cauchy>=9", ""),
        ("coterie>=9; extra == 'later'", ""),
        ("coterie", ""),
    ],
)
def test_what_a_distribution_asks_of_coterie_is_compared(requirement: str, said: str) -> None:
    assert unmet(["numpy>=99", requirement], "0.2.0.dev3") == said


def test_a_plugin_for_another_coterie_is_not_loaded_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "later-1.0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: later\nVersion: 1.0\nRequires-Dist: coterie>=99\n"
    )
    (made / "entry_points.txt").write_text("[coterie.plugins]\nmethods = later_methods\n")
    (tmp_path / "later_methods.py").write_text("raise SystemExit('not to be imported')\n")
    monkeypatch.setattr(discovery, "distributions", lambda: [PathDistribution(made)])
    [broken] = Registry.load(()).catalogue.broken
    assert broken.error.startswith("It requires coterie>=99, but this is Coterie ")


def test_a_writer_without_a_path_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w.py").write_text(
        "from coterie.core import Writer\n"
        "class W(Writer):\n"
        "    '''Writes nothing anywhere.'''\n"
        "    id, title, needs = 'w', 'W', ('any',)\n"
        "    def compute(self, artefact, *, params, context): pass\n",
        encoding="utf-8",
    )
    [broken] = Registry.load((tmp_path,)).catalogue.broken
    assert "expected needs = ('any', 'path')" in broken.error
    assert os.sep not in broken.error.split("needs")[0]
