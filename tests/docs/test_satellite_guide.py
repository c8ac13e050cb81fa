"""The guide to satellite scenes can be followed from top to bottom."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
import rasterio

from coterie.core.catalogue.registry import Registry
from coterie.projects.cli import session_runner
from coterie.projects.cli.main import main

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "satellite.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
TEXT = GUIDE.read_text(encoding="utf-8")
PARTS = [content for language, content in BLOCK.findall(TEXT) if language == "text"]


@pytest.mark.parametrize("part", [part for part in PARTS if part.startswith("[[")])
def test_parts_of_recipes_name_methods_and_parameters_that_exist(part: str) -> None:
    registry = Registry.load(safe_mode=True)
    read = tomllib.loads(part)
    for step in read.get("step", []):
        registry.component(step["use"]).Params(**step.get("params", {}))
    for source in read.get("data", []):
        if "reader" in source:
            registry.component(source["reader"])


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_guide_can_be_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(session_runner, "ENGINE", "inprocess")
    monkeypatch.chdir(tmp_path)
    for found in BLOCK.finditer(TEXT):
        language, content = found.groups()
        if language == "toml":
            named = re.findall(r"`(\w+\.toml)`", TEXT[: found.start()])
            Path(named[-1]).write_text(content, encoding="utf-8")
        if content.startswith("coterie classify") and "scenes/" in content:
            Path("scenes").mkdir()
            shutil.copy("scene.tif", "scenes/scene.tif")
            language = "sh"
        if language != "sh":
            continue
        for line in content.splitlines():
            program, *arguments = shlex.split(line)
            assert program == "coterie"
            if arguments[0] == "run":
                arguments += ["--engine", "inprocess"]
            assert main(arguments) == 0, f"{line}\n{capsys.readouterr().err}"
    with rasterio.open("scene.tif") as scene, rasterio.open("named.tif") as named_map:
        assert named_map.crs == scene.crs
        assert named_map.transform == scene.transform
        assert named_map.shape == scene.shape
    assert Path("all.tif").is_file()
    assert "Overall accuracy" in capsys.readouterr().out
