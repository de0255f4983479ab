"""A trajectory as one ATIF document: valid for every run, and read back as the same run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.records import FileEdit, RunRecord, StepEdits
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.storing import store
from runs.models import Run
from runs.transfer.interchange.atif import document, has_steps
from tests.runs.cast import DIFF, Cast, record, recorder_of
from tests.runs.transfer.interchange.atif_rules import problems
from tests.runs.transfer.interchange.recorded_runs import ALL_KINDS, HOSTILE

pytestmark = pytest.mark.django_db


def run(**fields: Any) -> Run:
    """A run of Alice with a directory and no trajectory yet."""
    cast = Cast()
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0], **fields)
    found.path.mkdir(parents=True)
    return found


def read(found: Run) -> dict[str, Any]:
    """The document of a run."""
    document_: dict[str, Any] = json.loads(b"".join(document(found)))
    return document_


def written(found: Run, *lines: object) -> dict[str, Any]:
    """The document of a run with these lines in its trajectory."""
    (found.path / "trajectory.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return read(found)


def test_a_document_has_header_task_result_steps_and_totals() -> None:
    found = run()
    header = {
        "schema_version": "ATIF-v1.5",
        "agent": {"name": "ann", "colour": 1},
        "steps": 1,
        "extra": {"a": 1},
    }

    made = written(found, header, {"step_id": 1, "source": "user", "message": "Mend it."})

    extra = made.pop("extra")
    assert (extra["a"], extra["dataset"], extra["repository"], extra["task"]) == (
        1,
        "ports",
        "harbour",
        "tide-1",
    )
    assert (extra["outcome"], extra["tests_passed"], extra["seconds"]) == ("resolved", 5, 60.0)
    assert made == {
        "schema_version": "ATIF-v1.8",
        "session_id": found.key,
        "agent": {"name": "ann", "version": "1", "model_name": "ada/Analytical"},
        "steps": [{"step_id": 1, "source": "user", "message": "Mend it.", "extra": {"edits": []}}],
        "final_metrics": {
            "total_prompt_tokens": 900,
            "total_completion_tokens": 100,
            "total_cached_tokens": 0,
            "total_cost_usd": 0.25,
            "total_steps": 1,
        },
    }


def test_each_step_has_its_edits_and_the_patch_is_there() -> None:
    cast = Cast()
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(found)

    made = read(found)

    edits = {step["step_id"]: step["extra"]["edits"] for step in made["steps"] if step["extra"]["edits"]}
    assert list(edits) == [5]
    assert (edits[5][0]["path"], edits[5][0]["diff"]) == ("tide.py", DIFF)
    assert made["extra"]["patch"] == f"diff --git a/tide.py b/tide.py\n{DIFF}"


def test_unknown_totals_are_left_out_and_those_of_a_simulated_user_apart() -> None:
    metrics = written(run(cost_usd=None, odd="prompt_tokens act_seconds", reasoning_tokens=4), {})[
        "final_metrics"
    ]
    assert metrics == {
        **{"total_completion_tokens": 100, "total_cached_tokens": 0, "total_steps": 0},
        "extra": {"reasoning_tokens": 4},
    }
    Run.objects.update(user_turns=3, user_ending="user_finished", user_prompt_tokens=50, cost_usd=1)
    metrics = written(Run.objects.get(), {})["final_metrics"]
    assert metrics["total_cost_usd"] == 1
    assert metrics["extra"]["user"] == {"turns": 3, "ending": "user_finished", "prompt_tokens": 50}


def test_lines_that_are_no_steps_are_left_out_with_a_note() -> None:
    made = written(run(), {}, [1], {"step_id": 5, "source": "user", "message": "hello"})
    assert [step["step_id"] for step in made["steps"]] == [1]
    assert made["notes"] == "1 lines of the record are no steps, or too long: they are left out."


def test_a_long_trajectory_is_sent_in_several_chunks() -> None:
    found = run()
    steps = [{"step_id": number, "source": "user", "message": "x" * 30_000} for number in (1, 2, 3, 4)]
    written(found, {}, *steps)
    assert max(map(len, document(found))) < 100_000


def test_a_run_without_steps_is_no_document() -> None:
    found = run()
    assert not has_steps(found)
    written(found, {})
    assert not has_steps(found)
    written(found, {}, {"step_id": 1, "source": "user"})
    assert has_steps(found)


@pytest.mark.parametrize("step", HOSTILE)
def test_every_hostile_step_becomes_a_valid_document(step: dict[str, Any]) -> None:
    made = written(run(), {"agent": 7, "extra": [], "session_id": None}, {"step_id": 1, **step})
    assert problems(made) == []
    assert len(made["steps"]) == 1


def test_what_has_no_place_in_atif_is_under_extra() -> None:
    user, robot, lost, *_ = HOSTILE
    made = written(run(), {}, {"step_id": 1, **user}, {"step_id": 2, **robot}, {"step_id": 3, **lost})[
        "steps"
    ]
    assert made[0]["extra"]["tool_calls"][0]["function_name"] == "ls"
    assert (made[1]["source"], made[1]["extra"]["source"]) == ("system", "robot")
    assert made[2]["observation"]["results"] == [{"content": "?", "extra": {"call_id": "b"}}]


def test_the_rules_find_what_is_invalid() -> None:
    made = written(run(), {}, {"step_id": 1, "source": "user", "message": "x"})
    made["steps"][0] |= {"step_id": 2, "metrics": {}, "colour": 1}
    made["agent"]["version"] = None
    assert problems(made) == [
        "agent.version is NoneType",
        "step 1: step has colour",
        "step 1: number or source",
        "step 1: only agents have ['metrics']",
    ]


@pytest.mark.parametrize("recorded", ALL_KINDS)
def test_a_run_is_read_back_with_equal_steps_edits_tokens_and_patch(
    recorded: Callable[[Run], None], tmp_path: Path
) -> None:
    cast = Cast()
    found = cast.add_run(
        cast.alice(), cast.add_tasks(1)[0], passed=4, reasoning_tokens=5, cached_tokens=3, ending="time_limit"
    )
    recorded(found)
    content = b"".join(document(found))
    assert problems(json.loads(content)) == []
    (tmp_path / "run.json").write_bytes(content)

    again = imported(tmp_path)

    assert list(RunRecord(again.path).steps()) == list(RunRecord(found.path).steps())
    assert edits_of(again) == edits_of(found)
    assert RunRecord(again.path).patch() == RunRecord(found.path).patch()
    assert RunRecord(again.path).workdir == "/app"
    for name in (
        *("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "outcome", "ending"),
        *("tests_total", "tests_passed", "act_seconds"),
    ):
        assert getattr(again, name) == getattr(found, name), name
    assert (again.agent.name, again.task.title) == ("alice with Analytical (reported)", "tide-1")


def test_a_large_document_is_read_back_with_its_whole_patch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run()
    recorder = recorder_of_existing(found)
    recorder.step("user", "x" * 300_000)
    recorder.edits(1, [FileEdit(f"{number}.py", "modified", 1, 1, diff=DIFF * 200) for number in range(30)])
    patch = ("diff --git a/tide.py b/tide.py\n" + DIFF * 400).encode()
    recorder.patch(patch)
    (tmp_path / "run.json").write_bytes(b"".join(document(found)))
    monkeypatch.setattr("runs.intake.reported.step_readers.json_part.SMALL", 1000)

    again = imported(tmp_path)

    assert RunRecord(again.path).patch() == patch
    assert edits_of(again) == edits_of(found)


def recorder_of_existing(found: Run) -> Any:
    """A recorder for a run whose directory must not exist yet."""
    found.path.rmdir()
    return recorder_of(found)


def imported(path: Path) -> Run:
    """The run that an import of the documents below a directory stores."""
    stored = store(read_trajectories(path, {}))
    assert stored.new == 1
    return stored.report.evaluation.runs.get()


def edits_of(found: Run) -> dict[int, StepEdits]:
    return dict(RunRecord(found.path).edits_by_step())
