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
class Grade:
    """What grading found. `resolved`: every expected test passed, none is missing, and the exit code agrees.

    `report`: the format that the tests were read from, a name in `harness.grading.reports.REPORTS`. `repeats`: how
    often they ran; with several, each test has its worst status, and a flag where they differ.
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

    @property
    def passed(self) -> int:
        """How many expected tests passed."""
        return sum(test.status is TestStatus.PASSED for test in self.tests)


@dataclass(frozen=True, slots=True)
class Identity:
    """Which execution this is. `try_number` counts from 1; `settings` is the agent's frozen snapshot.

    `run_id` is unique wherever runs meet; `evaluation` and `agent` are slugs, `agent_name` is for people.
    `calibration`: the agent knows the reference patch and its true success rate; nobody may take it for a model.
    `effective`: every value that the agent worked with, defaults included; empty for agents without defaults and in
    runs that were recorded before this was.
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


@dataclass(frozen=True, slots=True)
class RunSummary:
    """`run_summary.json`. Seconds are wall time; `cost_usd` None means unknown, never nothing.

    `failure`: what of the infrastructure failed, in a word or two; '' when nothing did. `similarity`: how much the
    patch has in common with the reference patch, see `harness.grading.similarity`; nothing when nothing was graded.
    `reasoning_tokens`: those of the completion tokens that providers call reasoning; None when none of them said.
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

    def to_json(self) -> dict[str, Any]:
        """The object that `run_summary.json` holds."""
        return {"schema_version": SUMMARY_SCHEMA, **asdict(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Raises ValueError when the schema version is not this one or a field is missing."""
        values = dict(stored)
        if values.pop("schema_version", None) != SUMMARY_SCHEMA:
            raise ValueError(f"schema_version must be {SUMMARY_SCHEMA}")
        try:
            values["identity"] = Identity(**values["identity"])
            values["outcome"] = Outcome(values["outcome"])
            values["ending"] = Ending(values["ending"])
            values["flags"] = tuple(Flag(**flag) for flag in values.get("flags", ()))
            return cls(**values)
        except (TypeError, KeyError) as error:
            raise ValueError(f"not a run summary: {error}") from error
