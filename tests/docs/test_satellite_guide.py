"""The guide to satellite scenes can be followed from top to bottom."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import rasterio

from coterie.projects.cli import session_runner
from coterie.projects.cli.main import main

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "satellite.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_guide_can_be_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(session_runner, "ENGINE", "inprocess")
    monkeypatch.chdir(tmp_path)
    for language, content in BLOCK.findall(GUIDE.read_text(encoding="utf-8")):
        if language == "toml":
            Path("clouds.toml").write_text(content, encoding="utf-8")
        if language != "sh":
            continue
        for line in content.splitlines():
            program, *arguments = shlex.split(line)
            assert program == "coterie"
            if arguments[0] == "run":
                arguments += ["--engine", "inprocess"]
            assert main(arguments) == 0, f"{line}\n{capsys.readouterr().err}"
    with rasterio.open("scene.tif") as scene, rasterio.open("named.tif") as named:
        assert named.crs == scene.crs
        assert named.transform == scene.transform
        assert named.shape == scene.shape
    assert "Overall accuracy" in capsys.readouterr().out
