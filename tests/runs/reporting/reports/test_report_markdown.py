"""Tables in a report have values, n and reasons, and no more rows than a reader takes."""

from __future__ import annotations

import re

import pytest

from runs.analysis.estimate import Estimate, Interval
from runs.models import Evaluation, Run
from runs.presentation.formatting.numbers import plain_spaces
from runs.reporting.reports.report_markdown import (
    MAX_ROWS,
    ReportLinks,
    agent_mark,
    markdown_of_table,
    markdown_of_tables,
    markdown_table,
    some,
)
from runs.reporting.topics.topic_result import (
    AgentName,
    Form,
    ResultSection,
    ResultTable,
    TableColumn,
    TopicResult,
    Value,
)
from tasks.models import Dataset
from tests.runs.cast import Cast
from tests.runs.reporting.reports.world import add, report_of, section, tides

RESULT = TopicResult("", (), {"bob": AgentName("Bob", calibration=True)}, {}, 2, 1, calibrated=False)
EVIL = "<script>alert(1)</script>|`x`\n# [a](javascript:alert(1)) $\\frac{"
pytestmark = pytest.mark.django_db
LINKS = ReportLinks("https://site.example")


def table(forms: dict[str, Form], *rows: tuple[Value, ...]) -> str:
    columns = tuple(TableColumn(name, name, form) for name, form in forms.items())
    shown = ResultTable("table", "Table", columns, rows)
    return plain_spaces(markdown_of_table(shown, RESULT, ReportLinks("http://site"), "topic"))


def test_a_value_has_its_interval_and_n() -> None:
    half = Estimate(0.5, 6, interval=Interval(0.352, 0.648))
    assert table({"agent": "agent", "rate": "percent"}, ("bob", half), ("eve", Estimate(0.25, 5))) == (
        "| agent | rate |\n| --- | --- |\n| [Bob](http://site/agents/bob/) † | 50.0 % (35.2 to 64.8 %, n 6) |\n"
        "| eve | 25.0 % (n 5) |"  # of this one the topic names no agent
    )


def test_a_common_n_is_in_the_head_and_each_reason_once_below() -> None:
    few, one = Estimate.unknown("one | attempt", 3), Estimate.unknown("one task", 3)
    assert table(
        {"agent": "text", "σ": "number", "ICC": "shade"}, ("alice", few, one), ("bob", few, None)
    ) == (
        "| agent | σ (n 3) | ICC |\n| --- | --- | --- |\n| alice | — (a) | — (b) |\n| bob | — (a) | – |\n\n"
        r"Without a value: (a) one \| attempt (n 3); (b) one task (n 3)."
    )


def test_a_long_table_is_cut_and_says_where_the_rest_is() -> None:
    found = table({"n": "count"}, *((value,) for value in range(MAX_ROWS + 5)))
    assert found.splitlines()[-3:] == [
        f"| {MAX_ROWS - 1} |",
        "",
        f"The first {MAX_ROWS} of {MAX_ROWS + 5} rows; all are in `report.json`: table `table` of `topic`.",
    ]


def test_of_alternative_tables_the_first_is_printed_and_the_others_are_named() -> None:
    columns = (TableColumn("n", "n", "count"),)
    tables = tuple(
        ResultTable(name, name, columns, ((number,),), choice=name.title())
        for number, name in enumerate(["all", "bob"])
    )
    section = ResultSection("s", "S", "", tables=tables)

    assert list(markdown_of_tables(section, RESULT, ReportLinks("http://site"), "tools")) == [
        "| n |\n| --- |\n| 0 |",
        "This is “All”. Others are in `report.json`, in `tools`: `bob` (Bob).",
    ]


@pytest.mark.django_db
def test_every_topic_has_a_chapter() -> None:
    report = report_of(tides().evaluation)
    assert "## Do repeated attempts agree?\n\nHow much attempts at the same task vary" in report
    assert "From 6 graded runs at 2 tasks, without those of calibration agents." in report
    assert "](plots/consistency-sigma-chart.svg)" in report


@pytest.mark.django_db
def test_an_evaluation_without_a_finished_run_has_reasons_in_place_of_numbers() -> None:
    report = report_of(Cast().evaluation)
    assert "No agent made a run." in report
    assert "](plots/" not in report.partition("## Do our numbers agree")[0]


@pytest.mark.django_db
def test_hostile_names_stay_text() -> None:
    cast = tides()
    alice = Run.objects.filter(agent__slug="alice")[0].agent
    type(alice).objects.filter(pk=alice.pk).update(name=EVIL)
    Evaluation.objects.update(title=EVIL)
    run = add(cast, cast.add_agent("<b>|$x$", "ide"), cast.add_tasks(1, start=9)[0], 1, 3)
    assert run.agent.slug == "<b>|$x$"
    cast.evaluation.refresh_from_db()
    report = report_of(cast.evaluation)
    assert "<script" not in report
    assert "<b>" not in report
    assert not re.search(r"(?<!\\)\]\(javascript", report)
    for found in re.findall(r"(?:^\|.*\n)+", report, re.MULTILINE):
        columns = {len(re.split(r"(?<!\\)\|", line)) for line in found.splitlines()}
        assert len(columns) == 1, found


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

| Agent | Name | Kind | Model | Price | Settings |
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
    row = next(line for line in section(report, "### Ranks").splitlines() if "/alice/" in line)
    assert row.split(" | ")[1:] == [
        "–",
        "–",
        "— (a)",
        "0.0 % (0.0 to 79.3 %)",
        "— (b)",
        "— (b)",
        "0",
        "0",
        "0",
        "0",
        "1 |",
    ]
    assert section(report, "### Classifiers").splitlines()[-1].startswith("Without a value: ")


def test_names_in_code_are_not_escaped() -> None:
    cast = tides()
    Dataset.objects.update(slug="my_ports")
    assert "- Dataset Ports (`my_ports`), loaded now" in report_of(cast.evaluation)


def test_long_lists_say_how_many_more_there_are() -> None:
    assert some(["a", "b"], 2) == "a, b"
    assert some(["a", "b", "c"], 2) == "a, b and 1 more"


def test_counts_in_long_lists_have_thousands_separated() -> None:
    assert some(["a"] * 1_235, 1) == "a and 1,234 more"
    assert some([], 2) == ""


def test_a_task_is_linked_by_repository_and_name() -> None:
    assert LINKS.task("harbour/tide-1") == "[harbour/tide-1](https://site.example/tasks/harbour/tide-1/)"


def test_a_hostile_task_name_ends_neither_its_text_nor_its_address() -> None:
    assert LINKS.task("a/b](x) |") == r"[a/b\](x) \|](https://site.example/tasks/a/b%5D%28x%29%20%7C/)"


def test_the_first_ten_runs_are_linked() -> None:
    assert LINKS.run(7) == "[7](https://site.example/runs/7/)"
    assert LINKS.runs([7, 8]) == "[7](https://site.example/runs/7/), [8](https://site.example/runs/8/)"
    many = LINKS.runs(range(1, 13))
    assert many.endswith("[10](https://site.example/runs/10/) and 2 more")
    assert LINKS.runs([7, 8, 9], most=1) == "[7](https://site.example/runs/7/) and 2 more"


def test_methods_are_linked_by_title() -> None:
    link = "[pass@1 and pass@k of an agent](https://site.example/methods/pass-rates/#pass-rate)"
    assert LINKS.method("pass-rate") == link
    assert LINKS.methods(["pass-rate", "pass-rate"]) == f"How: {link}, {link}."
    assert LINKS.methods([]) == ""
    with pytest.raises(KeyError):
        LINKS.method("no-such-number")


def test_calibration_agents_have_a_dagger() -> None:
    assert agent_mark("oracle", calibration=True) == "oracle †"
    assert agent_mark("a_*b*", calibration=False) == r"a\_\*b\*"


def test_a_table_has_a_line_for_each_row() -> None:
    assert markdown_table(["agent", "n"], [["alice", "1"], ["bob", "2"]]) == (
        "| agent | n |\n| --- | --- |\n| alice | 1 |\n| bob | 2 |"
    )
    assert markdown_table(["agent"], []) == "| agent |\n| --- |"
