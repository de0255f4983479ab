"""The report of one evaluation on the site has every part of AgentLens, appendix A."""

from __future__ import annotations

import pickle

import pytest

from runs.data.queries.visibility import ANONYMOUS
from runs.models import Run
from runs.reporting.reports import judged_report as module
from runs.reporting.reports.judged_report import judged_report
from tests.runs.panels import add_panel, add_pass, add_review, add_summary
from tests.runs.reporting.reports.world import tides

pytestmark = pytest.mark.django_db


def test_its_chapters_have_all_parts_of_the_paper() -> None:
    cast = tides()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    runs = list(Run.objects.filter(agent__slug="alice").order_by("pk"))
    for run in runs:
        add_review(started, judge, run, "pitfalls")
    add_summary(started, judge, runs)
    add_summary(started, judge, runs, "", text="It works. It does not check.")

    found = judged_report(cast.evaluation, ANONYMOUS)

    assert (found.runs, found.left_out) == (Run.objects.filter(state="finished").count(), 0)
    assert pickle.loads(pickle.dumps(found)) == found  # as the cache stores it
    sections = {chapter.slug: [each.name for each in chapter.result.sections] for chapter in found.chapters}
    assert sections == {
        "runs": ["verdicts", "tool_success", "speed", "run_quantiles", "response_quantiles"],
        "judges": ["in_short", "dimensions", "quality", "summaries", "aspects", "panel"],
    }


def test_it_says_how_many_runs_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    cast = tides()
    monkeypatch.setattr(module, "MAX_RUNS", 2)
    found = judged_report(cast.evaluation, ANONYMOUS)
    assert (found.runs, found.left_out) == (2, Run.objects.filter(state="finished").count() - 2)
    assert [chapter.slug for chapter in found.chapters] == ["runs"]


def test_runs_at_hidden_tasks_are_not_in_it() -> None:
    cast = tides()
    before = judged_report(cast.evaluation, ANONYMOUS).runs
    cast.add_run(Run.objects.filter(agent__slug="bob")[0].agent, cast.add_hidden_task())
    assert judged_report(cast.evaluation, ANONYMOUS).runs == before
