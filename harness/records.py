"""The run directory: what one execution of one run leaves behind, written step by step.

| file                | what                                                                              |
| ------------------- | --------------------------------------------------------------------------------- |
| `run_summary.json`  | identity, settings, outcome, ending, counts, tokens, cost, timings; written last  |
| `trajectory.jsonl`  | line 1: header; then one ATIF v1.8 step a line                                    |
| `edits.jsonl`       | one line for each step that changed the workspace: files, lines, diffs            |
| `patch.diff`        | what the workspace differs in from the pristine one, in git's format              |
| `tests.json`        | every test id with status, seconds, message                                       |
| `grading.log`       | raw output of the test run                                                        |
| `artifacts/`        | pictures that tools took on the way; the results of steps name them               |

Lines are appended and flushed before the next model call, so a crash leaves a readable prefix. A last line without its
newline is the mark of a crash: readers leave it out.

ATIF is the Agent Trajectory Interchange Format; a step object here is a valid step object there, so that an export is
a concatenation. What ATIF has no field for is under `extra`.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Self

from harness.errors import AgentError, DiskFull
from harness.limits import Ending
from harness.pictures import MOST_PICTURE_BYTES, check_picture
from harness.redaction import Redactor

SUMMARY_SCHEMA = 1
MOST_BYTES = 200 << 20
ATIF_VERSION = "ATIF-v1.8"
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}
ARTIFACTS = "artifacts"
ARTIFACT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}\.png")
MAX_ARTIFACTS = 200

Source = Literal["system", "user", "agent"]


class Outcome(StrEnum):
    """What a finished run is worth."""

    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    INFRASTRUCTURE_FAILED = "infrastructure_failed"


class TestStatus(StrEnum):
    """One test's verdict. `missing`: expected by the manifest, absent from the report."""

    __test__ = False  # not a test class, whatever pytest thinks of the name

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    EXPECTED_FAILURE = "expected_failure"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model asked for. `arguments` is what was asked, valid or not."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came back. `ok` is False when the tool refused or failed; a command's non-zero exit is not a failed tool.

    `artifacts` are names of files below `artifacts/` in the run directory.
    """

    call_id: str
    content: str
    ok: bool
    seconds: float
    artifacts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Metrics:
    """One model response. `cost_usd` None: the price is unknown.

    `prompt_tokens` includes `cached_tokens` (read from the provider's cache) and `written_tokens` (written to it).
    `seconds` is how long the answer took; `waited`, how long it was waited before: for a rate limit, before a retry.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    finish_reason: str = ""
    retries: tuple[str, ...] = ()
    written_tokens: int = 0
    waited: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One message of the conversation; an agent's comes with its tool calls and their results.

    `step_id` counts from 1 over all sources. `timestamp`: ISO 8601, UTC. `metrics` is None where no model was asked.
    """

    step_id: int
    timestamp: str
    source: Source
    message: str
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    metrics: Metrics | None = None

    @property
    def seconds(self) -> float:
        """Model time plus tool time."""
        model = self.metrics.seconds if self.metrics else 0.0
        return model + sum(result.seconds for result in self.results)

    def result(self, call: ToolCall) -> ToolResult | None:
        """The result of one of this step's calls; None when the run ended before it came."""
        return next((result for result in self.results if result.call_id == call.id), None)

    def to_atif(self) -> dict[str, Any]:
        """The ATIF step object."""
        entry: dict[str, Any] = {
            "step_id": self.step_id,
            "timestamp": self.timestamp,
            "source": self.source,
            "message": self.message,
        }
        if self.reasoning:
            entry["reasoning_content"] = self.reasoning
        if self.calls:
            entry["tool_calls"] = [
                {
                    "tool_call_id": call.id,
                    "function_name": call.name,
                    "arguments": dict(call.arguments),
                }
                for call in self.calls
            ]
        if self.results:
            entry["observation"] = {
                "results": [
                    {"source_call_id": result.call_id, "content": result.content} for result in self.results
                ]
            }
        extra: dict[str, Any] = {}
        if self.results:
            extra["results"] = [_measured(result) for result in self.results]
        if self.metrics:
            entry["metrics"] = {
                "prompt_tokens": self.metrics.prompt_tokens,
                "completion_tokens": self.metrics.completion_tokens,
                "cached_tokens": self.metrics.cached_tokens,
            }
            if self.metrics.cost_usd is not None:
                entry["metrics"]["cost_usd"] = self.metrics.cost_usd
            extra["model"] = {
                "seconds": round(self.metrics.seconds, 6),
                "finish_reason": self.metrics.finish_reason,
                "retries": list(self.metrics.retries),
            }
            if self.metrics.written_tokens:
                extra["model"]["written_tokens"] = self.metrics.written_tokens
            if self.metrics.waited:
                extra["model"]["waited"] = round(self.metrics.waited, 6)
        if extra:
            entry["extra"] = extra
        return entry

    @classmethod
    def from_atif(cls, entry: Mapping[str, Any]) -> Self:
        """The step that `to_atif` wrote, or one that another tool wrote after the same format."""
        extra = entry.get("extra") or {}
        observed = (entry.get("observation") or {}).get("results") or []
        measured = [*(extra.get("results") or []), *({} for _ in observed)]
        metrics = entry.get("metrics")
        model = extra.get("model") or {}
        return cls(
            step_id=int(entry["step_id"]),
            timestamp=entry.get("timestamp") or "",
            source=entry["source"],
            message=_text(entry.get("message")),
            reasoning=_text(entry.get("reasoning_content")),
            calls=tuple(
                ToolCall(call["tool_call_id"], call["function_name"], call.get("arguments") or {})
                for call in entry.get("tool_calls") or []
            ),
            results=tuple(
                ToolResult(
                    result.get("source_call_id") or "",
                    _text(result.get("content")),
                    bool(more.get("ok", True)),
                    float(more.get("seconds", 0.0)),
                    tuple(map(str, more.get("artifacts") or ())),
                )
                for result, more in zip(observed, measured, strict=False)
            ),
            metrics=None
            if metrics is None
            else Metrics(
                prompt_tokens=metrics.get("prompt_tokens") or 0,
                completion_tokens=metrics.get("completion_tokens") or 0,
                cached_tokens=metrics.get("cached_tokens") or 0,
                written_tokens=model.get("written_tokens") or 0,
                cost_usd=metrics.get("cost_usd"),
                seconds=float(model.get("seconds", 0.0)),
                waited=float(model.get("waited", 0.0)),
                finish_reason=model.get("finish_reason", ""),
                retries=tuple(model.get("retries", ())),
            ),
        )


@dataclass(frozen=True, slots=True)
class FileEdit:
    """One file that a step changed. `diff` is unified text, possibly cut; `syntax_ok` None: nobody checked."""

    path: str
    change: Literal["added", "modified", "deleted"]
    added: int
    removed: int
    binary: bool = False
    syntax_ok: bool | None = None
    diff: str = ""


@dataclass(frozen=True, slots=True)
class StepEdits:
    """What one step changed in the workspace, found by comparing it before and after: a shell edits too."""

    step_id: int
    files: tuple[FileEdit, ...]


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
    """Something in a patch that a reader should know of: what it is, where, and what grading did about it."""

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


class RecordsFull(AgentError):
    """A run has more to tell than may be kept of it."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(
            f"the records of this run would take more than {most_bytes / (1 << 20):g} MB: what it did last is not kept"
        )


class RunRecorder:
    """Writes one run directory. Everything it accepted is on disk when the call returns.

    Text that cannot be UTF-8 (lone surrogates) is stored as replacement characters, never refused. What finds no space
    raises DiskFull.
    `redactor` sees every text before it is written: the place where secrets leave it. Without one, keys are known by
    their shape alone. Steps, edits and pictures together take at most `most_bytes`: what would not fit is not
    written, and raises RecordsFull.
    """

    def __init__(
        self,
        directory: Path,
        identity: Identity,
        *,
        redactor: Redactor | None = None,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        with _space_for(directory):
            directory.mkdir(parents=True, exist_ok=False)
        self.directory = directory
        self._most_bytes = most_bytes
        self._written = 0
        self.redactor = redactor or Redactor()
        self._next_step = 1
        self._artifacts = 0
        header = {
            "schema_version": ATIF_VERSION,
            "session_id": identity.run_id,
            "agent": {
                "name": identity.agent,
                "version": "1",
                "model_name": identity.model or None,
                "extra": {
                    "kind": identity.agent_kind,
                    "settings": dict(identity.settings),
                    **({"effective": dict(identity.effective)} if identity.effective else {}),
                },
            },
            "extra": {
                "dataset": identity.dataset,
                "repository": identity.repository,
                "task": identity.task,
                "attempt": identity.attempt,
                "try_number": identity.try_number,
            },
        }
        self._append("trajectory.jsonl", header)

    def step(
        self,
        source: Source,
        message: str,
        *,
        reasoning: str = "",
        calls: Sequence[ToolCall] = (),
        results: Sequence[ToolResult] = (),
        metrics: Metrics | None = None,
    ) -> Step:
        """Appends the next step and returns it, numbered and dated."""
        step = Step(
            step_id=self._next_step,
            timestamp=now(),
            source=source,
            message=message,
            reasoning=reasoning,
            calls=tuple(calls),
            results=tuple(results),
            metrics=metrics,
        )
        self._append("trajectory.jsonl", step.to_atif())
        self._next_step += 1
        return step

    def artifact(self, content: bytes) -> str:
        """Stores a picture that the step to come refers to. Returns its name, which is new in this run.

        Raises ValueError for what `check_picture` does not take for one, and after MAX_ARTIFACTS of them.
        """
        check_picture(content)
        if self._artifacts == MAX_ARTIFACTS:
            raise ValueError(f"this run has {MAX_ARTIFACTS} pictures already; no more are kept")
        self._book(len(content))
        self._artifacts += 1
        name = f"step-{self._next_step}-{self._artifacts}.png"
        (self.directory / ARTIFACTS).mkdir(exist_ok=True)
        self._replace(f"{ARTIFACTS}/{name}", content)
        return name

    def edits(self, step_id: int, files: Sequence[FileEdit]) -> None:
        """Appends what a step changed; nothing changed, nothing written."""
        if files:
            self._append("edits.jsonl", asdict(StepEdits(step_id, tuple(files))))

    def patch(self, diff: bytes) -> bool:
        """Stores the final patch. Returns whether it is whole: a secret in it is not written down."""
        written = self.redactor.data(diff)
        self._replace("patch.diff", written)
        return written == diff

    def grade(self, grade: Grade) -> None:
        """Stores `tests.json` and `grading.log`."""
        tests = {
            "resolved": grade.resolved,
            "reason": grade.reason,
            "exit_code": grade.exit_code,
            "seconds": grade.seconds,
            "report": grade.report,
            "repeats": grade.repeats,
            "flaky": {flag.path: flag.note for flag in grade.flags if flag.kind == "flaky"},
            "tests": [asdict(test) for test in grade.tests],
        }
        self._replace("tests.json", self._json(tests))
        self._replace("grading.log", self.redactor.text(grade.log).encode("utf-8", "replace"))

    def summary(self, summary: RunSummary) -> None:
        """Stores the summary: from now on the directory is complete."""
        self._replace("run_summary.json", self._json(summary.to_json(), indent=2))

    def _append(self, name: str, entry: Mapping[str, Any]) -> None:
        content = self._json(entry)
        self._book(len(content))
        with _space_for(self.directory), (self.directory / name).open("ab") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def _book(self, size: int) -> None:
        if self._written + size > self._most_bytes:
            raise RecordsFull(self._most_bytes)
        self._written += size

    def _replace(self, name: str, content: bytes) -> None:
        partial = self.directory / f"{name}.partial"
        with _space_for(self.directory):
            with partial.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self.directory / name)

    def _json(self, entry: Mapping[str, Any], indent: int | None = None) -> bytes:
        text = json.dumps(self.redactor.value(entry), ensure_ascii=False, indent=indent)
        return text.encode("utf-8", "replace") + b"\n"


class RunRecord:
    """Reads one run directory, complete or not. Missing files read as nothing."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def header(self) -> dict[str, Any]:
        """Line 1 of the trajectory; empty when nothing was written yet."""
        return next(self._lines("trajectory.jsonl"), {})

    def steps(self) -> Iterator[Step]:
        """Every complete step, in order."""
        for number, entry in enumerate(self._lines("trajectory.jsonl")):
            if number:
                yield Step.from_atif(entry)

    def edits(self) -> dict[int, StepEdits]:
        """What each editing step changed, by step id."""
        return {
            entry["step_id"]: StepEdits(entry["step_id"], tuple(FileEdit(**file) for file in entry["files"]))
            for entry in self._lines("edits.jsonl")
        }

    def patch(self) -> bytes:
        """The final patch; empty when the workspace was left as it was, or when there is none yet."""
        return self._bytes("patch.diff") or b""

    def tests(self) -> tuple[TestResult, ...]:
        """Every test, with its status; empty before grading."""
        stored = self._bytes("tests.json")
        if stored is None:
            return ()
        return tuple(
            replace(TestResult(**test), status=TestStatus(test["status"]))
            for test in json.loads(stored)["tests"]
        )

    def artifacts(self) -> tuple[str, ...]:
        """The names of the pictures, sorted."""
        directory = self.directory / ARTIFACTS
        return tuple(sorted(path.name for path in directory.glob("*.png"))) if directory.is_dir() else ()

    def artifact(self, name: str) -> bytes | None:
        """One picture; None for a name that cannot be one's, for one that is not there, and for what is no PNG file."""
        if not ARTIFACT_NAME.fullmatch(name):
            return None
        path = self.directory / ARTIFACTS / name
        if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            content = file.read(MOST_PICTURE_BYTES + 1)
        try:
            check_picture(content)
        except ValueError:
            return None
        return content

    def grading_log(self) -> str:
        """Raw output of the test run."""
        return (self._bytes("grading.log") or b"").decode("utf-8", "replace")

    def summary(self) -> RunSummary | None:
        """The summary, or None while the run goes on (or for ever, when it was cut off)."""
        stored = self._bytes("run_summary.json")
        return None if stored is None else RunSummary.from_json(json.loads(stored))

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        try:
            file = (self.directory / name).open("rb")
        except FileNotFoundError:
            return
        with file:
            for line in file:
                if line.endswith(b"\n"):
                    yield json.loads(line)

    def _bytes(self, name: str) -> bytes | None:
        try:
            return (self.directory / name).read_bytes()
        except FileNotFoundError:
            return None


@contextmanager
def _space_for(directory: Path) -> Iterator[None]:
    """Says where there is no space left, in place of an error number."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_SPACE:
            raise
        raise DiskFull(f"no space is left for {directory}: {error.strerror}") from error


def now() -> str:
    """The time, ISO 8601, UTC, in milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _measured(result: ToolResult) -> dict[str, Any]:
    """What ATIF has no field for."""
    more = {"artifacts": list(result.artifacts)} if result.artifacts else {}
    return {"ok": result.ok, "seconds": round(result.seconds, 6), **more}


def _text(value: Any) -> str:
    """ATIF allows a list of content parts where a string usually is; their texts, joined."""
    if isinstance(value, list):
        return "\n".join(part.get("text", "") for part in value if isinstance(part, dict))
    return value or ""
