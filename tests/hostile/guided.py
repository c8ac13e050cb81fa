"""Lets atheris look for bytes that reach further into one of our own parsers.

Run as a program: python -m tests.hostile.guided TARGET SECONDS, after `pip install --group fuzz`.
Its corpus, in build/fuzz, goes on where it ended before.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

import atheris

OURS = [
    *("coterie.core.model.query", "coterie.core.model.query_words", "coterie.core.api.frame"),
    *("coterie.core.engine.messages", "coterie.core.io.confined", "coterie.core.formats.rasters"),
    *("coterie.core.formats.products", "coterie.projects.recipe"),
]
with atheris.instrument_imports(include=OURS):
    from tests.hostile.parsers import KEPT, MOST_SECONDS, attempt, targets


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"still at it after {MOST_SECONDS} seconds")


def main() -> None:
    name, seconds = sys.argv[1:]
    target = targets()[name]
    corpus = KEPT / name / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    signal.signal(signal.SIGALRM, _too_long)
    given = [sys.argv[0], f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=1024"]
    given += [f"-artifact_prefix={corpus.parent}/", str(corpus)]

    def feed(data: bytes) -> None:
        attempt(name, target, data)

    atheris.Setup(given, feed)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
