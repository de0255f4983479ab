"""Markdown links, lists and tables of reports."""

from __future__ import annotations

import pytest

from runs.reporting.reports.report_links import ReportLinks, agent_mark, markdown_table, some

LINKS = ReportLinks("https://site.example")


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
    link = "[pass@1 and pass@k of an agent](https://site.example/methods/#pass-rate)"
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
