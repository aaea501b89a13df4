"""How values are declared once and read strictly: kinds of number, frozen values, and errors in words.

Every value of a decision is a :class:`Value` (frozen, keyword-only, no unknown field), every public
function is marked :func:`public`, and both are checked by the same reader. What an editor, the report
and the JSON Schema need (label, unit, range, help) stands in the declaration and nowhere else.
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

Sentence = Annotated[  # a message; a text without places is one
    Message, PlainValidator(sentence), PlainSerializer(str), WithJsonSchema({"type": "string"})
]
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Model = TypeVar("Model")
Kind = TypeVar("Kind", bound=BaseModel)

STRICT = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, defer_build=True)
NUMBER_LIMIT = 1e300  # beyond this an input is a slip of the keyboard, and squares overflow


class Value(BaseModel):
    """A frozen, keyword-only value that refuses unknown fields, wrong types and numbers out of range."""

    model_config = STRICT

    def __copy__(self) -> Self:
        """Return a copy without what a cached property has kept: `model_copy` may change what that was made of."""
        copied = super().__copy__()
        for name in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[name]
        return copied


class Variant(Value):
    """One of several kinds that a field may hold, such as a profile of some shape: its first field says which."""

    title: ClassVar[str]  # what the kind is called, in English

    @classmethod
    def texts(cls) -> Iterable[str]:
        """Return every English text of this kind, to be found among the labels of each language."""
        return (cls.title,)


class ReplayDifference(Value):
    """A number or text in which a decision, solved again, differs from its record; both as they are shown."""

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
    """What forms and figures need to know of a field where its type does not say it; no part of the schema."""

    editor: Editor = ""  # which control asks for it
    categories_of: str = ""  # the field beside it whose categories it names
    tempting: bool = False  # one could look it up in the confidential data: a form asks where it comes from
    by_questions: bool = False  # questions can lead to it
    decided: bool = False  # what an officer decides, as against what is a fact or a belief
    tried: int = 1_000  # whole numbers tried one by one for the least change that helps: help may come and go
    unset: str = ""  # what holds while nothing is chosen, for a choice that may stay open


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
    tried: int = Hints.tried,
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
        tried=tried,
        unset=unset,
    )
    declared.metadata += [] if hints == Hints() else [hints]
    return declared


def hints(kind: type[BaseModel], name: str) -> Hints:
    """Return what is declared of field NAME of KIND beyond its type; nothing of a name that is no field."""
    declared = kind.model_fields.get(name)
    return next((hint for hint in declared.metadata if isinstance(hint, Hints)), Hints()) if declared else Hints()


def unit_of(kind: type[BaseModel], name: str) -> str:
    """Return the unit declared for field NAME of KIND; an empty text where there is none."""
    declared = kind.model_fields.get(name)
    extra = declared.json_schema_extra if declared is not None else None
    return str(extra.get("unit", "")) if isinstance(extra, dict) else ""


@functools.cache
def declared(kind: type[BaseModel], name: str) -> Mapping[str, Any]:
    """Return the declaration of field NAME of KIND: its schema with title, description, unit, but no "not answered".

    Each field by itself: the schema of a whole decision takes as long as the rest of a page.
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
    """Return the type of field NAME of KIND with all that is declared of it."""
    declaration = kind.model_fields[name]
    annotation: Any = declaration.annotation
    for extra in declaration.metadata:
        annotation = Annotated[annotation, extra]
    return annotation


def in_own_words(*, unset: Mapping[str, str] | None = None, **helps: str) -> Callable[[type[Kind]], type[Kind]]:
    """Let a class of values say with HELPS, by name, what it asks for in fields that it inherits; UNSET, by name, what
    holds while nothing is chosen in them."""

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
    """Return what a validator raises: WHY a value is not taken, which becomes an InvalidInput naming the field."""
    return PydanticCustomError(kind, "{why}", {"why": why})


@dataclass(frozen=True, kw_only=True)
class Within:
    """The range a number must lie in, said in its error message and in the JSON Schema alike."""

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


_number = Field(strict=True, allow_inf_nan=True)  # NaN and inf are refused by Within, in its own words
_inf = (BeforeValidator(_infinity), PlainSerializer(_written, when_used="json"))

Number = Annotated[float, _number, Within()]
Positive = Annotated[float, _number, Within(low=0, low_open=True)]
NonNegative = Annotated[float, _number, Within(low=0)]
Probability = Annotated[float, _number, Within(low=0, high=1)]
OpenProbability = Annotated[float, _number, Within(low=0, high=1, low_open=True, high_open=True)]
Belief = Annotated[float, _number, Within(low=0, high=1, low_open=True)]  # a prior probability that is not zero
Epsilon = Annotated[float, _number, Within(low=0, infinite=True), *_inf]  # a privacy loss; "inf" is no protection
Ratio = Annotated[float, _number, Within(low=0, infinite=True), *_inf]  # a relative risk; "inf" is no bound
# a privacy loss of one output: may be negative; "inf" is certainty
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
        raise refused("range", message("must reach above 0: nobody is considered between 0 and 0"))
    return pair


def one_or_two(raw: Any) -> str:
    """Return "range" for a list and "number" for anything else: the tag of a field that is one number or [low,
    high]."""
    return "range" if isinstance(raw, tuple | list) else "number"


Range = Annotated[tuple[Probability, Probability], AfterValidator(_ordered)]  # [low, high]; a low of 0 is open


def _above_zero(prior: float) -> float:
    if prior == 0.0:
        high = Quantity(1)
        raise refused("range", message("must be above 0 (a range such as [0, {high}] is open at 0)", high=high))
    return prior


_SingleBelief = Annotated[Probability, AfterValidator(_above_zero)]
PriorRange = Annotated[  # what an adversary believes beforehand: one probability, or a range of them; never zero
    Annotated[_SingleBelief, Tag("number")] | Annotated[Range, AfterValidator(_reaching), Tag("range")],
    Discriminator(one_or_two),
]


def pairs(raw: Any) -> Any:
    """Return a mapping RAW as its pairs, which are frozen and keep its order."""
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
Effects = Annotated[  # by attribute: how far a statistic moves when that attribute moves by 1
    Named, Field(min_length=1, max_length=200), _numbers_by_name(200)
]


# --------------------------------------------------------------------------------------- reading


def freeze(raw: Any) -> Any:
    """Return RAW with every list as a tuple, so that strict reading accepts what JSON can say."""
    if isinstance(raw, list | tuple):
        return tuple(map(freeze, raw))
    if isinstance(raw, dict):
        return {key: freeze(item) for key, item in raw.items()}
    return raw


@functools.cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read(kind: type[Model] | Any, raw: Any, where: str = "$") -> Model:
    """Return RAW (what ``json.loads`` gave) as a value of the declared KIND.

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
    """Mark FUNCTION as one of the functions by name: its arguments are checked before it sees them.

    Arguments may be typed values or what JSON can say (a dict for a profile, a list for a range); the
    string "inf" stands for infinity where the annotation allows it. Raises InvalidInput naming the argument.
    """

    @functools.cache
    def checked() -> Callable[..., Result]:
        return cast(Callable[..., Result], validate_call(config=STRICT)(function))

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
    """Return how FUNCTION is called, for instance ``risk(p, q, epsilon, replace_factor = 2)``."""
    parts = [
        name if parameter.default is inspect.Parameter.empty else f"{name} = {parameter.default!r}"
        for name, parameter in inspect.signature(function).parameters.items()
    ]
    return f"{function.__name__}({', '.join(parts)})"


# ----------------------------------------------------------------------------------- writing


def plain(value: Any) -> Any:
    """Return a result as JSON can say it: unbounded is None, values are objects, tuples are lists.

    Raises SolverFailure if a NaN would be written: no answer is better than a wrong one.
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
