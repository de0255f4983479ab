"""The parameters of lists: what is read from an address, and the links that change it."""

from __future__ import annotations

import pytest

from runs.data.lists.agent_list import AgentListQuery
from runs.data.lists.list_query import is_named, one_spelling
from runs.data.lists.task_list import SHARES, TaskListQuery
from runs.data.queries.parameters import BadParameter
from runs.data.queries.run_list import Sorting


def test_an_address_gives_the_filters_and_wrong_values_are_refused() -> None:
    query = TaskListQuery.from_query({"q": " Tide 2 ", "share": "none", "repository": "nowhere", "page": "3"})

    assert (query.words, query.share, query.repository, query.empty) == (
        ["tide", "2"],
        "none",
        "nowhere",
        False,
    )
    assert TaskListQuery.from_query({"sort": "-solved"}).empty
    for name, value in (("share", "half"), ("sort", "title"), ("difficulty", "harder"), ("q", "x" * 201)):
        with pytest.raises(BadParameter):
            TaskListQuery.from_query({name: value})


def test_each_filter_in_use_is_a_chip_that_removes_it() -> None:
    query = TaskListQuery(q="tide", share="none", sort="-solved")

    chips = list(query.chips({"share": SHARES}))

    assert [(chip.label, chip.value, chip.without) for chip in chips] == [
        ("found", "tide", "?sort=-solved&share=none"),
        ("solved", "by no agent", "?q=tide&sort=-solved"),
    ]
    assert [chip.without for chip in TaskListQuery(q="tide").chips({})] == ["./"]
    assert query.active(("share", "language")) == 1


def test_a_column_sorts_in_its_own_way_first_and_then_in_the_other() -> None:
    assert TaskListQuery().sorting()["attempts"] == Sorting("", "?sort=-attempts")
    assert TaskListQuery().sorting()["solved"] == Sorting("", "?sort=solved")
    assert TaskListQuery(q="x", sort="solved").sorting()["solved"] == Sorting(
        "ascending", "?q=x&sort=-solved"
    )
    assert TaskListQuery(sort="-solved").sorting()["solved"] == Sorting("descending", "?sort=solved")


def test_every_word_must_be_part_of_a_name() -> None:
    assert TaskListQuery(q="TIDE harb").matches("Tide 1", "Harbour master")
    assert not TaskListQuery(q="tide dock").matches("Tide 1", "Harbour master")


def test_spellings_that_differ_in_case_alone_are_one_name() -> None:
    assert one_spelling(["codex", "Codex", "", "Codex", "Aider"]) == {"codex": "Codex", "aider": "Aider"}
    assert one_spelling(["codex", "Codex"]) == one_spelling(["Codex", "codex"]) == {"codex": "Codex"}
    assert AgentListQuery(harness="CODEX").spelled(harness=["Codex"]) == AgentListQuery(harness="Codex")
    assert AgentListQuery(harness="x").spelled(harness=["Codex"]) == AgentListQuery(harness="x")
    assert [is_named("Codex", name) for name in ("codex", "Codex CLI", "")] == [True, False, False]
    assert is_named("", "codex")
