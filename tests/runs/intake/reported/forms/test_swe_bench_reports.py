"""Reports of SWE-bench's harness. Those in tests/data/reported were written by it (version 5.0.2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_results
from runs.intake.reported.reported_result import ReportedAgent, ReportedResult, ResultsRefused

DATA = Path(__file__).parents[4] / "data/reported/swe-bench"
RUN = DATA / "org__model-1.5.nightly.json"
GIVEN = {"reported_by": "Ada"}


def test_a_report_of_a_run_gives_an_outcome_for_each_submitted_task() -> None:
    found = read_results(RUN, GIVEN)
    report = json.loads(RUN.read_text())
    assert found.agents == (ReportedAgent("model-1.5", "model-1.5", "org"),)
    assert (found.source.slug, found.source.version) == ("swe-bench-nightly", "nightly")
    assert {result.task for result in found.results} == {*report["submitted_ids"], *report["incomplete_ids"]}
    by_task = {result.task: result for result in found.results}
    assert {task for task, result in by_task.items() if result.outcome == "resolved"} == set(
        report["resolved_ids"]
    )
    assert by_task["django__django-3"] == ReportedResult(
        *("model-1.5", "django__django-3", 1, "infrastructure_failed", "django/django"),
        ending="infrastructure",
        detail="container_unavailable",
    )
    assert [
        (by_task[task].outcome, by_task[task].detail) for task in ("django__django-4", "sympy__sympy-6")
    ] == [
        ("unresolved", "empty patch"),
        ("unresolved", "error"),
    ]
    assert all(result.tests_total is result.cost_usd is result.seconds is None for result in found.results)


def report_of_five(total: object) -> dict[str, Any]:
    """A report of five submitted tasks, of which two have no result, and of one without a prediction."""
    tasks = [f"lab__one-{number}" for number in range(5)]
    return {
        **{"submitted_ids": tasks, "resolved_ids": tasks[:2], "unresolved_ids": tasks[2:3]},
        **{"infra_failure_ids": tasks[4:], "incomplete_ids": ["lab__one-9"], "total_instances": total},
    }


@pytest.mark.parametrize(("total", "is_of_run"), [(6, True), (5, False), (500, False), (None, False)])
def test_tasks_of_the_run_without_a_result_or_a_prediction_count(
    tmp_path: Path, total: object, is_of_run: bool
) -> None:
    (tmp_path / "m.first.json").write_text(json.dumps(report_of_five(total)))
    found = read_results(tmp_path / "m.first.json", GIVEN)
    assert [(one.task, one.outcome, one.detail) for one in found.results[2:]] == [
        ("lab__one-2", "unresolved", ""),
        ("lab__one-3", "unresolved", "no result"),
        ("lab__one-4", "infrastructure_failed", "no result"),
        *([("lab__one-9", "unresolved", "no prediction")] if is_of_run else []),
    ]
    left_out = "Tasks without a prediction, which nobody attempted, are left out: 1."
    assert (left_out in found.source.unknown) != is_of_run


@pytest.mark.parametrize(("missing", "count"), [(5, 10), (6, 5)])
def test_of_a_run_of_a_part_of_the_benchmark_the_rest_does_not_count(
    tmp_path: Path, missing: int, count: int
) -> None:
    content = report_of_five(5 + missing)
    content["incomplete_ids"] = [f"lab__two-{number}" for number in range(missing)]
    (tmp_path / "m.first.json").write_text(json.dumps(content))
    assert len(read_results(tmp_path / "m.first.json", GIVEN).results) == count


def test_predictions_for_other_tasks_than_those_of_the_run_are_no_results(tmp_path: Path) -> None:
    (tmp_path / "m.first.json").write_text(json.dumps(report_of_five(4)))
    found = read_results(tmp_path / "m.first.json", GIVEN).results
    assert [one.task for one in found] == ["lab__one-0", "lab__one-1", "lab__one-2", "lab__one-9"]


def test_reports_of_tasks_give_the_tests_by_name() -> None:
    found = read_results(DATA / "nightly", GIVEN)
    assert (found.source.slug, found.source.version) == ("swe-bench-nightly", "nightly")
    assert found.results == [
        ReportedResult(
            *("model-1.5", "astropy__astropy-1", 1, "resolved", "astropy/astropy"),
            tests_passed=2,
            tests_total=2,
            passed_tests=("test_a", "test_b"),
        ),
        ReportedResult(
            *("model-1.5", "astropy__astropy-2", 1, "unresolved", "astropy/astropy"),
            tests_passed=1,
            tests_total=2,
            failed_tests=("test_a",),
            passed_tests=("test_b",),
        ),
    ]


def test_a_report_of_the_run_adds_the_tasks_without_a_report() -> None:
    found = read_results(DATA, GIVEN)
    assert [(one.task, one.outcome, one.tests_total) for one in found.results] == [
        ("astropy__astropy-1", "resolved", 2),
        ("astropy__astropy-2", "unresolved", 2),
        ("django__django-4", "unresolved", None),
        ("django__django-3", "infrastructure_failed", None),
        ("sympy__sympy-6", "unresolved", None),
        ("sympy__sympy-5", "unresolved", None),
    ]
    assert found.source.unknown == ("Tokens, times and costs are not reported.",)


def test_in_a_submission_the_directory_names_the_task_of_a_report(tmp_path: Path) -> None:
    for task, resolved in (("lab__one-1", True), ("lab__one-2", False)):
        home = tmp_path / "verified/20260131_ada" / "logs" / task
        home.mkdir(parents=True)
        (home / "report.json").write_text(json.dumps({"patch_exists": True, "resolved": resolved}))
    found = read_results(tmp_path, GIVEN)
    assert (found.source.slug, found.source.version) == ("swe-bench-verified", "verified")
    assert [(one.agent, one.task, one.repository, one.outcome) for one in found.results] == [
        ("20260131_ada", "lab__one-1", "lab/one", "resolved"),
        ("20260131_ada", "lab__one-2", "lab/one", "unresolved"),
    ]
    results = tmp_path / "verified/20260131_ada/results/results.json"
    results.parent.mkdir()
    results.write_text(json.dumps({"resolved": ["lab__one-1"], "no_generation": ["lab__one-3"]}))
    listed = read_results(tmp_path, GIVEN).results
    assert {one.task: one.outcome for one in listed} == {
        "lab__one-1": "resolved",
        "lab__one-2": "unresolved",
        "lab__one-3": "unresolved",
    }


def test_several_runs_are_several_attempts(tmp_path: Path) -> None:
    for name in ("m.first.json", "m.second.json"):
        (tmp_path / name).write_text(RUN.read_text())
    found = read_results(tmp_path, {**GIVEN, "slug": "a", "version": "1"})
    assert {(result.agent, result.attempt) for result in found.results} == {("m", 1), ("m", 2)}
    with pytest.raises(ResultsRefused, match=r"version is missing: give --source-version"):
        read_results(tmp_path, {**GIVEN, "slug": "a"})


@pytest.mark.parametrize("path", [RUN, DATA / "nightly"])
def test_an_option_names_the_agent(path: Path) -> None:
    assert read_results(path, {**GIVEN, "agent": "ada"}).agents == (ReportedAgent("ada"),)


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ({"patch_exists": False}, ("unresolved", "empty patch", None)),
        ({"patch_successfully_applied": False}, ("unresolved", "the tests did not run", None)),
        (
            {"infra_failure": True, "infra_failure_reason": "out_of_memory"},
            ("infrastructure_failed", "out_of_memory", None),
        ),
        (
            {"infra_failure": False, "infra_failure_reason": "missing_module"},
            ("unresolved", "missing_module", None),
        ),
        ({"tests_status": {"FAIL_TO_PASS": {"success": [], "failure": []}}}, ("unresolved", "", None)),
        ({"tests_status": {"FAIL_TO_PASS": {"success": ["a\tb"], "failure": ["c"]}}}, ("unresolved", "", 2)),
    ],
)
def test_a_report_of_a_task_says_why_it_is_not_resolved(
    report: dict[str, Any], expected: tuple[str, str, int | None], tmp_path: Path
) -> None:
    path = tmp_path / "run/model/astropy__astropy-1/report.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"astropy__astropy-1": {"resolved": False, "patch_exists": True, **report}}))
    (result,) = read_results(tmp_path, GIVEN).results
    assert (result.outcome, result.detail, result.tests_total) == expected


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"error_ids": ["astropy__astropy-1"]}, "error_ids, task 'astropy__astropy-1': it is in two lists"),
        ({"error_ids": {"a": 1}}, "'error_ids' is not a list of texts"),
        ({"submitted_ids": [], "resolved_ids": [], "unresolved_ids": []}, None),
        ({"resolved_ids": [" a"]}, r"resolved_ids, task ' a', column 'task': ' a' is invalid"),
    ],
)
def test_an_invalid_report_is_refused(values: dict[str, Any], message: str | None, tmp_path: Path) -> None:
    path = tmp_path / "m.run.json"
    path.write_text(json.dumps({**json.loads(RUN.read_text()), **values}))
    if message is None:
        assert len(read_results(path, GIVEN).results) == 3
    else:
        with pytest.raises(ResultsRefused, match=message):
            read_results(path, GIVEN)
