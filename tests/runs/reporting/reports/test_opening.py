"""The opening says what was evaluated, and the known problems."""

from __future__ import annotations

import pytest

from runs.models import Run
from tasks.models import Dataset
from tests.runs.cast import Cast
from tests.runs.reporting.reports.world import report_of, section, tides

pytestmark = pytest.mark.django_db


def test_it_says_what_was_evaluated() -> None:
    cast = tides()
    assert (
        section(report_of(cast.evaluation), "## What was evaluated")
        == f"""\
4 agents at 2 tasks: 15 finished runs over 8 pairs of agent and task.

- Evaluation [Spring tide](http://site/evaluations/{cast.evaluation.pk}/) (`spring-tide`), finished: \
2 attempts planned at each task, 16 runs in all; no budget; limits of a run: Iterations 30, Wall time (s) none; \
started 2026-01-02 03:04 UTC.
- Dataset Ports (`ports`), loaded now in version 1.0.
- Dataset in the runs' own records: not recorded (15 runs). Harness: not recorded (15 runs).
- Limits in the runs' own records: not recorded (15 runs).
- First run started 2026-01-02 03:04 UTC, last one finished 2026-01-02 03:04 UTC.
- Analysis `X`, data `X`, seed 0, k = 2.

| agent | name | kind | model | price | settings |
| --- | --- | --- | --- | --- | --- |
| alice | Alice | ide | ada/Analytical | known | ide-bench |
| bob | Bob | ide | ada/Babbage | unknown | ide-bench |
| idler † | Idler | null | none | — | none |
| oracle † | Oracle | oracle | none | — | none |

† calibration agents know the reference patch, or do nothing on purpose. They show the range of the \
benchmark, and are not models."""
    )


def test_it_says_what_is_bad_before_any_result() -> None:
    report = report_of(tides().evaluation)
    assert report.index("## Known problems") < report.index("## Leaderboard")
    bad = section(report, "## Known problems")
    lost = Run.objects.get(outcome="infrastructure_failed").pk
    cancelled = Run.objects.get(state="cancelled").pk
    for line in (
        f"- 1 run cancelled: [{cancelled}](http://site/runs/{cancelled}/).",
        "- The infrastructure failed 1 run of 15. They count neither for nor against an agent. By what failed: image "
        f"build: [{lost}](http://site/runs/{lost}/).",
        "- 1 pair of agent and task with fewer graded attempts than planned, or than others made: "
        "bob at [harbour/tide-2](http://site/tasks/harbour/tide-2/) (0 of 2).",
        "- bob: the cost of 2 of its 2 runs is unknown, so its dollars are left out; they are not 0.",
        "- 15 runs without a record of the harness version: their directories are not here.",
        "- 2 of 4 agents are calibration agents: idler †, oracle †. Their rates are set by construction.",
    ):
        assert line in bad
    assert f"| the infrastructure failed | 1 | [{lost}](http://site/runs/{lost}/) |" in bad


def test_a_trial_is_named_as_one() -> None:
    cast = tides()
    sentence = "The evaluation Spring tide is a trial: its runs are in no public number of the site."
    assert sentence not in report_of(cast.evaluation)
    cast.evaluation.listed = False
    assert sentence in section(report_of(cast.evaluation), "## Known problems")


def test_infrastructure_failures_alone_count_against_no_agent() -> None:
    cast = Cast()
    cast.add_run(
        *(cast.alice(), cast.add_tasks(1)[0]),
        passed=0,
        outcome="infrastructure_failed",
        failure="engine",
        tests_total=0,
    )
    report = report_of(cast.evaluation, prediction=True)
    assert "The infrastructure failed 1 run of 1." in report
    row = next(line for line in section(report, "### Places").splitlines() if "/alice/" in line)
    assert row.split(" | ")[1:] == ["–", "–", "— (a)", "0.0 % (0.0 to 79.3 %)", "— (b)", "0", "0", "0", "1 |"]
    assert section(report, "### Classifiers").splitlines()[-1].startswith("Without a value: ")


def test_names_in_code_are_not_escaped() -> None:
    cast = tides()
    Dataset.objects.update(slug="my_ports")
    assert "- Dataset Ports (`my_ports`), loaded now" in report_of(cast.evaluation)
