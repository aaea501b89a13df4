"""Fields of a value, made from their declarations."""

from ui.forms.assumptions import Assumptions, acknowledgement
from ui.forms.choice_editors import ChecksEditor, ChoiceEditor
from ui.forms.editor import Editor
from ui.forms.fields import choices, editor_for
from ui.forms.number_editors import NumberEditor
from ui.forms.numbers import not_a_number, parsed, written
from ui.forms.overview import Overview
from ui.forms.plain_form import PlainForm
from ui.forms.problems import in_words
from ui.forms.rows import Rows
from ui.forms.sensitivity_helper import SensitivityHelper
from ui.forms.text_editors import Offered
from ui.forms.variants import Form
