"""Whatever happens to the files of a workspace, running and saving lead to the right project."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from coterie.core.errors import CoterieError
from coterie.projects.session import Session
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.validation import validate

from .conftest import NewSession
from .test_disk import computed, saved, sentence_of
from .work import Ground


def damages(folder: Path, rng: random.Random) -> Iterator[tuple[Path, bytes]]:
    """Yield every file of a workspace's artefacts with bytes that are not its own."""
    for file in sorted(folder.glob("artefacts/*/*")):
        whole = file.read_bytes()
        flipped = bytearray(whole)
        flipped[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        yield file, bytes(flipped)
        yield file, whole[: rng.randrange(len(whole))]


def save_whatever_it_takes(session: Session, path: Path) -> int:
    """Run and save as a person would who reads the messages; return how many there were."""
    said: list[str] = []
    while len(said) < 8:
        session.run()
        session.wait(60)
        try:
            saved(session, path)
        except CoterieError as error:
            said.append(sentence_of(error))
        else:
            assert all("Run its step again" in sentence for sentence in said)
            return len(said)
    raise AssertionError("no message led to a saved project")


def test_any_damaged_file_of_a_workspace_is_noticed_and_made_again(
    ground: Ground, new_session: NewSession
) -> None:
    session = computed(new_session(ground), ground)
    labels = np.array(session.fetch("groups").labels)
    folder = session._storage.folder
    rng = random.Random(5)
    cases = list(damages(folder, rng))
    for number, (file, content) in enumerate(rng.sample(cases, 14)):
        session.project.load_recipe(ground.recipe(1))
        session.wait(60)
        if not file.exists():
            continue
        file.write_bytes(content)
        session.results._nouns.clear()  # nobody had looked at it yet
        path = ground.folder / f"{number}.coterie.h5"
        save_whatever_it_takes(session, path)
        assert validate(path) == []
        key = session.results.key("groups")
        assert key is not None
        with ProjectFile.open(path) as project:
            found = project.read(key).encoded.arrays["labels"]
        np.testing.assert_array_equal(found, labels)


def test_a_damaged_record_tells_nothing_of_how_its_result_came_about(
    ground: Ground, new_session: NewSession
) -> None:
    session = computed(new_session(ground), ground)
    assert session.results.provenance("groups")["component"] == "clusterer/dominant-sets"
    key = session.results.key("groups")
    record = session._storage.folder / "artefacts" / str(key) / "record.json"
    record.write_text("{")
    session.results.forget({str(key)})  # as in a session that has not read it yet
    assert session.results.provenance("groups") == {}
