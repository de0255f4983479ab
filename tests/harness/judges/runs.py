"""Run directories for the tests of judges, and stand-ins that judge them over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.judges.panel import JudgeParameters, JudgeSpec
from harness.judges.review import JudgedRun
from harness.judges.stand_ins import STAND_INS
from harness.limits import Limits, Spending
from harness.llm.scripted_server import ModelServer, Replies
from harness.llm.spec import ModelSpec
from harness.records import Outcome, RunRecorder, TestResult, TestStatus, ToolCall, ToolResult
from harness.records.summary import Grade
from tests.harness.conversations import Book
from tests.harness.records.made import IDENTITY, SUMMARY

PATCH = b"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n"

# Of a run's identity, outcome and grading: none may reach a judge.
SECRETS = {
    "run id": "persimmon/run/1",
    "repository": "kumquat-repository",
    "task": "mend-the-lychee",
    "agent": "sesame-agent",
    "agent_name": "Sesame Prime",
    "model": "openai/walnut-9",
    "evaluation": "autumn-evaluation",
    "dataset": "orchard-dataset",
    "settings": "plum-setting",
    "hidden test": "tests/test_hidden_quince.py::test_quince",
    "outcome": "unresolved",
    "grading": "grading-reason-medlar",
    "log": "hidden-log-damson",
    "configuration": "You are Sesame, made by Almond.",
}


def written(directory: Path, *messages: str, failed_calls: int = 0) -> Path:
    """A complete run directory, whose metadata are all of SECRETS."""
    identity = replace(
        IDENTITY,
        run_id=SECRETS["run id"],
        repository=SECRETS["repository"],
        task=SECRETS["task"],
        evaluation=SECRETS["evaluation"],
        dataset=SECRETS["dataset"],
        agent=SECRETS["agent"],
        agent_name=SECRETS["agent_name"],
        model=SECRETS["model"],
        settings={"note": SECRETS["settings"]},
        effective={"note": SECRETS["settings"]},
        try_number=3,
    )
    recorder = RunRecorder(directory, identity)
    recorder.step("system", SECRETS["configuration"])
    recorder.step("user", "Please change one to two.")
    for number, message in enumerate(messages or ("I changed one to two.",)):
        call = ToolCall(f"c{number}", "edit_file", {"path": "a.py"})
        result = ToolResult(call.id, f"result of call {number}", number >= failed_calls, 0.1)
        recorder.step("agent", message, calls=[call], results=[result])
    recorder.patch(PATCH)
    tests = (TestResult(SECRETS["hidden test"], TestStatus.FAILED, 0.1, SECRETS["hidden test"]),)
    recorder.grade(Grade(False, tests, 1, 1.0, SECRETS["grading"], log=SECRETS["log"]))
    recorder.summary(
        replace(SUMMARY, identity=identity, outcome=Outcome.UNRESOLVED, grading_reason=SECRETS["grading"])
    )
    return directory


def read(directory: Path) -> JudgedRun:
    """The run, whole."""
    return JudgedRun.read(directory, most_characters=400_000)


def judge(url: str, model: str = "quoting", **parameters: Any) -> JudgeSpec:
    """A judge that is a model of the server at `url`."""
    prices = {"input_price": 2.0, "output_price": 10.0, "cached_price": 0.5}
    spec = ModelSpec("Stand-in", f"openai/{model}", url, **prices)  # type: ignore[arg-type]
    return JudgeSpec(f"The {model} judge", spec, "stand-in", JudgeParameters(**parameters))


@contextmanager
def served(**more: Replies) -> Iterator[ModelServer]:
    """All stand-ins, and models of the test's own."""
    with ModelServer({**STAND_INS, **more}) as server:
        yield server


def spending(ledger: Book | None = None) -> Spending:
    """The spending of one review."""
    return Spending(Limits(), ledger=ledger)
