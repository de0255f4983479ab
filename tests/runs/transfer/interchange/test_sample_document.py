"""A run as one sample of an Inspect log."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from runs.models import Run
from runs.transfer.interchange.sample_document import SampleDocument
from tests.runs.cast import DIFF, TESTS, Cast, record
from tests.runs.transfer.interchange.log_rules import sample_problems
from tests.runs.transfer.interchange.recorded_runs import ALL_KINDS, HOSTILE

pytestmark = pytest.mark.django_db


def run(**fields: Any) -> Run:
    """A run of Alice without a record yet."""
    cast = Cast()
    cast.evaluation.limits = {"wall_seconds": 600.0}
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0], **fields)


def read(found: Run) -> tuple[dict[str, Any], dict[str, Any]]:
    """Sample and summary."""
    document = SampleDocument(found)
    sample: dict[str, Any] = json.loads(b"".join(document.chunks()))
    return sample, document.summary()


@pytest.mark.parametrize("recorded", [*ALL_KINDS, record])
def test_every_kind_of_run_is_a_sample_that_inspect_can_read(recorded: Callable[[Run], object]) -> None:
    found = run()
    recorded(found)
    sample, summary = read(found)
    assert sample_problems(sample) == []
    assert summary["message_count"] == len(sample["messages"]) > 0


def test_a_hostile_record_is_one_too() -> None:
    found = run()
    found.path.mkdir(parents=True)
    lines = [{"agent": []}, *({"step_id": number, **step} for number, step in enumerate(HOSTILE, 1)), [1]]
    (found.path / "trajectory.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    sample, _ = read(found)
    assert sample_problems(sample) == []
    assert sample["metadata"]["benchbench"]["notes"].startswith("1 lines of the record")


def test_a_sample_has_task_score_usage_times_tests_and_patch() -> None:
    found = run(passed=4, prepare_seconds=5.0, grade_seconds=7.5, cached_tokens=300)
    record(found)
    sample, summary = read(found)

    assert (sample["id"], sample["epoch"], sample["target"]) == ("harbour/tide-1", 1, "all hidden tests pass")
    assert sample["input"].startswith("# Tides")
    assert sample["scores"] == {
        "resolved": {
            **{"value": "I", "answer": "4 of 5 hidden tests passed"},
            **{"explanation": "4 of 5 hidden tests passed"},
            "metadata": {"tests_passed": 4, "tests_total": 5},
        }
    }
    assert sample["model_usage"] == {
        "ada/Analytical": {
            **{"input_tokens": 600, "output_tokens": 100, "total_tokens": 1000},
            **{"input_tokens_cache_read": 300, "total_cost": 0.25},
        }
    }
    assert (sample["working_time"], sample["total_time"], sample["uuid"]) == (60.0, 72.5, found.key)
    assert sample["output"]["choices"][0]["message"]["content"] == "The tide turns again."
    own = sample["metadata"]["benchbench"]
    assert own["tests"] == {test: "failed" if "neap" in test else "passed" for test in TESTS}
    assert own["patch"] == f"diff --git a/tide.py b/tide.py\n{DIFF}"
    assert (own["outcome"], own["attempt"], own["workdir"]) == ("unresolved", 1, "/app")
    (edit,) = next(one for one in sample["messages"] if one["id"] == "step-5")["metadata"]["benchbench"][
        "extra"
    ]["edits"]
    assert edit["diff"] == DIFF
    assert (summary["model_usage"], summary["scores"]) == (sample["model_usage"], sample["scores"])


def test_the_events_are_calls_of_models_and_tools_and_the_score() -> None:
    found = run()
    record(found)
    sample, _ = read(found)
    kinds = [event["event"] for event in sample["events"]]
    assert kinds == ["sample_init", *["model", "tool"] * 5, "model", "score"]
    assert sample["events"][-1]["score"]["value"] == "C"


def test_a_failure_of_the_infrastructure_is_an_error_without_a_score() -> None:
    failed = {
        "outcome": "infrastructure_failed",
        "ending": "infrastructure",
        "failure": "engine",
        "detail": "it broke",
    }
    sample, summary = read(run(**failed))
    assert sample["scores"] == {}
    assert sample["error"]["message"] == "engine: it broke"
    assert (summary["error"], "limit" in sample) == ("engine: it broke", False)
    assert [event["event"] for event in sample["events"]] == ["sample_init"]


@pytest.mark.parametrize(
    ("ending", "limit"),
    [
        ("time_limit", {"type": "time", "limit": 600.0}),
        ("cost_limit", {"type": "cost", "limit": 0}),
        ("tool_limit", {"type": "custom", "limit": 0}),
    ],
)
def test_a_limit_that_ended_the_run_is_named(ending: str, limit: dict[str, Any]) -> None:
    sample, summary = read(run(ending=ending, passed=1))
    assert sample["limit"] == limit
    assert summary["limit"] == limit["type"]
    assert sample["scores"]["resolved"]["value"] == "I"


def test_what_is_unknown_is_left_out() -> None:
    found = run(outcome="", prompt_tokens=None, act_seconds=None, started_at=None, directory="")
    sample, summary = read(found)
    assert {"started_at", "working_time", "total_time", "error", "limit"} & sample.keys() == set()
    assert (sample["model_usage"], sample["scores"], summary["message_count"]) == ({}, {}, 0)
    assert "patch" not in sample["metadata"]["benchbench"]


def test_a_run_without_a_model_has_no_usage() -> None:
    cast = Cast()
    sample, _ = read(cast.add_run(cast.oracle(), cast.add_tasks(1)[0]))
    assert sample["model_usage"] == {}


def test_an_unknown_model_has_usage() -> None:
    found = run()
    assert found.agent.model is not None
    found.agent.model.name = "unknown model"
    assert read(found)[0]["model_usage"]["unknown"]["total_tokens"] == 1000


def test_texts_of_gradings_that_may_quote_hidden_tests_are_withheld() -> None:
    found = run(passed=0, grading_reason="the secret answer is xyzzy")
    assert b"xyzzy" not in b"".join(SampleDocument(found).chunks())
