"""The bars above a list of tasks."""

from __future__ import annotations

from runs.data.lists.task_list import TaskListQuery
from runs.views.result_pages.share_bars import share_bars


def test_each_group_is_a_bar_that_filters_and_the_chosen_one_shows_all() -> None:
    none, nearly = share_bars(TaskListQuery(q="x", share="none"), {"none": 1, "nearly": 1000})

    assert (none.href, none.chosen, none.height) == ("/tasks/?q=x", True, "3.0")
    assert (nearly.href, nearly.chosen, nearly.height) == ("/tasks/?q=x&share=nearly", False, "40.0")
    assert (nearly.tasks, nearly.short, nearly.text) == (1000, "over ¾", "by more, but not by all")
    assert share_bars(TaskListQuery(), {}) == []
