"""The result of a run: tests, grade, identity, summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Self

from harness.limits import Ending

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

    id: str
    status: TestStatus
    seconds: float = 0.0
    message: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """A notable property of a patch for the user: its kind, its path, and how grading handled it."""

    kind: str
    path: str
    note: str


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

    run_id: str
    evaluation: str
    dataset: str
    dataset_version: str
    repository: str
    task: str
    task_digest: str
    agent: str
    agent_name: str
    agent_kind: str
    attempt: int
    try_number: int = 1
    model: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    calibration: bool = False
    effective: Mapping[str, Any] = field(default_factory=dict)


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

    model: str
    persona: str
    messages: int
    ending: UserEnding | None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0
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
    detail: str
    started_at: str
    finished_at: str
    prepare_seconds: float
    act_seconds: float
    grade_seconds: float
    steps: int
    iterations: int
    tool_calls: int
    failed_calls: int
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    cost_usd: float | None
    tests_total: int
    tests_passed: int
    files_changed: int
    lines_added: int
    lines_removed: int
    grading_reason: str = ""
    flags: tuple[Flag, ...] = ()
    harness_version: str = ""
    environment: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""
    similarity: Mapping[str, float | None] = field(default_factory=dict)
    reasoning_tokens: int | None = None
    user: UserSummary | None = None
    repair: Repair | None = None
    tool_uses: int | None = None
    submissions: int | None = None
    solved_at_submission: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The content of `run_summary.json`."""
        stored = {"schema_version": SUMMARY_SCHEMA, **asdict(self)}
        for name in ("user", "repair", "tool_uses", "submissions", "solved_at_submission"):
            if stored[name] is None:
                del stored[name]
        return stored

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
