"""Versions and limits are counted from the runs' own records, and a bad record is skipped."""

from __future__ import annotations

import json

import pytest

from runs.models import Run
from runs.reporting.reports.gather import gather
from tasks.models import Task
from tests.runs.reporting.reports.world import report_of, section, tides

pytestmark = pytest.mark.django_db

LIMITS = "cost_usd none, grade_repeats 1, iterations {iterations}, tokens none, wall_seconds 60"


def write(run: Run, content: str) -> None:
    run.path.mkdir(parents=True, exist_ok=True)
    (run.path / "run_summary.json").write_text(content)


def summary(version: str, *, iterations: int = 30, dataset: str = "1.0") -> str:
    return json.dumps(
        {
            "harness_version": version,
            "identity": {"dataset": "ports", "dataset_version": dataset},
            "environment": {"limits": {"iterations": iterations, "wall_seconds": 60.0}},
        }
    )


def test_several_versions_and_limits_are_counted_and_reported() -> None:
    cast = tides()
    first, second, *rest = Run.objects.filter(state="finished").order_by("pk")
    write(first, summary("0.1.0"))
    write(second, summary("0.2.0", iterations=5, dataset="1.1"))
    for run in rest:
        write(run, summary("0.2.0"))
    head = gather([cast.evaluation]).head
    assert head.harness == {"0.1.0": 1, "0.2.0": 14}
    assert head.datasets_at_run == {"ports 1.0": 14, "ports 1.1": 1}
    assert head.limits_at_run == {LIMITS.format(iterations=30): 14, LIMITS.format(iterations=5): 1}
    bad = section(report_of(cast.evaluation), "## Known problems")
    assert "- The runs had different limits (above): they are not one experiment." in bad
    assert "- The runs were made by several versions of the harness: 0.1.0, 0.2.0." in bad
    assert "- The runs were made by several versions of a dataset: ports 1.0, ports 1.1." in bad


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"identity": 3, "environment": {"limits": []}}'])
def test_an_unreadable_record_counts_as_none(content: str) -> None:
    cast = tides()
    for run in Run.objects.filter(state="finished"):
        write(run, content)
    head = gather([cast.evaluation]).head
    assert head.harness == head.datasets_at_run == head.limits_at_run == {"not recorded": 15}


def test_odd_flagged_unadmitted_and_uncounted_runs_are_named() -> None:
    cast = tides()
    run = Run.objects.filter(agent__slug="alice").order_by("pk")[0]
    Run.objects.filter(pk=run.pk).update(
        odd="prompt_tokens", flags=[{"kind": "conftest", "path": "conftest.py", "note": "set aside"}]
    )
    Task.objects.filter(slug="tide-2").update(admitted=False)
    bad = section(report_of(cast.evaluation), "## Known problems")
    link = f"[{run.pk}](http://site/runs/{run.pk}/)"
    for line in (
        f"- 1 run with an invalid value in their record (prompt\\_tokens): {link}.",
        f"- 1 run with a flag on what they changed (conftest): {link}.",
        "- 1 task not admitted: no proof that the reference patch passes and the unchanged code fails: "
        "[harbour/tide-2](http://site/tasks/harbour/tide-2/).",
        "- 14 trajectories are not counted yet, so results about behaviour lack them: "
        "run `manage.py rebuild_cells --counts`.",
    ):
        assert line in bad
    assert "| the tokens are unknown or invalid | 1 |" in bad


def test_hidden_datasets_are_left_out_unless_they_are_asked_for() -> None:
    cast = tides()
    open_runs = cast.evaluation.runs.count()
    odd = cast.add_agent("Odd")
    cast.add_run(odd, cast.add_hidden_task())

    public, whole = gather([cast.evaluation]), gather([cast.evaluation], hidden=True)

    assert (public.head.run_counts, whole.head.run_counts) == (
        {cast.evaluation.pk: open_runs},
        {cast.evaluation.pk: open_runs + 1},
    )
    assert odd not in public.head.agents
    assert odd in whole.head.agents
    assert {one.slug for one in public.head.datasets} == {"ports"}
    assert {one.slug for one in whole.head.datasets} == {"ports", "vault"}
