"""Reports as Markdown."""

from pathlib import Path

from markdown_it import MarkdownIt
from matplotlib.figure import Figure as Drawing

from coterie.projects.report.blocks import (
    Block,
    FigureBlock,
    Heading,
    Listing,
    Paragraph,
    TableBlock,
)
from coterie.projects.report.markdown import as_markdown, write_markdown

EVIL = "# <script>alert(1)</script> | [x](http://y) `a` *b* _c_ &amp;\nnext"


def test_names_from_data_are_never_markup() -> None:
    blocks: list[Block] = [
        Heading(EVIL),
        Paragraph(EVIL),
        TableBlock((EVIL, "b"), ((EVIL, "2"),), EVIL),
    ]
    text = as_markdown(blocks, lambda figure: "")
    html = MarkdownIt("js-default").enable("table").render(text)
    assert "<script" not in html
    assert "<a " not in html
    assert html.count("<td>") == 2
    assert "alert(1)" in html


def test_a_listing_keeps_its_lines_whatever_is_in_it() -> None:
    html = MarkdownIt().render(as_markdown([Listing("a = 1\n```\n<b>")], lambda figure: ""))
    assert "<code>a = 1\n```\n&lt;b&gt;\n</code>" in html


def test_figures_are_files_beside_it(tmp_path: Path) -> None:
    blocks: list[Block] = [
        FigureBlock(Drawing(), "One."),
        Paragraph("1. not a list"),
        FigureBlock(Drawing(), "Two."),
    ]
    folder = write_markdown(blocks, tmp_path / "my report.md")
    assert sorted(path.name for path in folder.iterdir()) == ["figure-1.svg", "figure-2.svg"]
    text = (tmp_path / "my report.md").read_text(encoding="utf-8")
    assert "![One.](my%20report-figures/figure-1.svg)" in text
    assert "<ol>" not in MarkdownIt().render(text)
