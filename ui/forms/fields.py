"""From the declaration of a field to its editor, and to the help behind "?".

A new kind of requirement, profile or prior thus has its form without a line here. Labels, help and units
are those of the declaration. The model's message about a wrong answer is shown beside the field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from dpwizard.base.language import LANGUAGES, phrase
from dpwizard.base.messages import recorded
from dpwizard.base.values import Value, declared, hints
from dpwizard.decision import DataDescription, InPeriods
from dpwizard.wording import known_word, whole, word
from ui.forms.attributes import AttributeEditor, EffectsEditor, ReadsEditor
from ui.forms.belief_editor import BeliefEditor
from ui.forms.categories import CategoriesEditor
from ui.forms.choice_editors import ChecksEditor, ChoiceEditor, YesNoEditor
from ui.forms.editor import Editor
from ui.forms.name_choices import CategoryChoice, GroupEditor, LevelEditor, MovesEditor, OtherPartsEditor, PartChoice
from ui.forms.number_editors import (
    ChanceEditor,
    FractionOfAllEditor,
    NumberEditor,
    ShareEditor,
    SmallChanceEditor,
    TimesEditor,
)
from ui.forms.numbers import written
from ui.forms.offered_numbers import EffectEditor, ToleranceEditor
from ui.forms.programme_editors import CountsEditor, DataEditor, PeriodsEditor, SummedTableChoice
from ui.forms.text_editors import LongTextEditor, NamesEditor, NumberOrWordEditor, NumbersEditor, TextEditor
from ui.widgets import tr

LONG = 1_000  # characters; a text that may be longer gets several lines
EDITORS: Mapping[str, Callable[[str, str], Editor]] = {  # by the hint of a declaration
    "belief": BeliefEditor,
    "tiny_chance": SmallChanceEditor,
    "share": ShareEditor,
    "fraction": NumberEditor,
    "fraction_of_all": FractionOfAllEditor,
    "tolerance": ToleranceEditor,
    "language": lambda label, help: ChoiceEditor(label, help, language_names(), optional=False),
    "table": PartChoice,
    "other_tables": OtherPartsEditor,
    "attribute": AttributeEditor,
    "attributes": ReadsEditor,
    "effect": EffectEditor,
    "effects": EffectsEditor,
    "group": GroupEditor,
    "level": LevelEditor,
    "moves": MovesEditor,
    "summed_table": SummedTableChoice,
    "counts": CountsEditor,
}
OF_VALUES: Mapping[type[Value], Callable[[str, str], Editor]] = {  # that have no form of their fields
    InPeriods: PeriodsEditor,
    DataDescription: DataEditor,
}
LONGEST_UNIT = 12  # characters of a unit beside its field; a longer one is said behind the "?"


def language_names() -> tuple[tuple[str, str], ...]:
    """Return the languages, each by its own name."""
    return tuple((each, word("language", "itself", each)) for each in LANGUAGES)


def choices(kind: type[Value], name: str) -> tuple[tuple[str, str], ...]:
    """Return the keys that field NAME of KIND can take, or each of several, with their words; none without keys."""
    field = declared(kind, name)
    keys = field.get("enum") or field.get("items", {}).get("enum", ())
    return tuple((key, words[0].upper() + words[1:]) for key in keys for words in (known_word(name, key) or key,))


def editor_for(kind: type[Value], name: str) -> Editor:
    """Return the editor for field NAME of KIND, with what "?" says about it."""
    inner, field = inner_kinds(kind, name)[0], kind.model_fields[name]
    if inner and inner[0] in OF_VALUES:
        editor = OF_VALUES[inner[0]](phrase("label", field.title or name), phrase("label", field.description or ""))
    else:
        editor = _bare_editor(kind, name)
    editor.explain(explanation(kind, name, editor))
    return editor


def _bare_editor(kind: type[Value], name: str) -> Editor:
    field = declared(kind, name)
    label, help, unit = (
        phrase("label", field[part]) if field[part] else "" for part in ("title", "description", "unit")
    )
    unit = unit if len(unit) <= LONGEST_UNIT else ""
    hint = hints(kind, name)
    if hint.editor in EDITORS:
        return EDITORS[hint.editor](label, help)
    if hint.editor == "chance":
        return ChanceEditor(label, help, certainty="maximum" in field)
    if hint.editor == "times":
        return TimesEditor(label, help, unit or tr("times"))
    if hint.categories_of:
        return CategoryChoice(label, help, hint.categories_of)
    if "enum" in field:
        unset = tr("Not chosen: {what}", what=phrase("label", hint.unset)) if hint.unset else ""
        return ChoiceEditor(label, help, choices(kind, name), optional=field["optional"], open_words=unset)
    if "enum" in field.get("items", {}):
        return ChecksEditor(label, help, choices(kind, name))
    return _of_type(field, label, help, unit)


def _of_type(field: Mapping[str, Any], label: str, help: str, unit: str) -> Editor:
    """Return the editor for what a FIELD holds: numbers, yes or no, names, words."""
    options = field.get("anyOf", [field])
    types = {option.get("type") for option in options}
    if "number" in types:
        words = [option["const"] for option in options if option.get("const", "inf") != "inf"]
        if words:
            return NumberOrWordEditor(label, tr("{help} Or: {words}.", help=help, words=", ".join(words)))
        return NumberEditor(label, help, unit)
    if "integer" in types:
        return NumberEditor(label, help, unit, whole=True)
    if "boolean" in types:
        return YesNoEditor(label, help)
    if "array" in types:
        each = field.get("items", {}).get("type")
        return NamesEditor(label, help) if each == "string" else NumbersEditor(label, help, table=each == "array")
    if "object" in types:
        return CategoriesEditor(label, help)
    return LongTextEditor(label, help) if field.get("maxLength", 0) > LONG else TextEditor(label, help)


def explanation(kind: type[Value], name: str, editor: Editor) -> str:
    """Return what "?" says about field NAME of KIND: its help, unit and range, and the source of the question."""
    field = declared(kind, name)
    sentences = [phrase("label", field["description"])] if field["description"] else []
    if len(field["unit"]) > LONGEST_UNIT:
        sentences.append(tr("Unit: {unit}.", unit=phrase("label", field["unit"])))
    if isinstance(editor, TimesEditor):
        range_said = tr("Range: at least {low}.", low=written(editor.low))
    else:
        range_said = range_in_words(field, editor.factor if isinstance(editor, NumberEditor) else 1.0)
    sentences += [range_said] if range_said else []
    source = getattr(kind, "source", "") or known_word("source", kind.__name__)
    if source:
        sentences.append(tr("Source: {source}.", source=recorded(source)))
    return "\n".join(sentences)


def range_in_words(field: Mapping[str, Any], factor: float = 1.0) -> str:
    """Return in words which values a declared FIELD takes; FACTOR turns them into the unit that is shown."""
    if "oneOf" in field:
        return tr("Range: one chance above 0 and up to certainty, or a range of them.")
    for option in field.get("anyOf", [field]):
        if option.get("type") == "array" and option.get("items", {}).get("type") in ("number", "integer"):
            return tr("For each number: {range}", range=range_in_words(option["items"]))
        if option.get("type") == "string" and "maxLength" in option:
            return tr("At most {most} characters.", most=whole(option["maxLength"]))
        if option.get("type") in ("number", "integer"):
            return _between(option, factor)
    return ""


def _between(option: Mapping[str, Any], factor: float) -> str:
    ends = {name: written(value * factor) for name, value in option.items() if name.lower().endswith("imum")}
    low, above = ends.get("minimum"), ends.get("exclusiveMinimum")
    high, below = ends.get("maximum"), ends.get("exclusiveMaximum")
    if option["type"] == "integer":
        return tr("Range: a whole number from {low} on.", low=low or written(0))
    if low is not None and high is not None:
        return tr("Range: from {low} to {high}.", low=low, high=high)
    if above is not None and high is not None:
        return tr("Range: above {low}, at most {high}.", low=above, high=high)
    if above is not None and below is not None:
        return tr("Range: above {low} and below {high}.", low=above, high=below)
    if low is not None:
        return tr("Range: at least {low}.", low=low)
    return tr("Range: above {low}.", low=above) if above is not None else tr("Range: any number.")


def inner_kinds(kind: type[Value], name: str) -> tuple[tuple[type[Value], ...], bool]:
    """Return the kinds of value in field NAME of KIND, and whether in a list; none where it holds plain answers."""
    found: list[type[Value]] = []
    listed = False

    def look(annotation: Any) -> None:
        nonlocal listed
        if isinstance(annotation, type) and issubclass(annotation, Value):
            found.append(annotation)
        listed = listed or getattr(annotation, "__origin__", None) is tuple
        for part in get_args(annotation):
            look(part)

    look(kind.model_fields[name].annotation)
    return tuple(found), listed
