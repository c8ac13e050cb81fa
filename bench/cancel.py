"""How long until one can work again after cancelling a method that never looks up.

The limit is 2.5 s: two to give it a chance to stop by itself, the rest to kill and replace it. A
method that does look up is the peer in the same run.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tools.measuring import report

from coterie.core.engine.options import EngineOptions
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.session import Session

PLUGIN = '''
"""One kernel that looks up, and one that does not."""
import time
from coterie.core import Kernel, hookimpl

class Deaf(Kernel):
    """Never checks."""
    id, title = "deaf", "Deaf"
    def compute(self, data, *, params, context):
        while True:
            time.sleep(0.001)

class Polite(Kernel):
    """Checks every millisecond."""
    id, title = "polite", "Polite"
    def compute(self, data, *, params, context):
        while True:
            time.sleep(0.001)
            context.check()

@hookimpl
def coterie_kernels():
    return [Deaf, Polite]
'''


def seconds_until_usable(session: Session, kernel: str) -> float:
    """Run the kernel, cancel it, and return the seconds until another step has run."""
    session.project.load_recipe(
        Recipe(
            sources=(Source(open="arcs"),),
            steps=(
                Step("stuck", f"kernel/local:{kernel}", ("data",)),
                Step("scaled", "transform/minmax", ("data",)),
            ),
        )
    )
    session.run("stuck")
    while session.running is None or session.running.step != "stuck":
        session.wait(0.05)
    time.sleep(0.2)
    began = time.perf_counter()
    session.cancel()
    session.wait(30)
    assert session.jobs[-1].state == "cancelled"
    return time.perf_counter() - began


def main() -> None:
    """Measure both kernels on one session."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "deaf.py").write_text(PLUGIN, encoding="utf-8")
        session = Session(options=EngineOptions(plugin_folders=(Path(folder),)), root=Path(folder))
        session.start()
        try:
            deaf = [seconds_until_usable(session, "deaf") for _ in range(3)]
            report("cancel of a method that never checks", deaf, "limit", 2.5)
            polite = [seconds_until_usable(session, "polite") for _ in range(3)]
            report("cancel of a method that checks", polite, "limit", 2.5)
        finally:
            session.close()


if __name__ == "__main__":
    main()
