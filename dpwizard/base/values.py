"""Declaring and strictly reading values: number types, frozen values, and validation errors in words.

Every value of a decision is a :class:`Value` (frozen, keyword-only, no unknown field), every public function is marked
:func:`public`, and the same reader checks both. The declarations are the only source of labels, units, ranges and help
texts for forms, reports and the JSON Schema.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, is_dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Annotated, Any, ClassVar, Literal, ParamSpec, Self, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainSerializer,
    PlainValidator,
    Tag,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    validate_call,
)
from pydantic_core import PydanticCustomError, core_schema

from dpwizard.base.errors import InvalidInput, SolverFailure
from dpwizard.base.messages import Message, Quantity, message, sentence
from dpwizard.base.value_errors import in_words

Sentence = Annotated[  # a message, or a text that becomes one
    Message, PlainValidator(sentence), PlainSerializer(str), WithJsonSchema({"type": "string"})
]
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Model = TypeVar("Model")
Kind = TypeVar("Kind", bound=BaseModel)

STRICT = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, defer_build=True)
NUMBER_LIMIT = 1e300  # squares of larger numbers overflow


class Value(BaseModel):
    """A frozen, keyword-only value that refuses unknown fields, wrong types and numbers out of range."""

    model_config = STRICT

    def __copy__(self) -> Self:
        """Return a copy without cached properties, which `model_copy` may make invalid."""
        copied = super().__copy__()
        for name in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[name]
        return copied

    def __getstate__(self) -> dict[Any, Any]:
        """Return what is pickled: the fields without cached properties, which may hold what cannot be pickled."""
        state = super().__getstate__()
        fields = type(self).model_fields
        return {**state, "__dict__": {name: value for name, value in state["__dict__"].items() if name in fields}}


class Variant(Value):
    """One of several kinds of value for a field, such as a profile of some shape; its first field is the kind."""

    title: ClassVar[str]  # the name of the kind, in English

    @classmethod
    def texts(cls) -> Iterable[str]:
        """Return every English text of this kind that needs a translation."""
        return (cls.title,)


class ReplayDifference(Value):
    """A difference between a record and its recalculated decision; both values as shown."""

    where: str
    recorded: str
    now: str


Editor = Literal[
    "",
    "belief",
    "times",
    "chance",
    "tiny_chance",
    "share",
    "fraction",
    "fraction_of_all",
    "tolerance",
    "language",
    "table",
    "other_tables",
    "attribute",
    "attributes",
    "effect",
    "effects",
    "level",
    "group",
    "moves",
    "picture",
    "summed_table",
    "counts",
]


@dataclass(frozen=True, kw_only=True)
class Hints:
    """What forms and figures need beyond the type of a field; not part of the schema."""

    editor: Editor = ""  # the control in forms
    categories_of: str = ""  # the field of the same value whose categories it refers to
    tempting: bool = False  # it could be looked up in the confidential data, so forms ask for its source
    by_questions: bool = False  # can be elicited by questions
    decided: bool = False  # a choice of the officer, not a fact or a prior
    unset: str = ""  # the meaning of no choice, for optional choices


def field(
    label: str,
    help: str = "",
    *,
    unit: str = "",
    default: Any = None,
    editor: Editor = "",
    categories_of: str = "",
    tempting: bool = False,
    by_questions: bool = False,
    decided: bool = False,
    unset: str = "",
) -> Any:
    """Declare a field of a :class:`Value`: its label, help text, unit, default, and the :class:`Hints` it gives.

    A default of None means "not answered yet".
    """
    declared = Field(
        default=default, title=label, description=help or None, json_schema_extra={"unit": unit} if unit else None
    )
    hints = Hints(
        editor=editor,
        categories_of=categories_of,
        tempting=tempting,
        by_questions=by_questions,
        decided=decided,
        unset=unset,
    )
    declared.metadata += [] if hints == Hints() else [hints]
    return declared


def hints(kind: type[BaseModel], name: str) -> Hints:
    """Return the hints of field NAME of KIND; empty ones if there is no such field."""
    declared = kind.model_fields.get(name)
    return next((hint for hint in declared.metadata if isinstance(hint, Hints)), Hints()) if declared else Hints()


def unit_of(kind: type[BaseModel], name: str) -> str:
    """Return the unit declared for field NAME of KIND; "" if there is none."""
    declared = kind.model_fields.get(name)
    extra = declared.json_schema_extra if declared is not None else None
    return str(extra.get("unit", "")) if isinstance(extra, dict) else ""


@functools.cache
def declared(kind: type[BaseModel], name: str) -> Mapping[str, Any]:
    """Return the schema of field NAME of KIND, without null, and with title, description, unit and "optional".

    The schema of a whole decision would take too long.
    """
    declaration = kind.model_fields[name]
    schema = adapter(annotated(kind, name)).json_schema()
    every = schema.get("anyOf", [schema])
    options = [option for option in every if option.get("type") != "null"]
    return {
        **(options[0] if len(options) == 1 else {"anyOf": options}),
        "title": declaration.title or name,
        "description": declaration.description or "",
        "unit": unit_of(kind, name),
        "optional": len(options) < len(every),
    }


def annotated(kind: type[BaseModel], name: str) -> Any:
    """Return the type of field NAME of KIND with its metadata."""
    declaration = kind.model_fields[name]
    annotation: Any = declaration.annotation
    for extra in declaration.metadata:
        annotation = Annotated[annotation, extra]
    return annotation


def in_own_words(*, unset: Mapping[str, str] | None = None, **helps: str) -> Callable[[type[Kind]], type[Kind]]:
    """Decorate a class with its own help texts for inherited fields (HELPS), and their meaning if UNSET, by name."""

    def worded(kind: type[Kind]) -> type[Kind]:
        for name, help in helps.items():
            kind.model_fields[name].description = help
        for name, words in (unset or {}).items():
            declared = kind.model_fields[name]
            others = [each for each in declared.metadata if not isinstance(each, Hints)]
            declared.metadata = [*others, replace(hints(kind, name), unset=words)]
        return kind

    return worded


def refused(kind: Literal["range", "order", "line", "picture"], why: Message) -> PydanticCustomError:
    """Return the error for a validator to raise; it becomes an InvalidInput that names the field."""
    return PydanticCustomError(kind, "{why}", {"why": why})


@dataclass(frozen=True, kw_only=True)
class Within:
    """The allowed range of a number, for its validation, error message and JSON Schema."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False
    infinite: bool = False

    @property
    def words(self) -> Message:
        """Return the range in words, for instance ``in (0, 1]`` or ``greater than 0``."""
        low, high = Quantity(self.low), Quantity(self.high)
        if math.isinf(self.low) and math.isinf(self.high):
            return message("a finite number")
        if math.isinf(self.high):
            return message("greater than {limit:g}" if self.low_open else "at least {limit:g}", limit=low)
        if math.isinf(self.low):
            return message("less than {limit:g}" if self.high_open else "at most {limit:g}", limit=high)
        if self.low_open:
            return message("in ({low:g}, {high:g})" if self.high_open else "in ({low:g}, {high:g}]", low=low, high=high)
        return message("in [{low:g}, {high:g})" if self.high_open else "in [{low:g}, {high:g}]", low=low, high=high)

    def __call__(self, number: float) -> float:
        if math.isinf(number) and number > 0 and self.infinite:
            return number
        above = number > self.low if self.low_open else number >= self.low
        below = number < self.high if self.high_open else number <= self.high
        if not (above and below):  # also true of NaN
            raise refused("range", message("must be {what}", what=self.words))
        if abs(number) > NUMBER_LIMIT:
            raise refused("range", message("must be {what} and at most 1e300 in size", what=self.words))
        return number

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(self, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        plain: dict[str, Any] = dict(handler(schema))
        if not math.isinf(self.low):
            plain["exclusiveMinimum" if self.low_open else "minimum"] = self.low
        if not math.isinf(self.high):
            plain["exclusiveMaximum" if self.high_open else "maximum"] = self.high
        return {"anyOf": [plain, {"const": "inf"}]} if self.infinite else plain


def _infinity(raw: Any) -> Any:
    return math.inf if raw == "inf" else raw


def _written(number: float) -> float | str:
    return "inf" if math.isinf(number) else number


def _integral(raw: Any) -> Any:
    return int(raw) if isinstance(raw, float) and raw.is_integer() else raw  # JSON's 3.0 is the whole number 3


_number = Field(strict=True, allow_inf_nan=True)  # Within refuses NaN and inf
_inf = (BeforeValidator(_infinity), PlainSerializer(_written, when_used="json"))

Number = Annotated[float, _number, Within()]
Positive = Annotated[float, _number, Within(low=0, low_open=True)]
NonNegative = Annotated[float, _number, Within(low=0)]
Probability = Annotated[float, _number, Within(low=0, high=1)]
OpenProbability = Annotated[float, _number, Within(low=0, high=1, low_open=True, high_open=True)]
Belief = Annotated[float, _number, Within(low=0, high=1, low_open=True)]  # a prior probability that is not zero
Epsilon = Annotated[float, _number, Within(low=0, infinite=True), *_inf]  # a privacy loss; "inf" is no protection
Ratio = Annotated[float, _number, Within(low=0, infinite=True), *_inf]  # a relative risk; "inf" is no bound
# the privacy loss of one output; may be negative; "inf" is certainty
Loss = Annotated[float, _number, Within(infinite=True), *_inf]
Whole = Annotated[int, BeforeValidator(_integral), Field(strict=True, ge=0, le=10**15)]
Count = Annotated[int, BeforeValidator(_integral), Field(strict=True, ge=1, le=10**15)]
ShortText = Annotated[str, Field(strict=True, max_length=1_000)]
LongText = Annotated[str, Field(strict=True, max_length=100_000)]


def _ordered(pair: tuple[float, float]) -> tuple[float, float]:
    if pair[0] > pair[1]:
        raise refused("order", message("must run from low to high"))
    return pair


def _reaching(pair: tuple[float, float]) -> tuple[float, float]:
    if pair[1] == 0.0:
        raise refused("range", message("must be above 0: nobody is considered between 0 and 0"))
    return pair


def one_or_two(raw: Any) -> str:
    """Return the tag of a number or [low, high]: "range" for a list, "number" for anything else."""
    return "range" if isinstance(raw, tuple | list) else "number"


Range = Annotated[tuple[Probability, Probability], AfterValidator(_ordered)]  # [low, high]; a low of 0 is open


def _above_zero(prior: float) -> float:
    if prior == 0.0:
        high = Quantity(1)
        raise refused("range", message("must be above 0 (a range such as [0, {high}] is open at 0)", high=high))
    return prior


_SingleBelief = Annotated[Probability, AfterValidator(_above_zero)]
PriorRange = Annotated[  # prior probabilities of an adversary: one, or a range; never zero
    Annotated[_SingleBelief, Tag("number")] | Annotated[Range, AfterValidator(_reaching), Tag("range")],
    Discriminator(one_or_two),
]


def pairs(raw: Any) -> Any:
    """Return the items of a mapping RAW, in order."""
    if isinstance(raw, Mapping):
        return tuple(raw.items())
    if isinstance(raw, tuple):
        return raw
    raise PydanticCustomError("dict_type", "must be an object")


def _numbers_by_name(most: int) -> WithJsonSchema:
    number = {"type": "number", "minimum": 0}
    return WithJsonSchema({"type": "object", "additionalProperties": number, "minProperties": 1, "maxProperties": most})


Named = Annotated[  # {name: number}, kept in the order given
    tuple[tuple[ShortText, NonNegative], ...],
    BeforeValidator(pairs),
    PlainSerializer(dict, when_used="json"),
]
Masses = Annotated[Named, Field(min_length=1, max_length=2_000), _numbers_by_name(2_000)]  # need not add up to 1
Effects = Annotated[  # by attribute: the change of a statistic when that attribute changes by 1
    Named, Field(min_length=1, max_length=200), _numbers_by_name(200)
]


# --------------------------------------------------------------------------------------- reading


def freeze(raw: Any) -> Any:
    """Return RAW with every list as a tuple, as strict reading requires."""
    if isinstance(raw, list | tuple):
        return tuple(map(freeze, raw))
    if isinstance(raw, dict):
        return {key: freeze(item) for key, item in raw.items()}
    return raw


@functools.cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read(kind: type[Model] | Any, raw: Any, where: str = "$") -> Model:
    """Return RAW, a result of ``json.loads``, as a value of KIND.

    Raises InvalidInput naming the field (a path from WHERE), the value found, what is allowed and a remedy.
    """
    frozen: Any = None
    try:
        frozen = freeze(raw)
        return cast(Model, adapter(cast(Any, kind)).validate_python(frozen))
    except ValidationError as problem:
        raise in_words(problem, frozen, where) from None
    except RecursionError:
        raise InvalidInput("is nested too deeply", where, "At most 50 levels are read.") from None


def public(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Mark FUNCTION as one that can be called by name; its arguments are validated.

    Arguments may be typed values or their JSON (a dict for a profile, a list for a range); the string "inf" is infinity
    where the annotation allows it. Raises InvalidInput naming the argument.
    """

    @functools.cache
    def checked() -> Callable[..., Result]:
        # whole when it is returned: one that is built in its first call fails where two threads make that call
        return cast(Callable[..., Result], validate_call(config={**STRICT, "defer_build": False})(function))

    @functools.wraps(function)
    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if args:
            raise InvalidInput(
                "takes named arguments only", function.__name__, "Write {usage}.", usage=signature(function)
            )
        frozen = {name: freeze(value) for name, value in kwargs.items()}
        try:
            return checked()(**frozen)
        except ValidationError as problem:
            raise in_words(problem, frozen, "", signature(function)) from None

    vars(call)["is_public"] = True
    return cast(Callable[Arguments, Result], call)


def signature(function: Callable[..., Any]) -> str:
    """Return the signature of FUNCTION, for instance ``risk(p, q, epsilon, replace_factor = 2)``."""
    parts = [
        name if parameter.default is inspect.Parameter.empty else f"{name} = {parameter.default!r}"
        for name, parameter in inspect.signature(function).parameters.items()
    ]
    return f"{function.__name__}({', '.join(parts)})"


# ----------------------------------------------------------------------------------- writing


def plain(value: Any) -> Any:
    """Return a result as JSON types: infinity becomes None, values become objects, tuples become lists.

    Raises SolverFailure for NaN.
    """
    if isinstance(value, str | int) or value is None:
        return value
    if isinstance(value, float):
        if math.isnan(value):
            raise SolverFailure("a result is not a number", "", "Report this input; no number can be relied on here.")
        return None if math.isinf(value) else float(value)
    if isinstance(value, tuple | list):
        return list(map(plain, value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Value):
        return {name: plain(getattr(value, name)) for name in type(value).model_fields}
    if hasattr(value, "as_plain"):
        return plain(value.as_plain())
    if is_dataclass(value):
        return {item.name: plain(getattr(value, item.name)) for item in dataclass_fields(value)}
    return plain(value.item())  # a NumPy scalar
