"""Checks that records from elsewhere have exactly the shape that the harness writes: no field more, none out of bounds.

The harness reads its own records leniently (`harness.records`). What a field may hold stands beside it in its
dataclass, and the models that check it are derived from there. Only what a file holds in another form is declared here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import pydantic

from harness.records import ARTIFACT_NAME, ATIF_VERSION, Repair, RunSummary, TestResult, bounds

_Record = TypeVar("_Record")
_STRICT = pydantic.ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
# How refusals name some models; they name others like their dataclasses.
_NAMES = {
    "RunSummary": "RecordedSummary",
    "UserSummary": "RecordedUser",
    "FileEdit": "RecordedEdit",
    "TestResult": "RecordedTestEntry",
}


def checked(record: type[_Record], values: object) -> _Record:
    """An object with the attributes of this dataclass. Raises pydantic's ValidationError unless `values` has its shape.

    For speed it is no instance of the dataclass but of its model, and has lists in place of tuples.
    """
    shape: Any = record
    made: _Record = model_of(shape).model_validate(values)
    return made


@cache
def model_of(record: type) -> Any:
    """The model that checks a dataclass: exact types, finite numbers, no unknown field."""
    name = record.__name__ if record.__module__ == __name__ else f"Recorded{record.__name__}"
    hints = get_type_hints(record, include_extras=True)
    defaults = {each.name: _default(each) for each in fields(record)}
    if record is RunSummary:
        similarity = RecordedSimilarity | Annotated[dict[str, float], bounds.Bounds(max_length=0)]
        hints = {"schema_version": Literal[1], **hints, "similarity": similarity}
    shape: Any = {name: (_strict(hint), defaults.get(name, ...)) for name, hint in hints.items()}
    return pydantic.create_model(_NAMES.get(record.__name__, name), __config__=_STRICT, **shape)


def _default(each: Field[Any]) -> Any:
    """The default of a field; `...` if every record has it."""
    factory = list if each.default == () else each.default_factory
    if factory is not MISSING:
        return pydantic.Field(default_factory=factory)
    return ... if each.default is MISSING or each.metadata.get("required") else each.default


def _strict(hint: Any) -> Any:
    """The type by which pydantic checks values from JSON, where an enumeration is a text, and a tuple a list."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_strict(parts[0]), *map(_rule, parts[1:]))]
    if origin in (Union, UnionType):
        return Union[tuple(map(_strict, parts))]  # noqa: UP007 - of as many as there are
    if origin is tuple:
        items: Any = list[_strict(parts[0])]  # type: ignore[misc]
        return Annotated[items, pydantic.FailFast()] if is_dataclass(parts[0]) else items
    if origin is Mapping:
        return dict[_strict(parts[0]), _strict(parts[1])]  # type: ignore[misc]
    if isinstance(hint, type) and is_dataclass(hint):
        return model_of(hint)
    is_enumeration = isinstance(hint, type) and issubclass(hint, Enum)
    return Annotated[hint, pydantic.Strict(False)] if is_enumeration else hint


def _rule(rule: Any) -> Any:
    """Bounds or a function of an annotation, as pydantic applies them."""
    if not isinstance(rule, bounds.Bounds):
        return pydantic.AfterValidator(rule)
    return pydantic.Field(**{name: value for name, value in asdict(rule).items() if value is not None})


def _artifact(name: str) -> str:
    if not ARTIFACT_NAME.fullmatch(name):
        raise ValueError("must be the name of a picture")
    return name


CallId = Annotated[str, bounds.Bounds(max_length=500)]
ToolName = Annotated[str, bounds.Bounds(max_length=1000)]
Remarks = Annotated[tuple[bounds.Sentence, ...], bounds.Bounds(max_length=1000)]
Artifacts = Annotated[tuple[Annotated[str, _artifact], ...], bounds.Bounds(max_length=200)]
ExitCode = Annotated[int, bounds.Bounds(ge=-bounds.MAX_SIZE, le=bounds.MAX_SIZE)]


@dataclass(slots=True)
class RecordedSimilarity:
    """`harness.grading.similarity.Similarity`."""

    lines: bounds.Share | None
    file_precision: bounds.Share | None
    file_recall: bounds.Share | None
    file_f1: bounds.Share | None
    tokens: bounds.Share | None = None  # records of older versions have none


@dataclass(slots=True)
class RecordedHeaderAgent:
    """The agent in a trajectory's header."""

    @dataclass(slots=True)
    class Extra:
        """What ATIF has no field for."""

        kind: bounds.Slug
        settings: bounds.Free
        effective: bounds.Free = field(default_factory=dict)

    name: bounds.Slug
    version: bounds.Word
    model_name: bounds.Word | None
    extra: Extra


@dataclass(slots=True)
class RecordedHeader:
    """The first line of a trajectory."""

    @dataclass(slots=True)
    class Extra:
        """What ATIF has no field for."""

        dataset: bounds.Slug
        repository: bounds.Slug
        task: bounds.TaskSlug
        attempt: int
        try_number: int

    schema_version: Literal["ATIF-v1.8"]
    session_id: bounds.RunId
    agent: RecordedHeaderAgent
    extra: Extra


assert ATIF_VERSION == "ATIF-v1.8", "RecordedHeader names the version that the harness writes"


@dataclass(slots=True)
class RecordedCall:
    """A tool call."""

    tool_call_id: CallId
    function_name: ToolName
    arguments: bounds.Free


@dataclass(slots=True)
class RecordedObserved:
    """The result of a tool call."""

    source_call_id: CallId
    content: bounds.Text


@dataclass(slots=True)
class RecordedObservation:
    """The results of a step's calls."""

    results: tuple[RecordedObserved, ...]


@dataclass(slots=True)
class RecordedMetrics:
    """The tokens of a model's response."""

    prompt_tokens: bounds.Tokens
    completion_tokens: bounds.Tokens
    cached_tokens: bounds.Tokens
    cost_usd: bounds.Dollars | None = None


@dataclass(slots=True)
class RecordedMeasured:
    """The measurements of a call."""

    ok: bool
    seconds: bounds.Seconds
    artifacts: Artifacts = ()
    started_at: bounds.Moment | None = None


@dataclass(slots=True)
class RecordedModel:
    """The measurements of a model's response."""

    seconds: bounds.Seconds
    finish_reason: bounds.Short
    retries: Remarks
    written_tokens: bounds.Tokens = 0
    reasoning_tokens: bounds.Tokens | None = None
    waited: bounds.Seconds = 0
    repairs: Remarks = ()


@dataclass(slots=True)
class RecordedStepExtra:
    """What ATIF has no field for."""

    results: tuple[RecordedMeasured, ...] = ()
    model: RecordedModel | None = None


@dataclass(slots=True)
class RecordedStep:
    """One step of a trajectory."""

    step_id: bounds.Number
    timestamp: bounds.Moment
    source: Literal["system", "user", "agent"]
    message: bounds.Text
    reasoning_content: bounds.Text = ""
    tool_calls: tuple[RecordedCall, ...] = ()
    observation: RecordedObservation | None = None
    metrics: RecordedMetrics | None = None
    extra: RecordedStepExtra = field(default_factory=RecordedStepExtra)


@dataclass(slots=True, kw_only=True)
class RecordedGrade:
    """`tests.json`."""

    resolved: bool
    reason: bounds.Sentence
    exit_code: ExitCode | None
    seconds: bounds.Seconds
    report: bounds.Short = "junit"
    repeats: bounds.SmallNumber = 1
    flaky: Annotated[Mapping[str, bounds.Sentence], bounds.Bounds(max_length=50_000)] = field(
        default_factory=dict
    )
    repair: Repair | None = None
    tests: Annotated[tuple[TestResult, ...], bounds.Bounds(max_length=50_000)]
