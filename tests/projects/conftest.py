"""Sessions for tests: small, quick, and closed afterwards."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coterie.core.engine.options import EngineOptions
from coterie.projects.session import Session

NewSession = Callable[..., Session]


@pytest.fixture
def new_session(tmp_path: Path) -> Iterator[NewSession]:
    """Makes sessions on an in-process engine, unless told otherwise."""
    made: list[Session] = []

    def make(engine: str = "inprocess", plugins: Path | None = None) -> Session:
        root = tmp_path / "workspaces"
        root.mkdir(exist_ok=True)
        folders = () if plugins is None else (plugins,)
        options = EngineOptions(plugin_folders=folders, memory=2 << 30, workers=1)
        session = Session(engine=engine, options=options, root=root)  # type: ignore[arg-type]
        session.start()
        made.append(session)
        return session

    yield make
    for session in made:
        if session._storage.folder.exists():
            session.close()


@pytest.fixture
def session(new_session: NewSession) -> Session:
    """One session on an in-process engine."""
    return new_session()
