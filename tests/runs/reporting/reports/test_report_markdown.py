"""Tables in a report have values, n and reasons, and no more rows than a reader takes."""

from __future__ import annotations

import re

import pytest

from runs.analysis.estimate import Estimate, Interval
from runs.models import Evaluation, Run
from runs.presentation.formatting.numbers import plain_spaces
from runs.reporting.reports.report_links import ReportLinks
from runs.reporting.reports.report_markdown import MAX_ROWS, markdown_of_table, markdown_of_tables
from runs.reporting.topics.topic_result import (
    AgentName,
    Form,
    ResultSection,
    ResultTable,
    TableColumn,
    TopicResult,
    Value,
)
from tests.runs.cast import Cast
from tests.runs.reporting.reports.world import add, report_of, tides

RESULT = TopicResult("", (), {"bob": AgentName("Bob", calibration=True)}, {}, 2, 1, calibrated=False)
EVIL = "<script>alert(1)</script>|`x`\n# [a](javascript:alert(1)) $\\frac{"


def table(forms: dict[str, Form], *rows: tuple[Value, ...]) -> str:
    columns = tuple(TableColumn(name, name, form) for name, form in forms.items())
    shown = ResultTable("table", "Table", columns, rows)
    return plain_spaces(markdown_of_table(shown, RESULT, ReportLinks("http://site"), "topic"))


def test_a_value_has_its_interval_and_n() -> None:
    half = Estimate(0.5, 6, interval=Interval(0.352, 0.648))
    assert table({"agent": "agent", "rate": "percent"}, ("bob", half), ("eve", Estimate(0.25, 5))) == (
        "| agent | rate |\n| --- | --- |\n| [Bob](http://site/agents/bob/) † | 50.0 % (35.2 to 64.8 %, n 6) |\n"
        "| [eve](http://site/agents/eve/) | 25.0 % (n 5) |"
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
