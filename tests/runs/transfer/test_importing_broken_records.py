"""Broken run directories, all the way to every result: nothing crashes, and nothing is lost in silence."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.records import FileEdit, RunRecorder, ToolCall, ToolResult
from runs.analysis.everything import everything
from runs.analysis.facts import BEHAVIOUR, RunFacts
from runs.data.run_facts.facts_query import run_facts
from runs.models import Agent, Counts, Run
from runs.transfer.importing import import_runs
from runs.transfer.run_directories import ImportRefused
from runs.work.execution.sweeper import settle_from_directory
from tests.conftest import RedisServer
from tests.runs.analysis.result_walk import impossible, named
from tests.runs.tiny import Tiny, claimed, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]

STEPS = 6


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


def record(run: Run, directory: Path) -> Path:
    """A whole record of six steps that try things in turn."""
    recorder = RunRecorder(directory, summary_of(run).identity)
    for number in range(STEPS):
        tool = ("read_file", "run_terminal_cmd", "edit_file")[number % 3]
        call = ToolCall(str(number), tool, {"path": "calc/digits.py", "command": "make"})
        result = ToolResult(str(number), "done", True, 0.5)
        step = recorder.step("agent", "Next.", calls=(call,), results=(result,))
        if tool == "edit_file":
            recorder.edits(step.step_id, [FileEdit("calc/digits.py", "modified", 1, 1)])
    recorder.patch(b"")
    recorder.summary(summary_of(run, iterations=STEPS, tool_calls=STEPS))
    return directory


def lines(directory: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = directory / "trajectory.jsonl"
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))


def summary(directory: Path, **values: Any) -> None:
    path = directory / "run_summary.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def step(text: str, **values: Any) -> str:
    """A line of a trajectory with other values."""
    return json.dumps({**json.loads(text), **values}) + "\n"


def took(text: str, seconds: float) -> str:
    """A step whose call took so long."""
    old = '"seconds": 0.5' if '"seconds": 0.5' in text else '"seconds":0.5'
    assert old in text
    return text.replace(old, f"{old[:-3]}{json.dumps(seconds)}")


HARMS: dict[str, Callable[[Path], object]] = {
    "no trajectory": lambda made: (made / "trajectory.jsonl").unlink(),
    "an empty trajectory": lambda made: lines(made, lambda _: []),
    "cut in the middle of a step": lambda made: lines(made, lambda all: [*all[:-1], all[-1][:20]]),
    "cut between two steps": lambda made: lines(made, lambda all: all[:-1]),
    "a step is missing": lambda made: lines(made, lambda all: [*all[:3], *all[4:]]),
    "a step comes again": lambda made: lines(made, lambda all: [*all[:3], *all[2:]]),
    "a line that is no JSON": lambda made: lines(made, lambda all: [*all[:3], "no JSON\n", *all[4:]]),
    "a step without a number": lambda made: lines(
        made, lambda all: [*all[:3], step(all[3], step_id=None), *all[4:]]
    ),
    "a line that is a list": lambda made: lines(made, lambda all: [*all[:3], "[1]\n", *all[4:]]),
    "seconds below nothing": lambda made: lines(made, lambda all: [*all[:3], took(all[3], -2.0), *all[4:]]),
    "seconds that are no number": lambda made: lines(
        made, lambda all: [*all[:3], took(all[3], float("nan")), *all[4:]]
    ),
    "endless seconds": lambda made: lines(made, lambda all: [*all[:3], took(all[3], 1e308), *all[4:]]),
    "edits that are none": lambda made: (made / "edits.jsonl").write_text('{"step_id": 3}\n'),
    "NaN in the summary": lambda made: summary(
        made, act_seconds=float("nan"), cost_usd=float("nan"), prompt_tokens=float("nan")
    ),
    "less than nothing in the summary": lambda made: summary(
        made, act_seconds=-1.0, cost_usd=-1.0, completion_tokens=-5, iterations=-3
    ),
    "beyond all measure": lambda made: summary(made, act_seconds=1e308, cost_usd=1e308, prompt_tokens=1e308),
    "more passed than there are": lambda made: summary(made, tests_total=2, tests_passed=3),
    "a similarity of two": lambda made: summary(made, similarity={"lines": 2.0}),
}
UNSPOILT: dict[str, Callable[[Path], object]] = {
    "as it should be": lambda _: None,
    "no test results": lambda made: (made / "tests.json").unlink(missing_ok=True),
    "a patch that is none": lambda made: (made / "patch.diff").write_bytes(b"\0 not a patch \xff"),
    "no patch": lambda made: (made / "patch.diff").unlink(),
}


def settled(tiny: Tiny) -> dict[str, RunFacts]:
    """One run for each harm, settled from its directory and read back."""
    harms = {**HARMS, **UNSPOILT}
    runs = list(tiny.start(agents=[tiny.oracle, tiny.null], attempts=len(harms) // 2).runs.order_by("pk"))
    for harm, run in zip(harms.values(), runs, strict=True):
        harm(record(claimed(run), run.path))
        assert settle_from_directory(run.executions.get())
    found = run_facts(runs[0].evaluation.runs.all(), with_behaviour=True)
    assert [facts.run for facts in found] == [run.pk for run in runs]
    return dict(zip(harms, found, strict=True))


def test_whatever_is_broken_is_named_by_results_and_nothing_else_is(tiny: Tiny) -> None:
    facts = settled(tiny)
    results = everything(list(facts.values()))

    assert impossible(results) == []
    # No call here has an explanation, so that one result leaves out every run.
    tools = {name: found for name, found in results["tools"].items() if name != "intent"}
    here = named({**results, "tools": tools})
    assert {harm for harm, run in facts.items() if run.run in here} == HARMS.keys()
    # What came of a run is known from its tests, whatever its trajectory is like.
    assert named(results["outcomes"]) == {facts["more passed than there are"].run}
    for run in Run.objects.filter(counts__behaviour=""):
        assert run.counts.reason


def test_what_could_not_be_counted_says_why(tiny: Tiny) -> None:
    facts = settled(tiny)

    reasons = {
        harm: Counts.objects.get(run=run.run).reason.partition(":")[0]
        for harm, run in facts.items()
        if not BEHAVIOUR.holds(run)
    }
    assert reasons == {
        "no trajectory": "there is no trajectory",
        "a line that is no JSON": "JSONDecodeError",
        "a step without a number": "TypeError",
        "a line that is a list": "AttributeError",
        "edits that are none": "KeyError",
    }


@pytest.mark.parametrize("harm", ["a line that is no JSON", "a step without a number", "edits that are none"])
def test_an_import_refuses_unreadable_files_and_names_them(tiny: Tiny, settings: Any, harm: str) -> None:
    evaluation = tiny.start(title="Recorded")
    directory = record(claimed(evaluation.runs.get()), settings.RUNS_ROOT / "one")
    evaluation.delete()
    HARMS[harm](directory)
    with pytest.raises(ImportRefused, match="one: is broken"):
        import_runs(settings.RUNS_ROOT)
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    "harm", ["a step is missing", "NaN in the summary", "a similarity of two", "no trajectory"]
)
def test_an_import_takes_what_can_be_read_and_results_name_it(tiny: Tiny, settings: Any, harm: str) -> None:
    evaluation = tiny.start(title="Recorded")
    directory = record(claimed(evaluation.runs.get()), settings.RUNS_ROOT / "one")
    evaluation.delete()
    Agent.objects.all().delete()
    HARMS[harm](directory)
    assert import_runs(settings.RUNS_ROOT).new == 1
    run = Run.objects.get()
    results = everything(run_facts(run.evaluation.runs.all(), with_behaviour=True))
    assert impossible(results) == []
    assert named(results) == {run.pk}


def test_one_message_of_a_hundred_megabytes_is_counted(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    directory = record(run, run.path)
    lines(directory, lambda all: [*all[:3], step(all[3], message="x" * (100 << 20)), *all[4:]])
    tracemalloc.start()
    assert settle_from_directory(run.executions.get())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert Counts.objects.get().behaviour
    # A line is read and understood as a whole; what is stored of it is short.
    assert peak < 450 << 20
