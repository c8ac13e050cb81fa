"""Sessions for the panels: real ones, with an engine in this process."""

import pytest

from coterie.projects.session import Session


@pytest.fixture
def session(iris: Session) -> Session:
    """A session on the iris sample."""
    return iris


@pytest.fixture
def ran(session: Session) -> Session:
    """The same session, everything computed."""
    session.run()
    session.wait(60)
    return session
