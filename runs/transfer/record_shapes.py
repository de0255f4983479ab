"""The exact shape of a run's records that come from elsewhere: types, ranges and lengths; unknown fields are refused.

The harness reads its own records leniently (`harness.records`). External records are read with these first.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field

from harness.limits import Ending
from harness.records import ARTIFACT_NAME, ATIF_VERSION, Outcome, TestStatus, UserEnding

MAX_VALUES, MAX_DEPTH = 5000, 40  # of a free-form value
_MAX_SIZE, _MAX_TOKENS, _MAX_WHOLE = 2**31 - 1, 2**53, 2**63 - 1
MAX_TEST_ID_LENGTH = 20_000  # a parametrised test may have a whole file in its name
_YEAR = 366 * 86_400
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_CLOCKS_DIFFER = timedelta(days=1)


def moment_of(text: str) -> datetime:
    """A time from 1970 until now. Raises ValueError."""
    found = datetime.fromisoformat(text)
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    if not _FIRST <= found <= datetime.now(UTC) + _CLOCKS_DIFFER:
        raise ValueError("must be a time from 1970 until now")
    return found


def _moment(text: str) -> str:
    moment_of(text)
    return text


def _free(value: dict[str, Any]) -> dict[str, Any]:
    """Refuses values that are too deep, too many, or numbers that other programs cannot read."""
    rest: list[tuple[Any, int]] = [(value, 1)]
    count = 0
    while rest:
        one, depth = rest.pop()
        count += 1
        if depth > MAX_DEPTH or count > MAX_VALUES:
            raise ValueError(f"must have at most {MAX_VALUES} values in {MAX_DEPTH} levels")
        if isinstance(one, float) and not math.isfinite(one):
            raise ValueError("must hold finite numbers only")
        if isinstance(one, int) and abs(one) > _MAX_WHOLE:
            raise ValueError("must hold no whole number beyond 2^63")
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        rest.extend((each, depth + 1) for each in inner)
    return value


def _storable(value: dict[str, Any]) -> dict[str, Any]:
    """Refuses NUL in any text, which PostgreSQL cannot store in a value like this."""
    rest: list[Any] = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, str):
            _without_nul(one)
        elif isinstance(one, dict):
            rest += [*one, *one.values()]
        elif isinstance(one, list):
            rest += one
    return value


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("must not hold the character NUL")
    return text


def _artifact(name: str) -> str:
    if not ARTIFACT_NAME.fullmatch(name):
        raise ValueError("must be the name of a picture")
    return name


Count = Annotated[int, Field(ge=0, le=_MAX_SIZE)]
Tokens = Annotated[int, Field(ge=0, le=_MAX_TOKENS)]
Seconds = Annotated[float, Field(ge=0, le=_YEAR)]
Dollars = Annotated[float, Field(ge=0, le=1_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=50)]
TaskSlug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=100)]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9._/:@+ -]*$", max_length=200)]
ModelId = Annotated[str, Field(pattern=r"^([A-Za-z0-9._:@+-]+(/[A-Za-z0-9._:@+-]+)*)?$", max_length=200)]
RunId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)*$", max_length=300)
]
Short = Annotated[str, Field(max_length=200), AfterValidator(_without_nul)]
Sentence = Annotated[str, Field(max_length=20_000), AfterValidator(_without_nul)]
Text = Annotated[str, Field(max_length=4 << 20)]
CallId = Annotated[str, Field(max_length=500)]
Moment = Annotated[str, Field(max_length=40), AfterValidator(_moment)]
Free = Annotated[dict[str, Any], AfterValidator(_free)]
AgentSettings = Annotated[dict[str, Any], AfterValidator(_free), AfterValidator(_storable)]


class RecordedObject(BaseModel):
    """Exact types, finite numbers, no unknown field."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class RecordedIdentity(RecordedObject):
    """`harness.records.Identity`."""

    run_id: RunId
    evaluation: Slug
    dataset: Slug
    dataset_version: Word
    repository: Slug
    task: TaskSlug
    task_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    agent: Slug
    agent_name: Annotated[str, Field(min_length=1, max_length=100)]
    agent_kind: Slug
    attempt: Annotated[int, Field(ge=1, le=1000)]
    try_number: Annotated[int, Field(ge=1, le=1000)] = 1
    model: ModelId = ""
    settings: AgentSettings = {}
    calibration: bool = False
    effective: Free = {}


class RecordedFlag(RecordedObject):
    """`harness.records.Flag`."""

    kind: Short
    path: Annotated[str, Field(max_length=4096), AfterValidator(_without_nul)]
    note: Sentence


class RecordedSimilarity(RecordedObject):
    """`harness.grading.similarity.Similarity`."""

    lines: Share | None
    file_precision: Share | None
    file_recall: Share | None
    file_f1: Share | None
    tokens: Share | None = None  # records of older versions have none


class RecordedUser(RecordedObject):
    """`harness.records.UserSummary`."""

    model: Short
    persona: Short
    messages: Annotated[int, Field(ge=1, le=1000)]
    ending: Annotated[UserEnding, Field(strict=False)] | None
    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    cost_usd: Dollars | None = 0.0
    seconds: Seconds = 0.0
    restarted_each_turn: bool = False


class RecordedUserTurn(RecordedObject):
    """`harness.records.UserTurn`."""

    step_id: Annotated[int, Field(ge=0, le=_MAX_SIZE)]
    model: Short
    prompt_tokens: Tokens
    completion_tokens: Tokens
    cost_usd: Dollars | None
    seconds: Seconds
    asks: Annotated[int, Field(ge=0, le=100)]
    reason: Annotated[str, Field(max_length=10_000)] = ""
    checks: Annotated[int, Field(ge=0, le=100)] = 0
    rejected: Annotated[list[Annotated[str, Field(max_length=10_000)]], Field(max_length=100)] = []
    unchecked: Annotated[str, Field(max_length=10_000)] = ""


class RecordedRepair(RecordedObject):
    """`harness.records.Repair`."""

    found: bool
    elsewhere: bool = False


class RecordedSubmission(RecordedObject):
    """`harness.records.Submission`."""

    number: Annotated[int, Field(ge=1, le=_MAX_SIZE)]
    step_id: Annotated[int, Field(ge=1, le=_MAX_SIZE)]
    tool: Short
    passed: Count | None
    failed: Count | None
    first_failure: Sentence
    resolved: bool | None
    seconds: Seconds
    path: Annotated[str, Field(max_length=4096), AfterValidator(_without_nul)] = ""
    function: Annotated[str, Field(max_length=4096), AfterValidator(_without_nul)] = ""
    occurrence: Count = 0


class RecordedSummary(RecordedObject):
    """`harness.records.RunSummary`."""

    schema_version: Literal[1]
    identity: RecordedIdentity
    outcome: Annotated[Outcome, Field(strict=False)]
    ending: Annotated[Ending, Field(strict=False)]
    detail: Sentence
    started_at: Moment
    finished_at: Moment
    prepare_seconds: Seconds
    act_seconds: Seconds
    grade_seconds: Seconds
    steps: Count
    iterations: Count
    tool_calls: Count
    failed_calls: Count
    prompt_tokens: Tokens
    completion_tokens: Tokens
    cached_tokens: Tokens
    cost_usd: Dollars | None
    tests_total: Count
    tests_passed: Count
    files_changed: Count
    lines_added: Count
    lines_removed: Count
    grading_reason: Sentence = ""
    flags: Annotated[list[RecordedFlag], FailFast(), Field(max_length=1000)] = []
    harness_version: Word = ""
    environment: Free = {}
    failure: Annotated[str, Field(max_length=40), AfterValidator(_without_nul)] = ""
    similarity: RecordedSimilarity | Annotated[dict[str, float], Field(max_length=0)] = {}
    reasoning_tokens: Tokens | None = None
    user: RecordedUser | None = None
    repair: RecordedRepair | None = None
    tool_uses: Count | None = None
    submissions: Count | None = None
    solved_at_submission: Annotated[int, Field(ge=1, le=_MAX_SIZE)] | None = None


class RecordedHeaderAgent(RecordedObject):
    """The agent in a trajectory's header."""

    class Extra(RecordedObject):
        """What ATIF has no field for."""

        kind: Slug
        settings: Free
        effective: Free = {}

    name: Slug
    version: Word
    model_name: Word | None
    extra: Extra


class RecordedHeader(RecordedObject):
    """The first line of a trajectory."""

    class Extra(RecordedObject):
        """What ATIF has no field for."""

        dataset: Slug
        repository: Slug
        task: TaskSlug
        attempt: int
        try_number: int

    schema_version: Literal["ATIF-v1.8"]
    session_id: RunId
    agent: RecordedHeaderAgent
    extra: Extra


assert ATIF_VERSION == "ATIF-v1.8", "RecordedHeader names the version that the harness writes"


class RecordedCall(RecordedObject):
    """A tool call."""

    tool_call_id: CallId
    function_name: Annotated[str, Field(max_length=1000)]
    arguments: Free


class RecordedObserved(RecordedObject):
    """The result of a tool call."""

    source_call_id: CallId
    content: Text


class RecordedObservation(RecordedObject):
    """The results of a step's calls."""

    results: Annotated[list[RecordedObserved], FailFast()]


class RecordedMetrics(RecordedObject):
    """The tokens of a model's response."""

    prompt_tokens: Tokens
    completion_tokens: Tokens
    cached_tokens: Tokens
    cost_usd: Dollars | None = None


class RecordedMeasured(RecordedObject):
    """The measurements of a call."""

    ok: bool
    seconds: Seconds
    artifacts: Annotated[list[Annotated[str, AfterValidator(_artifact)]], Field(max_length=200)] = []
    started_at: Moment | None = None


class RecordedModel(RecordedObject):
    """The measurements of a model's response."""

    seconds: Seconds
    finish_reason: Short
    retries: Annotated[list[Sentence], Field(max_length=1000)]
    written_tokens: Tokens = 0
    reasoning_tokens: Tokens | None = None
    waited: Seconds = 0
    repairs: Annotated[list[Sentence], Field(max_length=1000)] = []


class RecordedStepExtra(RecordedObject):
    """What ATIF has no field for."""

    results: Annotated[list[RecordedMeasured], FailFast()] = []
    model: RecordedModel | None = None


class RecordedStep(RecordedObject):
    """One step of a trajectory."""

    step_id: Annotated[int, Field(ge=1, le=_MAX_SIZE)]
    timestamp: Moment
    source: Literal["system", "user", "agent"]
    message: Text
    reasoning_content: Text = ""
    tool_calls: Annotated[list[RecordedCall], FailFast()] = []
    observation: RecordedObservation | None = None
    metrics: RecordedMetrics | None = None
    extra: RecordedStepExtra = RecordedStepExtra()


class RecordedEdit(RecordedObject):
    """`harness.records.FileEdit`."""

    path: Annotated[str, Field(max_length=4096)]
    change: Literal["added", "modified", "deleted"]
    added: Count
    removed: Count
    binary: bool = False
    syntax_ok: bool | None = None
    diff: Text = ""


class RecordedStepEdits(RecordedObject):
    """The edits of one step."""

    step_id: Annotated[int, Field(ge=1, le=_MAX_SIZE)]
    files: Annotated[list[RecordedEdit], FailFast()]


class RecordedTestEntry(RecordedObject):
    """`harness.records.TestResult`."""

    __test__ = False

    id: Annotated[str, Field(min_length=1, max_length=MAX_TEST_ID_LENGTH)]
    status: Annotated[TestStatus, Field(strict=False)]
    seconds: Seconds = 0.0
    message: Annotated[str, Field(max_length=10_000)] = ""


class RecordedGrade(RecordedObject):
    """`tests.json`."""

    resolved: bool
    reason: Sentence
    exit_code: Annotated[int, Field(ge=-_MAX_SIZE, le=_MAX_SIZE)] | None
    seconds: Seconds
    report: Short = "junit"
    repeats: Annotated[int, Field(ge=1, le=1000)] = 1
    flaky: Annotated[dict[str, Sentence], Field(max_length=50_000)] = {}
    repair: RecordedRepair | None = None
    tests: Annotated[list[RecordedTestEntry], FailFast(), Field(max_length=50_000)]
