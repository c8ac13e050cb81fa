"""Errors as one sentence, with the rest behind a button."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from coterie.core.errors import DataError
from coterie.gui.toolkit.problems import DetailsDialog, MessageBar, Problem, ProblemBanner
from coterie.projects.jobs.job import Failure


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DataError("There is no column. Add one."), "There is no column. Add one."),
        (
            FileNotFoundError(2, "No such file or directory", "x.csv"),
            "Could not open 'x.csv': the file 'x.csv' no longer exists.",
        ),
        (
            PermissionError(13, "Permission denied", "x.csv"),
            "Could not open 'x.csv': you do not have permission to read or write 'x.csv'.",
        ),
        (
            OSError(28, "No space left on device"),
            "Could not open 'x.csv': the disk is full. Free some space, or choose "
            "another folder. Your work is kept.",
        ),
        (
            RuntimeError("Broken\nmany lines"),
            "Could not open 'x.csv': broken. Your work is kept; try again.",
        ),
    ],
)
def test_every_error_becomes_one_sentence(error: Exception, said: str) -> None:
    problem = Problem.of_error(error, "open 'x.csv'")
    assert problem.message == said
    assert type(error).__name__ in problem.details


def test_a_banner_shows_the_sentence_and_hides_the_traceback(qtbot: QtBot) -> None:
    banner = ProblemBanner()
    qtbot.addWidget(banner)
    failure = Failure("near", "Too wide.", "Traceback: deep inside", "kernel/lab:wide", "lab 1.2")
    banner.show_problem(Problem.of_failure(failure))
    assert banner.text() == "Too wide."
    assert "Traceback" not in banner.text()
    banner.details.click()
    dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, DetailsDialog)]
    assert len(dialogs) == 1
    assert not dialogs[0].isModal()
    assert "deep inside" in dialogs[0].text.toPlainText()
    assert "lab 1.2" in dialogs[0].origin.text()
    dialogs[0].close()


def test_many_problems_share_one_bar(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    for number in range(5):
        bar.add(Problem(f"Problem {number}."))
    assert bar.text() == "Problem 4. (4 earlier messages are in the log.)"
    bar.close_button.click()
    bar.add(Problem("A new one.", step="near"))
    assert bar.text() == "“near” failed. A new one."
    bar.add(Problem("Another.", step="near"))
    bar.show_problem(None)  # as when another project is opened
    bar.add(Problem("A new one.", step="near"))
    assert bar.text() == "“near” failed. A new one."
    bar.withdraw("near")
    assert bar.problem is None
