"""A project of 0.1 opens fresh, and what was computed by another version of a method does not."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.core.catalogue.descriptors import Catalogue
from coterie.projects.jobs.job import Status
from coterie.projects.recipe.upgrade import FORMAT
from coterie.projects.session import Session
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.old_keys import TranslatedFile, is_of_0_1

from ..conftest import NewSession

ARCHIVES = Path(__file__).parents[2] / "archives"
STEPS = ("data", "scaled", "similarity", "groups", "order", "agreement")
# The version of dominant sets was raised in 0.2: what they computed, and what follows, is stale.
SAME = ("data", "scaled", "similarity")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Written by `coterie run` of 0.1, beside the file that it reads."""
    shutil.copy(ARCHIVES / "points.csv", tmp_path)
    return Path(shutil.copy(ARCHIVES / "written-by-0.1.coterie.h5", tmp_path))


def opened(new_session: NewSession, path: Path) -> Session:
    session = new_session()
    while not session.catalogue.methods:
        session.wait(0.1)
    session.project.open_file(path)
    session.wait(60)
    return session


def states(session: Session) -> dict[str, Status]:
    return {name: session.status(name) for name in STEPS}


def stale_in(session: Session) -> set[str]:
    return {name for name, status in states(session).items() if status is not Status.FRESH}


def test_what_the_same_version_computed_is_fresh_after_opening_saving_and_reopening(
    new_session: NewSession, project: Path
) -> None:
    with ProjectFile.open(project) as file:
        assert is_of_0_1(file.recipe)
        before = {file.steps[name]["key"] for name in SAME}
    session = opened(new_session, project)
    assert stale_in(session) == set(STEPS) - set(SAME)
    session.project.save(project)
    session.wait(60)
    session.close()
    with ProjectFile.open(project) as file:
        assert file.recipe.startswith(f"format = {FORMAT}\n")
        assert not before & set(file.entries)
        assert {step["key"] for step in file.steps.values()} <= set(file.entries)
    again = opened(new_session, project)
    assert stale_in(again) == set(STEPS) - set(SAME)
    again.results.artefact("agreement")
    again.wait(60)
    assert again.results.artefact("agreement").value == 1.0


def test_what_a_changed_method_computed_is_stale_and_so_is_what_follows(
    new_session: NewSession, project: Path
) -> None:
    session = opened(new_session, project)
    catalogue = session.plugins.catalogue
    changed = replace(catalogue.get("kernel/gaussian"), version="another")
    methods = tuple(changed if m.name == changed.name else m for m in catalogue)
    session.plugins.catalogue = Catalogue(methods, catalogue.broken)
    session.project.touch()
    assert stale_in(session) == {"similarity", "groups", "order", "agreement"}


def test_a_parameter_that_0_1_did_not_have_gets_its_default(project: Path) -> None:
    file = ProjectFile.open(project)
    try:
        usual = TranslatedFile(file, lambda name: {})
        more = TranslatedFile(file, lambda name: {"news": 1} if name == "kernel/gaussian" else {})
    finally:
        file.close()
    same = {name for name in STEPS if usual.steps[name]["key"] == more.steps[name]["key"]}
    assert same == {"data", "scaled"}


def test_a_key_that_0_1_would_not_have_made_is_left_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from coterie.projects.store import old_keys

    known = dict(old_keys._sources_of_0_1())
    known["kernel/gaussian"] = {"version": "1", "sources": ["0" * 64]}
    monkeypatch.setattr(old_keys, "_sources_of_0_1", lambda: known)
    with ProjectFile.open(project) as file:
        translated = TranslatedFile(file, lambda name: {})
        assert translated.steps["similarity"] == file.steps["similarity"]
        assert translated.steps["scaled"] != file.steps["scaled"]


@pytest.mark.parametrize(
    "told",
    [
        {"component": {"a": []}},
        {"inputs": [[1]]},
        {"inputs": {"a": 1}},
        {"parts": ["x"]},
        {"source_sha256": 7},
        {"companions": {"a": None}},
    ],
)
def test_a_record_that_makes_no_sense_is_left_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, object]
) -> None:
    original = ProjectFile.provenance
    monkeypatch.setattr(ProjectFile, "provenance", lambda file, key: original(file, key) | told)
    with ProjectFile.open(project) as file:
        keys = set(file.entries)
        translated = TranslatedFile(file, lambda name: {})
        assert set(translated.entries) == keys
        assert all(translated.provenance(key) == file.provenance(key) for key in keys)
