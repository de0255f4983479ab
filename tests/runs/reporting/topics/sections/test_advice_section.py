"""Which agent for a goal and a budget, in the topic of portfolios."""

from __future__ import annotations

from dataclasses import replace

from runs.analysis.portfolios.advice import candidate
from runs.reporting.topics.sections.advice_section import advice_section, candidates_of, described
from runs.reporting.topics.topic_result import Term
from tests.runs.reporting.topics.made import column, table, topic_data_of, tried

# Alice resolves three of four attempts for $4, Bob one of four for $1; one of Bob's ends at the limit.
RUNS = [
    *tried({"alice": {"a": "++", "b": "+-"}}, cost_usd=4.0, seconds=60.0),
    *(
        replace(run, ending="iteration_limit" if run.run == 104 else "completed")
        for run in tried({"bob": {"a": "--", "b": "+-"}}, cost_usd=1.0, seconds=30.0, run=lambda n: 100 + n)
    ),
]


def test_each_goal_has_its_choice_in_words() -> None:
    found = advice_section(topic_data_of(RUNS))

    goals = table([found], "advice")
    # Together 1 and 3/4 at the two tasks; Bob first costs less. Alone, a success takes $4 ÷ 3/4 with Alice, and
    # $1 ÷ 1/4 with Bob; the least time is 67.5 s ÷ 7/8.
    assert column(goals, "choice") == [
        "Bob; if it fails, Alice",
        "Bob",
        "Alice; if it fails, Bob",
        "Bob; if it fails, Alice",
    ]
    assert column(goals, "cost_usd")[1] == 4


def test_all_choices_can_be_read_from_the_table() -> None:
    data = topic_data_of(RUNS)
    rows = table([advice_section(data)], "candidates")

    plans = [*data.cascades.plans, *(each.plan for each in data.cascades.at_limit)]
    assert sorted(map(str, candidates_of(rows))) == sorted(str(candidate(plan)) for plan in plans)
    assert Term("limit", "if it reaches a limit") in column(rows, "handover")


def test_an_agent_without_a_model_has_no_tokens_also_in_a_pair() -> None:
    rows = table([advice_section(topic_data_of(RUNS, without_model=["bob"]))], "candidates")

    priced = {row[0] for row, usd in zip(rows.rows, column(rows, "cost_usd"), strict=True) if usd is not None}
    assert priced == {"alice"}
    assert column(rows, "seconds").count(None) == 0


def test_the_threshold_is_compared_with_the_value_and_with_the_interval() -> None:
    rows = table([advice_section(topic_data_of(RUNS))], "threshold")

    assert column(rows, "pass_k") == [1, 0.5]
    assert (column(rows, "ready"), column(rows, "certain")) == ([True, False], [False, False])


def test_without_runs_there_is_a_reason_and_no_choice() -> None:
    found = advice_section(topic_data_of([]))

    assert [each.rows for each in found.tables] == [(), (), ()]
    assert found.empty == "No agent has a graded attempt, or agents have no common tasks."
    assert described(["Alice"], "limit") == "Alice"
