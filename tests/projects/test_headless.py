"""A sample's whole journey without a window."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from coterie.projects import pictures
from coterie.projects.cli import session_runner
from coterie.projects.headless import main
from coterie.projects.store.hdf5.validation import validate

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("sample", ["iris", "spirals"])
def test_a_sample_leaves_project_labels_and_pictures(
    sample: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(session_runner, "ENGINE", "inprocess")
    folder = tmp_path / "made" / "here"
    assert main([sample, "--into", str(folder)]) == 0
    said = capsys.readouterr().out
    names = ["coterie.h5", "labels.csv", "groups.svg", "convergence.svg"]
    for name in names:
        assert f"{sample}.{name}" in said
    assert validate(folder / f"{sample}.coterie.h5") == []
    labels = (folder / f"{sample}.labels.csv").read_text(encoding="utf-8").splitlines()
    assert labels[0].startswith("item,label")
    drawn = ElementTree.parse(folder / f"{sample}.groups.svg")
    assert len(list(drawn.iter(f"{SVG}circle"))) >= len(labels) - 1
    ElementTree.parse(folder / f"{sample}.convergence.svg")


def test_an_unknown_sample_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["nobody"])
    assert ended.value.code == 2
    assert "invalid choice: 'nobody'" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["iris", "--into", str(tmp_path / "file" / "inside")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_pictures_take_degenerate_values() -> None:
    same = np.ones((3, 2))
    for picture in (
        pictures.scatter(same, np.array([0, 0, -1]), title="a < b", axes=("x", "y")),
        pictures.scatter(same[:0], np.array([], dtype=np.int64), title="", axes=("x", "y")),
        pictures.curve(np.arange(3), np.array([np.inf, 1.0, 1.0]), title="c", axes=("x", "y")),
        pictures.curve(np.arange(0), np.arange(0.0), title="c", axes=("x", "y")),
    ):
        assert "nan" not in ElementTree.tostring(ElementTree.fromstring(picture)).decode()
