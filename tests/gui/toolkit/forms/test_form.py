"""The widgets of a form."""

from typing import Any, Literal

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from coterie.core.api.parameters import Field, Params
from coterie.core.catalogue.descriptors import Descriptor
from coterie.gui.toolkit.forms.editors import LineEditor, NumberEditor, editor_for
from coterie.gui.toolkit.forms.fields import Limits, fields_of
from coterie.gui.toolkit.forms.form import ParameterForm
from coterie.gui.toolkit.forms.numbers import NumberBox


class Settings(Params):
    sigma: float = Field(0.25, gt=0, description="Width.", json_schema_extra={"slider": [0.1, 1]})
    k: int = Field(3, ge=1, le=9)
    rest: Literal["none", "nearest"] = "none"
    mixed: bool = False
    width: float | Literal["auto"] = "auto"
    limit: int | Literal["auto"] | None = "auto"
    span: tuple[float, float] = (0.0, 1.0)
    tolerance: float = Field(1e-8, gt=0, json_schema_extra={"advanced": True})


def described(model: type[Params] = Settings) -> Descriptor:
    return Descriptor(
        kind="kernel",
        id="test",
        title="Test",
        summary="",
        version="1",
        origin="",
        params=model.model_json_schema(),
        defaults=model().as_json(),
        needs=("dataset",),
        gives="affinity",
    )


def test_every_setting_has_help_with_its_limits_and_default(
    form: ParameterForm, qtbot: QtBot
) -> None:
    button = form._rows["sigma"].help
    assert button.isVisible()
    shown_before = set(QApplication.topLevelWidgets())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    popup = next(one for one in QApplication.topLevelWidgets() if one not in shown_before)
    assert popup.inherits("QWhatsThat")
    popup.close()
    said = form.editor("sigma").accessibleDescription()
    assert said == "Width.\nMore than 0.\nDefault: 0.25."


@pytest.fixture
def form(qtbot: QtBot) -> ParameterForm:
    form = ParameterForm(described())
    qtbot.addWidget(form)
    form.show()
    return form


def type_into(qtbot: QtBot, box: NumberBox, text: str) -> None:
    # Keys come to the box: the line inside it has the focus of the box.
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def number_box(form: ParameterForm, name: str) -> NumberBox:
    editor = form.editor(name)
    assert isinstance(editor, NumberEditor)
    return editor.box


def test_a_form_shows_defaults_and_reports_nothing_of_them(form: ParameterForm) -> None:
    assert form.values() == {}
    assert number_box(form, "sigma").text() == "0.25"


def test_only_what_differs_from_the_default_is_announced(form: ParameterForm, qtbot: QtBot) -> None:
    with qtbot.waitSignal(form.changed) as told:
        type_into(qtbot, number_box(form, "sigma"), "0.5")
    assert told.args == [{"sigma": 0.5}]


def test_many_quick_edits_are_announced_once(form: ParameterForm, qtbot: QtBot) -> None:
    told: list[dict[str, Any]] = []
    form.changed.connect(told.append)
    box = number_box(form, "k")
    for _ in range(4):
        box.stepBy(1)
    qtbot.waitUntil(lambda: bool(told))
    qtbot.wait(50)
    assert told == [{"k": 7}]


def test_flush_takes_in_what_is_still_being_typed(form: ParameterForm, qtbot: QtBot) -> None:
    told: list[dict[str, Any]] = []
    form.changed.connect(told.append)
    line = number_box(form, "sigma").lineEdit()
    line.selectAll()
    QTest.keyClicks(line, "0.75")
    form.flush()
    assert told == [{"sigma": 0.75}]


def test_setting_values_tells_nobody(form: ParameterForm, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(form.changed, wait=350):
        form.set_values({"sigma": 2.0, "width": 3.0, "rest": "nearest"})
    assert form.values() == {"sigma": 2.0, "width": 3.0, "rest": "nearest"}


def test_parameters_the_form_does_not_know_are_kept(form: ParameterForm) -> None:
    form.set_values({"from_the_future": 7})
    assert form.values() == {"from_the_future": 7}


def test_reset_goes_back_to_the_default(form: ParameterForm, qtbot: QtBot) -> None:
    form.set_values({"sigma": 2.0})
    with qtbot.waitSignal(form.changed) as told:
        form.reset("sigma")
    assert told.args == [{}]


def test_a_word_can_stand_for_a_number(form: ParameterForm, qtbot: QtBot) -> None:
    editor = form.editor("width")
    assert isinstance(editor, NumberEditor)
    assert editor.word is not None
    assert editor.value() == "auto"
    assert not editor.box.isEnabled()
    with qtbot.waitSignal(form.changed) as told:
        editor.word.click()
    assert told.args == [{"width": 1.0}]
    assert editor.box.isEnabled()
    editor.word.click()
    assert form.values() == {}


def test_several_words_are_a_list(form: ParameterForm) -> None:
    editor = form.editor("limit")
    assert isinstance(editor, NumberEditor)
    assert editor.words is not None
    offered = [editor.words.itemText(at) for at in range(editor.words.count())]
    assert offered == ["auto", "none", "value"]
    form.set_values({"limit": 4})
    assert form.values() == {"limit": 4}
    form.set_values({"limit": None})
    assert form.values() == {"limit": None}


def test_advanced_settings_are_folded_until_one_is_not_the_default(form: ParameterForm) -> None:
    assert not form.editor("tolerance").isVisible()
    form.set_values({"tolerance": 1e-3})
    assert form.editor("tolerance").isVisible()


def test_scientific_numbers_are_entered_and_shown(form: ParameterForm, qtbot: QtBot) -> None:
    box = number_box(form, "tolerance")
    assert box.text() == "1e-8"
    type_into(qtbot, box, "2.5e-12")
    assert form.values() == {"tolerance": 2.5e-12}
    assert box.text() == "2.5e-12"


def test_a_decimal_comma_is_a_decimal_point(form: ParameterForm, qtbot: QtBot) -> None:
    type_into(qtbot, number_box(form, "sigma"), "0,5")
    assert form.values() == {"sigma": 0.5}


@pytest.mark.parametrize("text", ["-1", "0", "e", ""])
def test_what_is_no_right_number_is_undone(form: ParameterForm, qtbot: QtBot, text: str) -> None:
    box = number_box(form, "sigma")
    box.lineEdit().setText(text)
    box.take_typed()
    assert box.text() == "0.25"
    assert form.values() == {}


def test_the_wheel_changes_nothing(form: ParameterForm, qtbot: QtBot) -> None:
    for editor in (form.editor(name) for name in ("sigma", "k", "rest")):
        for kind in (QAbstractSpinBox, QComboBox):
            for widget in editor.findChildren(kind):
                assert isinstance(widget, QWidget)
                widget.setFocus()
                turn = QWheelEvent(
                    QPointF(5, 5),
                    QPointF(5, 5),
                    QPoint(0, 0),
                    QPoint(0, 120),
                    Qt.MouseButton.NoButton,
                    Qt.KeyboardModifier.NoModifier,
                    Qt.ScrollPhase.NoScrollPhase,
                    False,
                )
                QApplication.sendEvent(widget, turn)
    assert form.values() == {}


def test_lists_of_numbers_are_typed_with_commas(form: ParameterForm, qtbot: QtBot) -> None:
    editor = form.editor("span")
    line = editor.focusProxy()
    assert line is not None
    for typed, taken in (("2, 3.5", [2.0, 3.5]), ("1, 2, 3", [2.0, 3.5]), ("x", [2.0, 3.5])):
        line.selectAll()  # type: ignore[attr-defined]
        QTest.keyClicks(line, typed)
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert editor.value() == taken


def test_a_check_box_tells_when_clicked(form: ParameterForm, qtbot: QtBot) -> None:
    box = form.editor("mixed").findChild(QCheckBox)
    assert box is not None
    with qtbot.waitSignal(form.changed) as told:
        box.click()
    assert told.args == [{"mixed": True}]


def test_every_editor_has_an_accessible_name(form: ParameterForm) -> None:
    for field in form.fields:
        proxy = form.editor(field.name).focusProxy()
        assert proxy is not None
        assert proxy.accessibleName() == field.title


@pytest.mark.parametrize(
    ("start", "steps", "end"),
    [(0.25, 1, 0.26), (0.1, -1, 0.09), (10.0, 1, 11.0), (1e-8, 1, 1.1e-8), (3.0, 10, 4.0)],
)
def test_steps_suit_the_size_of_the_number(
    qtbot: QtBot, start: float, steps: int, end: float
) -> None:
    box = NumberBox(Limits(low=0, low_open=True))
    qtbot.addWidget(box)
    box.set_value(start)
    box.stepBy(steps)
    assert box.value() == pytest.approx(end)


def test_steps_stop_at_the_limits(qtbot: QtBot) -> None:
    box = NumberBox(Limits(low=1, high=5), whole=True)
    qtbot.addWidget(box)
    box.set_value(4)
    box.stepBy(10)
    assert box.value() == 5
    box.stepBy(-100)
    assert box.value() == 1


def test_a_row_shows_only_while_it_has_a_meaning(qtbot: QtBot) -> None:
    schema = {
        "properties": {
            "rest": {"enum": ["none", "transduction"], "type": "string", "default": "none"},
            "width": {"type": "number", "default": 0.0, "only_if": {"rest": ["transduction"]}},
        }
    }
    descriptor = Descriptor(
        kind="clusterer",
        id="x",
        title="X",
        summary="",
        version="1",
        origin="",
        params=schema,
        needs=(),
        gives="clustering",
        defaults={"rest": "none", "width": 0.0},
    )
    form = ParameterForm(descriptor)
    qtbot.addWidget(form)
    assert not form.editor("width").isVisibleTo(form)
    form.set_values({"rest": "transduction"})
    assert form.editor("width").isVisibleTo(form)


class Width(Params):
    sigma: float | Literal["auto"] = Field("auto", json_schema_extra={"slider": [0.1, 10.0]})


def test_a_slider_tells_every_movement_at_once_and_the_edit_once(qtbot: QtBot) -> None:
    form = ParameterForm(described())
    qtbot.addWidget(form)
    moves: list[dict[str, Any]] = []
    edits: list[dict[str, Any]] = []
    form.moved.connect(moves.append)
    form.changed.connect(edits.append)
    editor = form.editor("sigma")
    assert isinstance(editor, NumberEditor)
    assert editor._slider is not None
    for position in (60, 90, 120):
        editor._slider.setValue(position)
    assert [round(values["sigma"], 3) for values in moves] == [0.37, 0.505, 0.64]
    assert not edits
    qtbot.waitUntil(lambda: edits == [{"sigma": 0.64}])


def test_a_slider_beside_a_word_takes_its_place(qtbot: QtBot) -> None:
    form = ParameterForm(described(Width))
    qtbot.addWidget(form)
    editor = form.editor("sigma")
    assert isinstance(editor, NumberEditor)
    assert editor._slider is not None
    assert editor.value() == "auto"
    editor._slider.setValue(100)
    assert editor.value() == pytest.approx(5.05)
    assert editor.box.isEnabled()


def test_pairs_of_bands_stay_pairs_when_they_are_typed(qtbot: QtBot) -> None:
    text = {"type": "array", "items": {"type": "string"}, "between": ";", "default": []}
    (field,) = fields_of({"properties": {"pairs": text}})
    editor = editor_for(field)
    qtbot.addWidget(editor)
    line = editor.findChild(QLineEdit)
    assert line is not None
    for typed, taken in (("B8, B4", ["B8, B4"]), ("B8, B4; B3, B8", ["B8, B4", "B3, B8"])):
        line.selectAll()
        QTest.keyClicks(line, typed)
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert editor.value() == taken
        editor.set_value(taken)
        editor.take_typed()
        assert editor.value() == taken


def test_values_that_are_offered_are_chosen_or_others_typed(qtbot: QtBot) -> None:
    (field,) = fields_of({"properties": {"array": {"type": "string", "default": ""}}})
    editor = editor_for(field)
    qtbot.addWidget(editor)
    assert isinstance(editor, LineEditor)
    assert editor.offered.isHidden()
    editor.offer(("img", "msk"))
    editor.offer(("img", "msk"))
    assert [action.text() for action in editor.offered.menu().actions()] == ["img", "msk"]
    with qtbot.waitSignal(editor.edited, timeout=1000):
        editor.offered.menu().actions()[1].trigger()
    assert editor.value() == "msk"
    editor.offer(())
    assert editor.offered.isHidden()
