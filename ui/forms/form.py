"""Forms whose fields may hold values: rows of forms, or a choice of kinds with a form for the one chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout

from dpwizard.base.language import phrase
from dpwizard.base.values import Value
from ui.forms.fields import inner_kinds
from ui.forms.plain_form import PlainForm
from ui.forms.rows import Rows
from ui.forms.variants import Variants
from ui.widgets import added, named, tr


class Form(PlainForm):
    """The editors of some fields of the value at one path of the decision; a value in it has a form in its turn."""

    def nest(self, kind: type[Value], name: str, column: QVBoxLayout) -> bool:
        kinds, listed = inner_kinds(kind, name)
        if not kinds:
            return False
        field, path = kind.model_fields[name], f"{self.where}.{name}"
        title = phrase("label", field.title or name)
        help = phrase("label", field.description) if field.description else ""
        if listed:
            label = named(QLabel(title), "caption")
            label.setToolTip(help)
            column.addWidget(label)
            rows = Rows(self._session, path, kinds[0], Form, title=title, add_words=tr("Add one"), framed=False)
            column.addWidget(rows)
            self.nested[name] = rows
        else:
            variants = added(column, Variants(self._session, path, kinds, Form, label=title, help=help))
            self.nested[name] = variants
        return True
