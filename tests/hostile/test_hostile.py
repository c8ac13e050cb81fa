"""Files made to harm are refused with a sentence, in little memory, and run nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.projects.report.contents import contents
from coterie.projects.report.html import page
from tests.projects.report.test_report import project

ROOT = Path(__file__).resolve().parents[2]
ELEMENTS_OF_A_PAGE = {
    *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "ul", "li"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "div"),
    *("svg", "g", "rect", "circle", "path", "line", "polyline", "polygon", "text", "tspan", "defs"),
    *(
        "clippath",
        "use",
        "span",
        "code",
        "pre",
        "section",
        "header",
        "footer",
        "br",
        "em",
        "strong",
    ),
}


def run(program: str, *arguments: object) -> Any:
    """Run one of the programs beside this file; return what it printed last, as JSON."""
    ended = subprocess.run(
        [sys.executable, "-m", f"tests.hostile.{program}", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    return json.loads(ended.stdout[ended.stdout.index("{") :])


def test_validate_explains_every_hostile_project(tmp_path: Path) -> None:
    said = run("projects", tmp_path)
    assert len(said) >= 55
    for name, (code, text) in said.items():
        assert code == 1, (name, text)
        assert text.strip(), name
        assert "Traceback" not in text, name
        assert len(text) < 2000, name
    assert "schema 99" in said["newer schema"][1]
    assert "unknown encoding type 'oracle'" in said["unknown encoding"][1]
    assert "nested more than 8 deep" in said["very deep"][1]


def test_mutated_projects_are_refused_or_used_and_never_worse(tmp_path: Path) -> None:
    tally = run("capped", tmp_path, 1, 6)
    assert tally["refused"] + tally["read"] == 6
    assert tally["told"] > 2


def check_data(said: dict[str, str]) -> None:
    read = {
        "wide.csv": "3 items of 100000",
        "lying.tif": "16000000 items of 0",
        "one-line.arff": "1 items of 1",  # of a gigabyte, it is refused
        "values.arff": "60000 items of 100",  # 60,000 categories; the rarer ones share a column
    }
    assert len(said) >= 45
    for name, text in said.items():
        file = "a.png" if name.startswith("pictures-") else name.replace(".hdr", ".dat")
        file = "encoding" if "codec" in name else file
        assert file in text or text == read.get(name), (name, text)
        assert "Traceback" not in text
        assert "ran out of memory" not in text
    assert "is incomplete" in said["absurd.tif"]
    assert "never loaded" in said["pickle.npy"]


@pytest.mark.slow
def test_hostile_data_are_read_or_refused_in_little_memory(tmp_path: Path) -> None:
    said = run("data", tmp_path, 1200, 50)
    check_data(said)
    assert "26214401 cells" in said["many-cells.csv"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_line_of_a_gigabyte_is_refused_in_little_memory(tmp_path: Path) -> None:
    said = run("data", tmp_path, 1200, 1024)
    check_data(said)
    assert "longer than 64 million characters" in said["one-line.csv"]


class Watch(HTMLParser):
    """Refuses whatever could act on its own in a page."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS_OF_A_PAGE, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in ("src", "href", "action", "srcdoc"), (name, value)
            # Figures repeat a mark by naming it, within the page.
            assert name != "xlink:href" or (tag, (value or "")[:1]) == ("use", "#"), (tag, value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)


PIECES = (
    *("<script>alert(1)</script>", '" onload="x', "' onclick='x", "</style><img src=x onerror=y>"),
    *(
        "]]>",
        "<!--",
        "-->",
        "&lt;script&gt;",
        "javascript:x",
        "</svg>",
        "</title>",
        "\x00",
        "\u2028",
    ),
    *("<svg/onload=x>", "{{x}}", "</text><a href=javascript:x>", "`", "\ufeff", "\x00", "\u2028"),
)


@settings(max_examples=12)
@given(name=st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join))
def test_no_name_becomes_markup_in_a_report(name: str) -> None:
    text = page(contents(project(n=6, name=name)), name)
    watch = Watch()
    watch.feed(text)
    watch.close()
    assert "<script" not in text.lower()
