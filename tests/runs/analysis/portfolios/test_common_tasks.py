"""Where agents can be compared one to one."""

from __future__ import annotations

from runs.analysis.portfolios.common_tasks import CommonTasks, common_tasks


def test_only_tasks_that_everybody_attempted_count() -> None:
    found = common_tasks({"a": {"1", "2", "3"}, "b": {"2", "3", "4"}})
    assert found == CommonTasks(("a", "b"), ("2", "3"), (), ("1", "4"))


def test_a_new_agent_removes_no_tasks_of_the_others() -> None:
    # Four tasks: with one of them the newcomer has a quarter, with two it would have half and stay.
    attempted = {"a": {"1", "2", "3", "4"}, "b": {"1", "2", "3", "4"}, "new": {"1"}}
    assert common_tasks(attempted) == CommonTasks(("a", "b"), ("1", "2", "3", "4"), ("new",), ())
    assert common_tasks({**attempted, "new": {"1", "2"}}) == CommonTasks(
        ("a", "b", "new"), ("1", "2"), (), ("3", "4")
    )


def test_no_agent_and_no_task() -> None:
    nothing = CommonTasks((), (), (), ())
    assert common_tasks({}) == nothing
    assert common_tasks({"a": set()}) == CommonTasks((), (), ("a",), ())


def test_agents_may_have_no_task_in_common() -> None:
    assert common_tasks({"a": {"1"}, "b": {"2"}}) == CommonTasks(("a", "b"), (), (), ("1", "2"))
