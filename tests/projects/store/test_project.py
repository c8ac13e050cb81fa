"""The open project says when another one takes its place, and only then."""

from pathlib import Path
from typing import Any

from coterie.core.model.recipes import Recipe, Source
from coterie.projects.session import Session

RECIPE = Recipe(title="Small arcs", sources=(Source(open="arcs", params={"n": 60}),))


def _titles_at(session: Session) -> list[str]:
    """The title of the project at each `opened`, filled as they come."""
    titles: list[str] = []
    session.project.opened.connect(lambda: titles.append(session.project.title))
    return titles


def test_opened_is_emitted_for_each_way_to_begin_a_project(
    new_session: Any, tmp_path: Path
) -> None:
    first = new_session()
    titles = _titles_at(first)
    first.project.load_recipe(RECIPE)
    first.project.open("iris")
    saved = tmp_path / "iris.coterie.h5"
    first.project.save(saved)
    first.wait(60)
    first.close()
    assert titles == ["Small arcs", first.project.title]

    second = new_session()
    titles = _titles_at(second)
    second.project.open_file(saved)
    second.wait(60)
    assert titles == [second.project.title]
    folder = second._storage.folder
    second.project.touch()
    second.close(keep_work=True)

    third = new_session()
    titles = _titles_at(third)
    third.project.recover(folder)
    third.wait(60)
    assert titles == [third.project.title]


def test_opened_is_not_emitted_while_the_same_project_stays_open(
    session: Session, tmp_path: Path
) -> None:
    session.project.load_recipe(RECIPE)
    titles = _titles_at(session)
    session.edits.replace(RECIPE.changed("data", params={"n": 40}), "change n")
    session.edits.undo()
    session.edits.edit_view("map", {"bands": []}, "change bands")
    session.run()
    session.wait(60)
    session.project.save(tmp_path / "arcs.coterie.h5")
    session.wait(60)
    assert not titles


def test_news_of_an_opened_project_come_before_those_of_its_recipe(session: Session) -> None:
    news: list[str] = []
    session.recipe_changed.connect(lambda: news.append("changed"))
    session.project.opened.connect(lambda: news.append("opened"))
    session.project.load_recipe(RECIPE)
    assert news[:2] == ["opened", "changed"]
