"""Chapters on results that no topic shows."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from runs.analysis.facts import Behaviour, RunFacts, ToolTotals, ToolUse
from runs.models import Run
from runs.reporting.reports import gather as gather_module
from runs.reporting.reports.report_sections import run_chapter
from runs.reporting.topics.topic_data import TopicData
from tests.runs.cast import Cast
from tests.runs.reporting.reports.world import add, report_of, section, tides

pytestmark = pytest.mark.django_db
RUN = RunFacts(
    *(1, "alice", "harbour/moor.default", "harbour", 1, "resolved"),
    completion_tokens=300,
    seconds=10.0,
    cost_usd=1.0,
    tool_calls=4,
    iterations=3,
    behaviour=Behaviour(
        labels="ppp",
        tools=ToolUse(totals={"edit_file": ToolTotals(5, 1, 2.0, unanswered=1, timed=4)}, parallel={1: 3}),
        responses=((4.0, 0.25), (6.0, 0.75)),
    ),
)


def test_ranks_have_intervals_n_and_counts() -> None:
    report = report_of(tides().evaluation)
    # Alice: (1/2 + 0/2) ÷ 2 tasks = 25 %; her tests ((20 + 11) ÷ 40 + 38 ÷ 40) ÷ 2 = 86.25 %.
    alice = _row(section(report, "### Ranks"), "alice")
    assert alice[0] == "[Alice](http://site/agents/alice/)"
    assert alice[1:3] == ["1–2", "1–2"]
    assert re.fullmatch(r"25\.0 % \(\d+\.\d to \d+\.\d %, n 2\)", alice[3])
    assert re.fullmatch(r"86\.3 % \(\d+\.\d to \d+\.\d %, n 2\)", alice[5])
    assert alice[6:] == [alice[5], "0", "2", "1", "4", "0"]
    assert _row(section(report, "### Ranks"), "bob")[7:] == ["0", "1", "0", "2", "1"]
    # Calibration agents have rates, and neither a rank nor a pair.
    assert _row(section(report, "### Ranks"), "oracle")[1:3] == ["–", "–"]
    assert "**0 of 1 pair of agents differ by more than chance.**" in report


def _row(text: str, agent: str) -> list[str]:
    line = next(line for line in text.splitlines() if f"/agents/{agent}/" in line)
    return line.removeprefix("| ").removesuffix(" |").split(" | ")


def test_pairs_that_differ_say_by_how_much_and_on_how_many_tasks() -> None:
    cast = Cast(attempts=1)
    alice, bob, carol, oracle = cast.alice(), cast.bob(), cast.add_agent("Carol"), cast.oracle()
    for place, task in enumerate(cast.add_tasks(14)):
        for agent, ours in ((alice, place > 0), (bob, place < 2), (carol, True), (oracle, True)):
            add(cast, agent, task, 1, 20 if ours else 5)
    cast.settle()
    pairs = section(report_of(cast.evaluation), "### Pairs that differ")

    # Alice 13, Bob 2 and Carol 14 of 14. Alice is ahead at twelve, Bob at one: of 2¹³ patterns 2 (1 + 13) are as
    # far, p = 0.0034; Carol is ahead at twelve tasks and behind at none: 2 ÷ 2¹² = 0.0005. Holm: times 2 and 3.
    assert pairs.startswith("2 of 3 pairs, by a sign-flip test")
    close, far = [re.sub(r"\[|\]\(.*?\)", "", line) for line in pairs.splitlines()[-2:]]
    assert re.fullmatch(
        r"\| Alice \| Bob \| \\\+78\.6 \([^|]*\) \| 12 \| 1 \| 1 \| 0\.0034 .*\| 0\.0068 .*", close
    )
    assert re.fullmatch(
        r"\| Carol \| Bob \| \\\+85\.7 \([^|]*\) \| 12 \| 0 \| 2 \| 0\.0005 .*\| 0\.0015 .*", far
    )


def test_a_near_miss_names_the_test_that_failed() -> None:
    misses = section(report_of(tides().evaluation), "### Near misses")
    assert "1 of 3 pairs of agent and task." in misses
    assert misses.splitlines()[-1] == (
        "| [Alice](http://site/agents/alice/) | [harbour/tide-2](http://site/tasks/harbour/tide-2/) | 95.0 % | 95.0 % "
        "| test\\_7 (2 of 2) |"
    )


def test_a_near_miss_without_its_directory_says_so() -> None:
    evaluation = tides().evaluation
    Run.objects.update(directory="elsewhere")
    assert "unknown in 2 of 2 attempts" in section(report_of(evaluation), "### Near misses")


def test_success_is_shown_by_the_size_of_readable_reference_patches(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = tides().evaluation
    assert "## Difficulty" not in report_of(evaluation)  # this dataset is not on disk
    sizes = {"harbour/tide-1": {"lines changed": 3.0}, "harbour/tide-2": {"lines changed": 12.0}}
    monkeypatch.setattr(gather_module, "task_measures", lambda _tasks: sizes)

    found = section(report_of(evaluation), "### By measures of the task")

    # Of the competing agents only Alice resolved anything, and once: the oracle's successes say nothing here.
    assert "| lines changed | 7.5 | 4.5 | — (a) | — (a) | — (a) | — (b) |" in found


def test_it_has_tools_totals_and_quantiles_of_runs_and_responses() -> None:
    chapter = run_chapter(TopicData([RUN, replace(RUN, run=2, seconds=20.0)], {}, {}).compared())
    tables = {table.name: table.rows for section in chapter.result.sections for table in section.tables}
    assert tables["tool_success"][0][:3] == ("alice", "edit_file", "6 of 8")
    figures = [each.value for each in tables["speed"][0][-2:]]  # type: ignore[union-attr] # estimates
    assert figures == [30.0, 2.0]
    assert [each.value for each in tables["run_quantiles"][0][1:5]] == [11.0, 15.0, 18.0, 20.0]  # type: ignore[union-attr]
    assert [each.value for each in tables["response_quantiles"][0][1:5]] == [4.0, 5.0, 6.0, 6.0]  # type: ignore[union-attr]
    assert tables["response_quantiles"][0][5].value == 0.25  # type: ignore[union-attr]
