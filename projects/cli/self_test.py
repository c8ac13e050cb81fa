"""`coterie --self-test`: tests an installation from end to end.

The program is started again for each stage, as a person would, with folders of its own, so
nothing of the person's is read or left behind. `--quick` leaves out the window and the scene.
"""

from __future__ import annotations

import csv
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from coterie.core import well_known
from coterie.core.errors import CoterieError
from coterie.core.io import clock
from coterie.core.version import VERSION
from coterie.projects.cli.subprocesses import ask_window, last_line, program, run

PATIENCE_SECONDS = 180.0
LEAST_METHODS = 50
LEAST_ACCURACY = 0.7  # it comes to 0.8: that the map is about right is all that is asked
PROJECT, SCENE = "iris.coterie.h5", "scene.tif"

PLUGIN = '''"""A kernel for the self-test."""
from coterie.core import Kernel
import numpy

class Flat(Kernel):
    """All items are equally similar."""
    id, title = "self-test", "Self-test"
    def compute(self, data, *, params, context):
        return numpy.ones((data.n, data.n))
'''

RECIPE = f"""format = 2
title = "Clouds"
[data]
open = "scene.tif"
[[step]]
name = "pixels"
use = "{well_known.TRANSFORM_SAMPLE}"
of = "data"
params = {{ size = 600 }}
seed = 1
[[step]]
name = "scaled"
use = "{well_known.TRANSFORM_STANDARDISE}"
of = "pixels"
[[step]]
name = "similarity"
use = "{well_known.KERNEL_GAUSSIAN}"
of = "scaled"
params = {{ sigma = 2.0 }}
[[step]]
name = "groups"
use = "{well_known.CLUSTERER_DOMINANT_SETS}"
of = "similarity"
params = {{ k = 6, rest = "nearest" }}
[[step]]
name = "classes"
use = "{well_known.CLASSIFIER_NEAREST}"
of = ["scaled", "groups"]
"""


class SelfTestError(CoterieError):
    """A stage of the self-test did not come out as it should."""


def main(arguments: Sequence[str]) -> int:
    """Go through all stages, a line each; return 0 when all went well."""
    quick = "--quick" in arguments
    print(f"coterie {VERSION}, {'frozen' if getattr(sys, 'frozen', False) else 'by Python'}")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="coterie-self-test-") as place:
        trial = SelfTest(Path(place))
        stages = [*trial.short_stages(), *([] if quick else trial.long_stages())]
        for title, stage in stages:
            began = clock.seconds()
            try:
                said, word = stage(), "ok"
            except Exception as error:
                said, word = " ".join(f"{type(error).__name__}: {error}".split()), "FAILED"
                failed += 1
            print(f"{word:6} {clock.seconds() - began:5.1f} s  {title}: {said}", flush=True)
    print(f"{failed} of {len(stages)} failed." if failed else "All checks passed.")
    return 1 if failed else 0


class SelfTest:
    """The stages, and the folder in which they are tried."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._work = place / "work"
        plugins = place / "plugins"
        for folder in (self._work, plugins):
            folder.mkdir()
        (plugins / "flat.py").write_text(PLUGIN, encoding="utf-8")
        own = {f"XDG_{name}_HOME": str(place / name) for name in ("CACHE", "STATE", "DATA")}
        self._own = {**own, "COTERIE_PLUGINS": str(plugins)}
        self._environment = {**os.environ, **self._own}

    def short_stages(self) -> list[tuple[str, Callable[[], str]]]:
        """Return the stages that need neither window nor scene."""
        return [
            ("Methods are found, including a drop-in", self.find_methods),
            ("The engine runs a sample and saves the project", self.compute),
            ("The project is valid and nothing is recomputed", self.open_again),
        ]

    def long_stages(self) -> list[tuple[str, Callable[[], str]]]:
        """Return the stages that take some seconds each."""
        return [
            ("The window opens and runs a sample", self.open_window),
            ("A small scene is classified", self.classify),
        ]

    def find_methods(self) -> str:
        found = json.loads(self._coterie("methods", "--json"))
        names = {f"{method['kind']}/{method['id']}" for method in found["methods"]}
        _require(not found["broken"], f"broken: {found['broken']}")
        _require("kernel/local:self-test" in names, "the kernel in the plugin folder is missing")
        _require(len(names) > LEAST_METHODS, f"only {len(names)} methods")
        return f"{len(names)} methods"

    def compute(self) -> str:
        said = self._coterie("run", "iris", "-o", PROJECT)
        _require((self._work / PROJECT).is_file(), "no project was written")
        return said.splitlines()[-1]

    def open_again(self) -> str:
        said = self._coterie("validate", PROJECT)
        again = self._coterie("run", "iris", "-o", PROJECT).splitlines()[-1]
        _require("computed" not in again and "from cache" in again, again)
        self._coterie("show", PROJECT, "groups", "--csv", "groups.csv")
        with (self._work / "groups.csv").open(encoding="utf-8", newline="") as stream:
            count = sum(1 for _ in csv.reader(stream)) - 1
        _require(count == 150, f"{count} labels for 150 items")
        return said.splitlines()[-1].partition(": ")[2]

    def open_window(self) -> str:
        """Open it on no screen: whether a real one works is for `coterie doctor` to say."""
        # The window does not need the plugin dropped in above.
        hidden = {**self._own, "COTERIE_PLUGINS": "", "QT_QPA_PLATFORM": "offscreen"}
        answer = ask_window("sample", PATIENCE_SECONDS, hidden)
        _require(not answer["failures"], "; ".join(answer["failures"]))
        _require(min(answer["picture"]) > 300, f"a window of {answer['picture']} pixels")
        return f"shown after {answer['shown after']:.1f} s, {answer['steps']} steps"

    def classify(self) -> str:
        self._coterie("sample", "cloud-scene", "-o", SCENE)
        (self._work / "clouds.toml").write_text(RECIPE, encoding="utf-8")
        self._coterie("run", "clouds.toml")
        truth = ("--truth", "scene-truth.tif")
        self._coterie("classify", "clouds.coterie.h5", SCENE, "-o", "map.tif", *truth)
        _require((self._work / "map.tif").is_file(), "no map was written")
        accuracy = _overall(self._work / "map.accuracy.csv")
        _require(accuracy > LEAST_ACCURACY, f"only {accuracy:.0%} of the pixels are correct")
        return f"{accuracy:.0%} of the pixels are correct"

    def _coterie(self, *arguments: str) -> str:
        command = [*program(), *arguments]
        done = run(command, PATIENCE_SECONDS, self._environment, self._work)
        _require(done.returncode == 0, f"`coterie {' '.join(arguments)}`: {last_line(done)}")
        return done.stdout


def _overall(path: Path) -> float:
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.reader(stream):
            if row and row[0].lower().startswith("overall"):
                return float(row[1])
    raise SelfTestError(f"No overall accuracy in {path.name}.")


def _require(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise SelfTestError(otherwise)
