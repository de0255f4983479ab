"""The result of a run: tests, grade, identity, summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Annotated, Any, Self

from harness.limits import Ending
from harness.records import bounds

SUMMARY_SCHEMA = 1


class Outcome(StrEnum):
    """The result of a finished run."""

    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    INFRASTRUCTURE_FAILED = "infrastructure_failed"


class TestStatus(StrEnum):
    """One test's verdict. `missing`: expected by the manifest, absent from the report."""

    __test__ = False  # pytest: not a test class

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    EXPECTED_FAILURE = "expected_failure"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test of the hidden suite."""

    __test__ = False

    id: bounds.TestId
    status: TestStatus
    seconds: bounds.Seconds = 0.0
    message: bounds.Message = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """A notable property of a patch for the user: its kind, its path, and how grading handled it."""

    kind: bounds.Short
    path: bounds.FilePath
    note: bounds.Sentence


@dataclass(frozen=True, slots=True)
class Repair:
    """Whether a patch repaired the functions that its task is about; see `harness.grading.targets`.

    `found`: every one of them was changed. `elsewhere`: the tests pass, but not because of these functions alone, so
    the task is not resolved.
    """

    found: bool
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Grade:
    """The result of grading. `resolved`: every expected test passed, the exit code is 0, and `repair` allows it.

    `report`: the format of the test results, a name in `harness.grading.reports`. `repeats`: the number of test
    runs; with several, each test has its worst status, and a flag if its status differs. `repair`: None for a task
    that names no functions to repair.
    """

    resolved: bool
    tests: tuple[TestResult, ...]
    exit_code: int | None
    seconds: float
    reason: str
    flags: tuple[Flag, ...] = ()
    log: str = field(default="", repr=False)
    report: str = "junit"
    repeats: int = 1
    repair: Repair | None = None

    @property
    def passed(self) -> int:
        """The number of expected tests that passed."""
        return sum(test.status is TestStatus.PASSED for test in self.tests)

    def to_json(self) -> dict[str, Any]:
        """What `tests.json` holds."""
        return {
            "resolved": self.resolved,
            "reason": self.reason,
            "exit_code": self.exit_code,
            "seconds": self.seconds,
            "report": self.report,
            "repeats": self.repeats,
            "flaky": {flag.path: flag.note for flag in self.flags if flag.kind == "flaky"},
            "tests": [asdict(test) for test in self.tests],
            **({"repair": asdict(self.repair)} if self.repair else {}),
        }


@dataclass(frozen=True, slots=True)
class Identity:
    """Identifies one execution. `try_number` counts from 1; `settings` is a copy of the agent's settings.

    `run_id` is unique across all evaluations; `evaluation` and `agent` are slugs, `agent_name` is the display name.
    `calibration`: the agent knows the reference patch, so it is no real competitor.
    `effective`: all settings that the agent used, with defaults; empty for agents without defaults and in older runs.
    """

    run_id: bounds.RunId
    evaluation: bounds.Slug
    dataset: bounds.Slug
    dataset_version: bounds.Word
    repository: bounds.Slug
    task: bounds.TaskSlug
    task_digest: bounds.Digest
    agent: bounds.Slug
    agent_name: bounds.AgentName
    agent_kind: bounds.Slug
    attempt: bounds.SmallNumber
    try_number: bounds.SmallNumber = 1
    model: bounds.ModelId = ""
    settings: bounds.StorableFree = field(default_factory=dict)
    calibration: bool = False
    effective: bounds.Free = field(default_factory=dict)


class UserEnding(StrEnum):
    """Why the conversation of a workflow ended. `run_limit`: a limit of the run other than time.

    `user_refused`: the user's model, or its provider, did not go on because of what the agent wrote.
    """

    USER_FINISHED = "user_finished"
    USER_REFUSED = "user_refused"
    MESSAGE_LIMIT = "message_limit"
    TURN_TIMEOUT = "turn_timeout"
    SCENARIO_TIMEOUT = "scenario_timeout"
    RUN_LIMIT = "run_limit"
    AGENT_ERROR = "agent_error"
    USER_FAULT = "user_fault"


@dataclass(frozen=True, slots=True)
class UserSummary:
    """The simulated user of a workflow. Its tokens, cost and seconds are not in those of the agent.

    `model`: '' for the scripted user. `messages`: the user's, with the first one. `ending` None: the run was cancelled
    or the infrastructure failed. `cost_usd` None: unknown. `restarted_each_turn`: the agent cannot continue a
    conversation, so it was started anew with the messages so far.
    """

    model: bounds.Short
    persona: bounds.Short
    messages: bounds.SmallNumber
    ending: UserEnding | None
    prompt_tokens: bounds.Tokens = 0
    completion_tokens: bounds.Tokens = 0
    cost_usd: bounds.Dollars | None = 0.0
    seconds: bounds.Seconds = 0.0
    restarted_each_turn: bool = False


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The content of `run_summary.json`. Seconds are wall time; `cost_usd` None means unknown, not zero.

    `failure`: the part of the infrastructure that failed, in one or two words, or ''. `similarity`: the figures of
    `harness.grading.similarity`; empty if the run was not graded. `reasoning_tokens`: the part of the completion
    tokens that providers report as reasoning; None if no response reports it. `user`: the simulated user of a workflow;
    `act_seconds` does not include the time for its answers. `repair`: that of the grade. `tool_uses` and `submissions`:
    how many calls were answered and how many submissions were made; None for an agent without a tool to submit and
    without a limit for tools. `solved_at_submission`: the first submission that resolved the task, from 1; None if none
    did. The time for tests of submissions is in no `seconds` here; see `Submission`.
    """

    identity: Identity
    outcome: Outcome
    ending: Ending
    detail: bounds.Sentence
    started_at: bounds.Moment
    finished_at: bounds.Moment
    prepare_seconds: bounds.Seconds
    act_seconds: bounds.Seconds
    grade_seconds: bounds.Seconds
    steps: bounds.Count
    iterations: bounds.Count
    tool_calls: bounds.Count
    failed_calls: bounds.Count
    prompt_tokens: bounds.Tokens
    completion_tokens: bounds.Tokens
    cached_tokens: bounds.Tokens
    cost_usd: bounds.Dollars | None
    tests_total: bounds.Count
    tests_passed: bounds.Count
    files_changed: bounds.Count
    lines_added: bounds.Count
    lines_removed: bounds.Count
    grading_reason: bounds.Sentence = ""
    flags: Annotated[tuple[Flag, ...], bounds.Bounds(max_length=1000)] = ()
    harness_version: bounds.Word = ""
    environment: bounds.Free = field(default_factory=dict)
    failure: bounds.FailedPart = ""
    similarity: Mapping[str, float | None] = field(default_factory=dict)
    reasoning_tokens: bounds.Tokens | None = None
    user: UserSummary | None = None
    repair: Repair | None = None
    tool_uses: bounds.Count | None = None
    submissions: bounds.Count | None = None
    solved_at_submission: bounds.Number | None = None

    def to_json(self) -> dict[str, Any]:
        """The content of `run_summary.json`.

        A field whose default is None is left out while it is None, so that older versions can read the rest. All of
        them know `reasoning_tokens`.
        """
        stored = {"schema_version": SUMMARY_SCHEMA, **asdict(self)}
        absent = {
            each.name for each in fields(self) if each.default is None and each.name != "reasoning_tokens"
        }
        return {name: value for name, value in stored.items() if value is not None or name not in absent}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Raises ValueError if the schema version differs or a field is missing."""
        values = dict(stored)
        if values.pop("schema_version", None) != SUMMARY_SCHEMA:
            raise ValueError(f"schema_version must be {SUMMARY_SCHEMA}")
        try:
            values["identity"] = Identity(**values["identity"])
            values["outcome"] = Outcome(values["outcome"])
            values["ending"] = Ending(values["ending"])
            values["flags"] = tuple(Flag(**flag) for flag in values.get("flags", ()))
            if user := values.get("user"):
                ending = None if user["ending"] is None else UserEnding(user["ending"])
                values["user"] = UserSummary(**{**user, "ending": ending})
            if repair := values.get("repair"):
                values["repair"] = Repair(**repair)
            return cls(**values)
        except (TypeError, KeyError) as error:
            raise ValueError(f"not a run summary: {error}") from error
