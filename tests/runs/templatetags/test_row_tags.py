"""Rows of lists are rendered again only where they changed."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from django.template import Context, Template
from django.test.utils import override_script_prefix

from runs.analysis.estimate import Interval
from runs.analysis.outcomes.standings import Rate
from runs.data.lists.agent_list import AgentLine, BoardScore
from runs.models import Agent
from runs.templatetags import row_tags


class Renamed(NamedTuple):
    """A row with a row of the database."""

    agent: Agent
    name: str


def line(name: str, scores: tuple[BoardScore, ...] = ()) -> AgentLine:
    return AgentLine(
        *(1, "ada", name, "reported", "Loop", "claude", "Claude", "Anthropic", None, "", scores, 0)
    )


def shown(*rows: object, template: str = "runs/agents/_row.html", **page: object) -> str:
    source = "{% load row_tags %}{% cached_rows template rows %}"
    return Template(source).render(Context({"template": template, "rows": rows, **page}))


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    row_tags._row.cache_clear()


def test_an_equal_row_is_rendered_once() -> None:
    first = shown(line("Ada"), line("Bob"))
    assert [first.count(name) for name in ("Ada</a>", "Bob</a>")] == [1, 1]
    assert shown(line("Ada"), line("Bob")) == first
    assert row_tags._row.cache_info()[:2] == (2, 2)


def test_a_changed_row_is_rendered_again_and_the_others_are_not() -> None:
    score = BoardScore("ports", "Ports", Rate(0.5, Interval(0.25, 0.75)), 8, 8, None)
    shown(line("Ada"), line("Bob"))
    assert "50.0 %" in shown(line("Ada", (score,)), line("Bob")).replace("\N{NO-BREAK SPACE}", " ")
    assert row_tags._row.cache_info()[:2] == (1, 3)


def test_a_row_sees_nothing_else_of_its_page() -> None:
    assert "Mallory" not in shown(line("Ada"), score="Mallory", line=line("Mallory"))


def test_a_site_below_a_prefix_has_its_own_rows() -> None:
    with override_script_prefix("/bench/"):
        assert 'href="/bench/agents/ada/"' in shown(line("Ada"))
    assert 'href="/agents/ada/"' in shown(line("Ada"))


def test_names_are_escaped() -> None:
    assert "<script>" not in shown(line("<script>alert(1)</script>"))


def test_with_debug_a_row_is_rendered_each_time(settings: Any) -> None:
    settings.DEBUG = True
    shown(line("Ada"))
    assert row_tags._row.cache_info().currsize == 0


@pytest.mark.parametrize("row", [Agent(pk=1), Renamed(Agent(pk=1), "Ada")])
def test_a_row_of_the_database_is_refused_because_it_stays_equal_when_it_changes(row: object) -> None:
    with pytest.raises(TypeError, match="holds a row of the database"):
        shown(row)
