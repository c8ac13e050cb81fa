"""Coterie without its optional parts: it imports, and says in one sentence what to install."""

import json
import subprocess
import sys
from pathlib import Path

from coterie.core.optional_parts import PARTS

ROOT = Path(__file__).resolve().parent.parent
# Not found, as in an environment without any extra.
_BLOCK = """
import sys
from importlib.machinery import PathFinder

found = PathFinder.find_spec

def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in {absent} else found(name, path, target)

PathFinder.find_spec = find_spec
"""


def without(packages: list[str], code: str) -> subprocess.CompletedProcess[str]:
    """Run a script where these packages cannot be imported."""
    script = _BLOCK.format(absent=set(packages)) + code
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)


def test_all_methods_are_there_without_any_extra() -> None:
    code = """
import json
from coterie.core.catalogue.registry import Registry
catalogue = Registry.load(safe_mode=True).catalogue
loaded = sorted({name.partition(".")[0] for name in sys.modules})
print(json.dumps([[b.error for b in catalogue.broken], len(catalogue.methods), loaded]))
"""
    ran = without([*PARTS, "pandas", "polars"], code)
    assert ran.returncode == 0, ran.stderr
    broken, count, loaded = json.loads(ran.stdout.splitlines()[-1])
    assert broken == []
    assert count > 100
    assert not set(loaded) & set(PARTS)


def test_groups_are_found_without_any_extra() -> None:
    code = """
import coterie
groups = coterie.cluster(coterie.read("iris"))
assert groups.k >= 2
assert "<table>" in groups._repr_html_()
assert coterie.run("graph/knn", coterie.read("iris")).n == 150
print("fine")
"""
    ran = without([*PARTS, "pandas", "polars"], code)
    assert ran.stdout.splitlines()[-1:] == ["fine"], ran.stderr


NEEDS = {
    "groups.plot()": "figures",
    "coterie.run('embedder/tsne', iris)": "tsne",
    "coterie.run('embedder/umap', iris)": "umap",
    "coterie.run('clusterer/leiden', iris)": "large",
    "coterie.write(iris, 'iris.parquet')": "tables",
    "coterie.read('x.parquet')": "tables",
    "coterie.read('x.xlsx')": "tables",
    "coterie.read('x.tif')": "scenes",
    "iris.to_arrow()": "tables",
}


def test_what_is_missing_says_what_to_install(tmp_path: Path) -> None:
    script = f"""
import json
import os
import coterie
os.chdir({str(tmp_path)!r})
for name in ("x.parquet", "x.xlsx", "x.tif"):
    open(name, "wb").write(b"PK")
iris = coterie.read("iris")
groups = coterie.run("clusterer/kmeans", iris, k=3)
said = {{}}
for code in {list(NEEDS)!r}:
    try:
        exec(code)
        said[code] = ["", "nothing"]
    except coterie.CoterieError as error:
        said[code] = [error.code, str(error)]
print(json.dumps(said))
"""
    ran = without(list(PARTS), script)
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout.splitlines()[-1])
    for code, extra in NEEDS.items():
        kind, sentence = said[code]
        assert kind == "missing-package", (code, sentence)
        assert f"coterie[{extra}]" in sentence


def test_coterie_without_its_window_says_what_to_install() -> None:
    ran = without(
        ["PySide6", "pyqtgraph"],
        """
from coterie.projects.cli.main import main
sys.exit(main([]))
""",
    )
    assert ran.returncode == 1
    assert "coterie[desktop]" in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1
