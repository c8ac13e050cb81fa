"""Earlier versions: as many as asked for, the oldest goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from coterie.projects.store.hdf5 import backups
from coterie.projects.store.hdf5.reading import ProjectFile

from . import samples


def titles(folder: Path) -> dict[str, str]:
    found = {}
    for path in folder.iterdir():
        with ProjectFile.open(path) as file:
            found[path.name.removeprefix("p.coterie.h5")] = file.header.title
    return found


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        (1, {"": "4", ".bak": "3"}),
        (3, {"": "4", ".bak": "3", ".bak.2": "2", ".bak.3": "1"}),
        (9, {"": "4", ".bak": "3", ".bak.2": "2", ".bak.3": "1", ".bak.4": "0"}),
    ],
)
def test_as_many_versions_are_kept_as_were_asked_for(
    tmp_path: Path, versions: int, expected: dict[str, str]
) -> None:
    for number in range(5):
        samples.save(
            tmp_path / "p.coterie.h5", [samples.points()], title=str(number), versions=versions
        )
    assert titles(tmp_path) == expected


def test_fewer_versions_leave_the_older_ones_alone(tmp_path: Path) -> None:
    path = tmp_path / "p.coterie.h5"
    for number, versions in enumerate((3, 3, 3, 1, 1)):
        samples.save(path, [samples.points()], title=str(number), versions=versions)
    assert titles(tmp_path) == {"": "4", ".bak": "3", ".bak.2": "0"}


def test_a_gap_is_filled_before_anything_is_dropped(tmp_path: Path) -> None:
    target = tmp_path / "p"
    for age in (1, 3):
        backups.backup_path(target, age).write_text(str(age))
    backups.make_room(target, 3)
    assert backups.backup_path(target, 2).read_text() == "1"
    assert backups.backup_path(target, 3).read_text() == "3"
    assert not backups.backup_path(target).exists()
