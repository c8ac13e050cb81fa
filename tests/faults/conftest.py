"""Grounds and sessions for the tests of faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coterie.projects.session import Session

from .work import Ground

NewSession = Callable[..., Session]


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    """A folder with a data file and no project yet."""
    made = Ground(tmp_path / "ground")
    made.prepare()
    return made


@pytest.fixture
def new_session() -> Iterator[NewSession]:
    """Makes started sessions on a ground; they are closed afterwards."""
    made: list[Session] = []

    def make(ground: Ground) -> Session:
        session = ground.session()
        made.append(session)
        session.start()
        return session

    yield make
    for session in made:
        if session._storage.folder.exists():  # else the test closed it
            session.close()
