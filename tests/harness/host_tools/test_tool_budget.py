"""Which calls the limits for tool uses and submissions allow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.host_tools.tool_budget import ToolBudget
from harness.limits import Limits, Spending
from harness.tools.selection import SETS, TESTED_SUBMISSIONS

TOOLS = [*sorted(SETS["remove"]), "fly"]


def budget(uses: int | None, submissions: int | None, tools: str = "remove") -> tuple[ToolBudget, Spending]:
    spending = Spending(Limits(tool_uses=uses, submissions=submissions))
    return ToolBudget(spending, SETS[tools]), spending


@given(
    calls=st.lists(st.tuples(st.sampled_from(TOOLS), st.booleans()), max_size=60),
    uses=st.integers(1, 20),
    submissions=st.integers(1, 6),
)
def test_never_one_use_or_one_submission_more_than_allowed(
    calls: list[tuple[str, bool]], uses: int, submissions: int
) -> None:
    """Each call may be refused before it becomes a submission, as for code that defines nothing."""
    own, spending = budget(uses, submissions)
    submitted, answered = 0, list[str]()
    for tool, tested in calls:
        if own.use(tool):
            continue
        answered.append(tool)
        if tool in TESTED_SUBMISSIONS and tested:
            submitted += 1
            spending.submissions += 1
    assert spending.tool_uses == len(answered) <= uses
    assert submitted <= min(submissions, uses)
    if not submitted:
        assert all(tool in TESTED_SUBMISSIONS for tool in answered[uses - 1 :])


def test_the_last_use_is_for_a_submission_until_there_was_one() -> None:
    own, spending = budget(3, 2)
    assert (own.use("read_file"), own.use("read_file")) == ("", "")
    assert own.reserved_for == ("submit_attempt",)
    assert own.use("read_file").startswith("Not called: one tool use is left, and nothing was submitted.")
    assert spending.tool_uses == 2
    assert own.use("submit_attempt") == ""
    assert own.use("submit_attempt") == "Not called: no tool use is left, of 3."


def test_after_a_submission_the_last_use_is_for_any_tool() -> None:
    own, spending = budget(3, 1)
    assert own.use("submit_attempt") == ""
    spending.submissions += 1
    assert own.use("submit_attempt") == "Not called: no submission is left, of 1."
    assert (own.use("read_file"), own.reserved_for) == ("", ())
    assert own.use("read_file") == ""


def test_agents_that_cannot_submit_may_use_every_call() -> None:
    own, spending = budget(1, None, "shell")
    assert own.reserved_for == ()
    assert own.use("run_terminal_cmd") == ""
    assert own.use("run_terminal_cmd") == "Not called: no tool use is left, of 1."
    assert spending.tool_uses == 1


@pytest.mark.parametrize(
    ("tools", "limits", "counts"),
    [
        ("all", Limits(), False),
        ("all", Limits(tool_uses=9), True),
        ("all", Limits(submissions=9), True),
        ("discovery", Limits(), True),
        ("pull_request", Limits(), True),
    ],
)
def test_counts_say_something_where_an_agent_submits_or_has_a_limit(
    tools: str, limits: Limits, counts: bool
) -> None:
    assert ToolBudget(Spending(limits), SETS[tools]).counts is counts


def test_when_the_work_is_done_nothing_is_called() -> None:
    own, spending = budget(None, None)
    own.finished = True
    assert own.use("read_file") == "Not called: the work is done."
    assert spending.tool_uses == 0
