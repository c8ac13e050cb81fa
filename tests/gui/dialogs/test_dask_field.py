"""The address of a cluster is checked as it is typed, and tried beside the window's thread."""

import pytest
from pytestqt.qtbot import QtBot

from coterie.core.errors import EngineError
from coterie.gui.dialogs import dask_field
from coterie.gui.dialogs.dask_field import ClusterField


def answer(address: str, instead: str) -> str:
    if address.endswith(":9"):
        raise EngineError(f"Nobody at {address}, or {instead}.")
    return f"Somebody at {address}."


@pytest.fixture
def field(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> ClusterField:
    monkeypatch.setattr(dask_field, "ask_in_subprocess", answer)
    made = ClusterField("")
    qtbot.addWidget(made)
    made.show()
    return made


def test_nothing_is_no_cluster_and_cannot_be_tried(field: ClusterField) -> None:
    assert field.value() == ""
    assert field.is_sound()
    assert not field.test.isEnabled()


def test_what_answers_is_said_below(field: ClusterField, qtbot: QtBot) -> None:
    field.address.setText(" tcp://127.0.0.1:8786/ ")
    field.test.click()
    assert field.said.text() == "Connecting to tcp://127.0.0.1:8786 …"
    qtbot.waitUntil(lambda: field.said.text() == "Somebody at tcp://127.0.0.1:8786.")
    assert field.test.isEnabled()
    field.address.setText("tcp://127.0.0.1:9")
    assert not field.said.isVisible()
    field.test.click()
    said = "Nobody at tcp://127.0.0.1:9, or leave the address empty."
    qtbot.waitUntil(lambda: field.said.text() == said)


def test_what_is_no_address_is_said_without_asking(field: ClusterField) -> None:
    field.address.setText("8786")
    assert not field.is_sound()
    field.test.click()
    assert field.said.text().startswith("The address of a Dask scheduler has the form tcp://")
