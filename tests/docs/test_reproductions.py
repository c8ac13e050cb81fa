"""Every table that `./dev bench reproduce` makes has its place in one of the pages."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / name for name in ("reproductions.md", "cuts.md")]


def sections() -> list[str]:
    """The names in SECTIONS of bench/reproduce.py, read without running it."""
    tree = ast.parse((ROOT / "bench" / "reproduce.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "SECTIONS":
            assert isinstance(node.value, ast.Dict)
            return [str(key.value) for key in node.value.keys if isinstance(key, ast.Constant)]
    raise AssertionError("bench/reproduce.py has no SECTIONS.")


def test_every_experiment_has_one_place_in_the_pages() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    begun = [name for text in texts for name in re.findall(r"<!-- reproduced: (.*?) -->", text)]
    ended = [name for text in texts for name in re.findall(r"<!-- end of (.*?) -->", text)]
    assert sorted(begun) == sorted(ended) == sorted(sections())


def test_each_table_says_when_and_with_what_it_was_made() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name, inside in re.findall(
            r"<!-- reproduced: (.*?) -->\n(.*?)<!-- end of \1 -->", text, re.DOTALL
        ):
            assert "|" in inside, name
            dated = re.search(r"\*\d{4}-\d\d-\d\d, .* s, Python .*numpy .*\*", inside)
            assert dated or "By an earlier version" in inside, name
