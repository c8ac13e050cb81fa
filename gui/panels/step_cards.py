"""The two types of cards: a data set that is opened, and a step that is computed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from coterie.core.api.choices import MOST_OFFERED, asked_choices, choices_in
from coterie.core.api.components import Cost
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.errors import CoterieError
from coterie.core.model.recipes import Source, Step
from coterie.gui.panels.card import Card
from coterie.gui.panels.choosers import InputChooser, MethodChooser, SeedChooser
from coterie.gui.panels.fit_inputs import in_words, with_method
from coterie.gui.panels.result_notes import Remarks
from coterie.gui.toolkit.elided import ElidedLabel
from coterie.gui.toolkit.forms.form import ParameterForm
from coterie.gui.toolkit.styling.icons import icon
from coterie.projects.formatting import cost_in_words
from coterie.projects.jobs.job import Status
from coterie.projects.recipe.inputs import reader_of

if TYPE_CHECKING:
    from coterie.projects.session import Session

_ESTIMATE_MILLISECONDS = 400


class SourceCard(Card):
    """A data set that the recipe opens, with the settings of its reader."""

    def __init__(self, session: Session, name: str, parent: QWidget | None = None) -> None:
        super().__init__(session, name, parent)
        self._form: ParameterForm | None = None
        self.allow = QPushButton("Allow this file")
        self.allow.clicked.connect(self._on_allow)
        self.allow.hide()
        self.add_below_banner(self.allow)
        self.settings = QPushButton("Import settings…", self)
        self.settings.setToolTip("Preview the file and change how it is read")
        self.settings.setAccessibleName(f"Import settings of {name}")
        self.settings.clicked.connect(self._on_settings)
        self.settings.hide()

    def synchronize(self) -> None:
        super().synchronize()
        # What the project file holds need not be read again; pixels that stay on disk are.
        fresh = self.session.status(self.name) is Status.FRESH
        needed = not fresh or self._stays_on_disk()
        outside = self.session.files.unconfirmed(self.name) if needed else ""
        self.allow.setVisible(bool(outside))
        self.allow.setToolTip(
            f"This project reads {outside}, which is outside its folder. Allow it only "
            "if you trust the project."
        )

    def _stays_on_disk(self) -> bool:
        data = (
            self.session.results.artefact(self.name)
            if self.session.results.provenance(self.name)
            else None
        )
        return data is not None and data.on_disk

    def _on_allow(self) -> None:
        self.session.files.confirm(self.name)
        self.synchronize()
        self.run_asked.emit(self.name)

    def _on_settings(self) -> None:
        outside = self.session.files.unconfirmed(self.name)
        if not outside:
            self._show_settings()
            return
        box = QMessageBox(self.window())
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Read a file outside the project folder")
        box.setText(f"This project reads {outside}, which is outside its folder. Allow it?")
        box.setInformativeText("Allow it only if you trust the project.")
        allow = box.addButton("Allow", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)

        def on_finished(_: int) -> None:
            if box.clickedButton() is allow:
                self.session.files.confirm(self.name)
                self.synchronize()
                self._show_settings()
            box.deleteLater()

        box.finished.connect(on_finished)
        box.open()

    def _show_settings(self) -> None:
        from coterie.gui.dialogs.import_data.dialog import ImportDialog

        source = self._source()
        dialog = ImportDialog(self.session, Path(source.open), source, self.window())
        dialog.chosen.connect(self._on_read_otherwise)
        dialog.open()

    def _on_read_otherwise(self, source: Source) -> None:
        if self.name in self.session.recipe.names and source != self._source():
            self.edit(
                {"reader": source.reader, "params": source.params},
                f"change how {self.name} is read",
            )
            self.run_asked.emit(self.name)

    def words(self) -> tuple[str, str]:
        source = self._source()
        known = self.session.results.provenance(self.name)
        artefact = self.session.results.artefact(self.name) if known else None
        title = source.open.rsplit("/", 1)[-1] or self.name
        if artefact is not None and artefact.title:
            title = artefact.title
        shown = Path(source.open).name
        return title, f"{self.name} · {shown}" if shown != title else self.name

    def build_body(self, layout: QVBoxLayout) -> None:
        reader = self._reader()
        if reader is not None and reader.extensions:
            self._form = ParameterForm(reader, self._source().params)
            self._form.changed.connect(
                lambda values: self.edit({"params": values}, f"change how {self.name} is read")
            )
            layout.addWidget(self.settings, 0, Qt.AlignmentFlag.AlignLeft)
            self.settings.show()
            layout.addWidget(self._form)
            return
        self._add_no_settings(layout)

    def _add_no_settings(self, layout: QVBoxLayout) -> None:
        sentence = QLabel("Samples have no settings: they are always the same.")
        sentence.setProperty("role", "hint")
        sentence.setWordWrap(True)
        layout.addWidget(sentence)

    def synchronize_body(self) -> None:
        if self._form is not None:
            self._form.set_values(self._source().params)

    def flush(self) -> None:
        if self._form is not None:
            self._form.flush()

    def _reader(self) -> Descriptor | None:
        try:
            return reader_of(self._source(), self.session.catalogue)
        except CoterieError:
            return None  # its status says so

    def _source(self) -> Source:
        part = self.session.recipe.find(self.name)
        assert isinstance(part, Source)
        return part


class StepCard(Card):
    """A step: its method, its inputs, its parameters and what it will cost."""

    movable = True

    def __init__(self, session: Session, name: str, parent: QWidget | None = None) -> None:
        super().__init__(session, name, parent)
        self._form: ParameterForm | None = None
        self._method = ""
        self._estimate_soon = QTimer(self, singleShot=True, interval=_ESTIMATE_MILLISECONDS)
        self._estimate_soon.timeout.connect(self._ask_estimate)
        self.remarks = Remarks(session, name)
        self.fold.toggled.connect(self.remarks.open)
        self.add_below_banner(self.remarks)

    def synchronize(self) -> None:
        super().synchronize()
        self.remarks.synchronize()

    def words(self) -> tuple[str, str]:
        step = self._step()
        catalogue = self.session.catalogue
        method = catalogue.get(step.use) if step.use in catalogue else None
        remark = " · ".join(filter(None, (self.name, in_words(step, method))))
        return (method.title if method else step.use), remark

    def build_body(self, layout: QVBoxLayout) -> None:
        self._methods = MethodChooser(self.session, self.name)
        self._methods.picked.connect(self._on_method)
        self._methods.help_asked.connect(lambda: self.help_asked.emit(self.name))
        self._inputs = InputChooser(self.session, self.name)
        self._inputs.picked.connect(
            lambda of: self.edit({"of": of}, f"change input of {self.name}")
        )
        self._form_place = QVBoxLayout()
        self._form_place.setContentsMargins(0, 0, 0, 0)
        self._seed = SeedChooser(self.session, self.name)
        self._seed.picked.connect(
            lambda seed: self.edit({"seed": seed}, f"change seed of {self.name}")
        )
        self._cost = ElidedLabel()
        self._cost.setProperty("role", "hint")
        remove = QToolButton()
        remove.setIcon(icon("remove"))
        remove.setText("Remove")
        remove.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        remove.setAutoRaise(True)
        remove.setToolTip("Remove this step and all steps that depend on it")
        remove.setAccessibleName(f"Remove {self.name}")
        remove.clicked.connect(lambda: self.removal_asked.emit(self.name))
        self.remove = remove
        layout.addWidget(self._methods)
        layout.addWidget(self._inputs)
        layout.addLayout(self._form_place)
        layout.addWidget(self._seed)
        foot = QHBoxLayout()
        foot.addWidget(self._cost, 1)
        foot.addWidget(remove)
        layout.addLayout(foot)

    def synchronize_body(self) -> None:
        step = self._step()
        self._methods.synchronize()
        self._inputs.synchronize()
        self._seed.synchronize()
        if step.use != self._method:
            self._make_form(step)
        elif self._form is not None:
            self._form.set_values(step.params)
        self._estimate_soon.start()

    def show_estimate(self, cost: Cost | str) -> None:
        """Show what the step will take, or why that is not known."""
        if not self._built:
            return
        said = cost if isinstance(cost, str) else cost_in_words(cost)
        self._cost.setText(said)
        self._cost.setToolTip(said)

    def flush(self) -> None:
        if self._form is not None:
            self._form.flush()

    @property
    def form(self) -> ParameterForm | None:
        """The form of the parameters, once the card was opened."""
        return self._form

    def _make_form(self, step: Step) -> None:
        if self._form is not None:
            self._form_place.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
            self._form = None
        self._method = step.use
        catalogue = self.session.catalogue
        if step.use in catalogue:
            self._form = ParameterForm(catalogue.get(step.use), step.params)
            self._form.changed.connect(self._on_params)
            if catalogue.get(step.use).gives == "affinity":
                self._form.moved.connect(self._on_moved)
            self._form_place.addWidget(self._form)
            self._offer_choices()

    def _offer_choices(self) -> None:
        """Have at hand what the inputs that are there offer: columns, groups or items."""
        method = self.session.catalogue.get(self._step().use)
        asked = asked_choices(method.params)
        if not asked or self._form is None:
            return
        results = self.session.results
        inputs = [results.artefact(name) for name in self._step().of if results.is_computed(name)]
        found = {name: choices_in(source, inputs) for name, source in asked.items()}
        self._form.offer({name: (values or ())[:MOST_OFFERED] for name, values in found.items()})

    def _on_params(self, values: dict[str, Any]) -> None:
        changed = {
            name
            for name in {*values, *self._step().params}
            if values.get(name, ...) != self._step().params.get(name, ...)
        }
        if changed:
            named = " and ".join(sorted(changed)) if len(changed) < 3 else "settings"
            self.edit({"params": values}, f"change {named} of {self.name}")

    def _on_moved(self, values: dict[str, Any]) -> None:
        self.session.questions.preview_step(self.name, values)

    def _on_method(self, use: str) -> None:
        catalogue = self.session.catalogue
        recipe = with_method(self.session.recipe, catalogue, self.name, catalogue.get(use))
        self.session.edits.replace(recipe, f"change method of {self.name}")

    def _ask_estimate(self) -> None:
        if not self.opened or self.name not in self.session.recipe.names:
            return
        # What already runs, or is about to, will take what it takes; asking would start the
        # second engine just when the first is needed.
        if self.session.status(self.name) not in (Status.RUNNING, Status.WAITING):
            self.session.questions.estimate(self.name)

    def _step(self) -> Step:
        return self.session.recipe.step(self.name)
