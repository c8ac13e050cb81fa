"""What is kept for after a crash."""

import json
from pathlib import Path
from threading import Event

from coterie.core.errors import WorkspaceError
from coterie.core.recipes import Recipe
from coterie.projects.autosave import Autosave
from coterie.projects.backstage import Backstage
from coterie.projects.kept import Kept
from coterie.projects.storage import STATE, Storage


def test_the_newest_state_is_on_disk_and_the_one_before_beside_it(tmp_path: Path) -> None:
    storage, backstage = Storage(tmp_path), Backstage()
    autosave = Autosave(storage, backstage, lambda _: None)
    go_on = Event()
    backstage.do_quietly(go_on.wait)  # the thread is at other work, and nobody waits for it
    for number in range(5):
        autosave.keep(Kept(Recipe(title=f"number {number}")))
    assert not (storage.folder / STATE).exists()
    go_on.set()
    autosave.settle()
    newest, before = (
        json.loads((storage.folder / name).read_text(encoding="utf-8"))["title"]
        for name in (STATE, f"{STATE}.before")
    )
    assert (newest, before) == ("number 4", "number 3")
    backstage.close(lambda: storage.close(remove=True))


def test_its_failure_is_told_on_the_owners_thread(tmp_path: Path) -> None:
    storage, backstage = Storage(tmp_path), Backstage()
    said: list[str] = []

    class Full(Storage):
        def __init__(self) -> None:
            """Nothing of its own: only what writes differs."""

        def keep_state(self, state: object) -> None:
            raise WorkspaceError("The disk is full. Free some of it.")

    autosave = Autosave(Full(), backstage, said.append)
    autosave.keep(Kept())
    autosave.settle()
    assert said == []
    backstage.pump()
    assert said == ["The disk is full. Free some of it."]
    backstage.close(lambda: storage.close(remove=True))
