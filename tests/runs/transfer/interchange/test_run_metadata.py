"""What a run's row says about it in other forms."""

from __future__ import annotations

from typing import Any

import pytest

from runs.models import Run
from runs.transfer.interchange import run_metadata
from runs.transfer.interchange.run_metadata import about, model_of, notes, patch_file, totals_of, user_of
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


def run(**fields: Any) -> Run:
    cast = Cast()
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0], **fields)


def test_it_names_task_result_and_tests_without_what_is_unknown() -> None:
    found = run(passed=4, grading_reason="1 of 5 expected tests did not pass: tests/t.py::neap (failed)")
    described = about(found, {})
    times = {name: described.pop(name) for name in ("started_at", "finished_at")}
    assert all(time.endswith("Z") for time in times.values())
    assert described == {
        **{"dataset": "ports", "repository": "harbour", "task": "tide-1", "attempt": 1},
        **{"evaluation": "spring-tide", "agent": "alice", "outcome": "unresolved", "ending": "completed"},
        "grading_reason": "1 of 5 expected tests did not pass: tests/t.py::neap (failed)",
        **{"tests_total": 5, "tests_passed": 4, "seconds": 60.0, "workdir": "/app"},
    }
    invalid = about(run_of_another_day(found, odd="tests_total act_seconds"), {})
    assert not {"tests_total", "tests_passed", "seconds"} & invalid.keys()


def run_of_another_day(found: Run, **fields: Any) -> Run:
    """The same run with other values, not saved."""
    for name, value in fields.items():
        setattr(found, name, value)
    return found


def test_texts_that_may_quote_hidden_tests_are_withheld() -> None:
    described = about(
        run(passed=4, grading_reason="the hidden answer is 42", detail="unexpected OSError: 42"), {}
    )
    assert "42" not in f"{described['grading_reason']} {described['detail']}"


def test_the_header_adds_to_it_but_overrides_nothing() -> None:
    described = about(run(), {"extra": {"try_number": 2, "task": "other", "patch": "none"}})
    assert (described["try_number"], described["task"]) == (2, "tide-1")
    assert "patch" not in described


def test_a_reported_run_has_the_names_of_its_source_and_only_a_known_workdir() -> None:
    found = run()
    dataset = found.task.repository.dataset
    dataset.reported_by = "an operator"
    assert about(found, {})["task"] == "Tide 1"
    assert "workdir" not in about(found, {})
    assert about(found, {"extra": {"workdir": "/testbed"}})["workdir"] == "/testbed"


def test_invalid_totals_are_unknown_and_those_of_the_user_apart() -> None:
    assert totals_of(run(odd="prompt_tokens")) == {
        **{"prompt_tokens": None, "completion_tokens": 100, "cached_tokens": 0},
        **{"reasoning_tokens": None, "cost_usd": 0.25},
    }


def test_a_model_has_the_name_that_programs_know() -> None:
    found = run()
    assert model_of(found.agent) == "ada/Analytical"
    assert found.agent.model is not None
    found.agent.model.litellm_id = ""
    assert model_of(found.agent) == "Ada Works/Analytical"
    found.agent.model.name = "unknown model"
    assert model_of(found.agent) is None
    found.agent.model = None
    assert model_of(found.agent) is None


def test_the_simulated_user_is_apart() -> None:
    assert user_of(run()) == {}
    assert user_of(run_of_another_day(Run.objects.get(), user_turns=3, user_prompt_tokens=50)) == {
        "turns": 3,
        "prompt_tokens": 50,
    }


def test_a_patch_that_is_too_long_is_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    found = run()
    assert patch_file(found) is None
    record(found)
    file = patch_file(found)
    assert file is not None
    with file:
        assert file.read().startswith(b"diff --git a/tide.py")
    assert notes(found, 0) == ""
    monkeypatch.setattr(run_metadata, "MAX_PATCH_BYTES", 10)
    assert patch_file(found) is None
    assert notes(found, 2) == (
        "2 lines of the record are no steps, or too long: they are left out. "
        "The patch has more than 10 bytes: it is left out."
    )
