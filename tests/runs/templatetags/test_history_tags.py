"""The part of an agent's page on how its score changed."""

from __future__ import annotations

import pytest
from django.template import Context, Template

from runs.data.cells.boards import all_boards
from runs.intake.reported.storing import store
from runs.models import Agent
from runs.views.site_pages.card_pages import standing_of
from tests.markup import compact
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db
PART = Template("{% load history_tags %}{% score_over_time agent board standing %}")


def shown(name: str) -> str:
    agent = Agent.objects.get(name__startswith=name)
    board = all_boards().of("lab-bench")
    standing = standing_of(agent, "lab-bench")
    return compact(PART.render(Context({"agent": agent, "board": board, "standing": standing})))


def test_it_has_a_chart_and_a_table_where_the_score_changed_and_else_links_alone() -> None:
    store(reported(two_agents()))
    rows = [result("Ben", f"task-{n}", won=n < 1, repository="lab/one") for n in range(8)]
    store(reported([*(one for one in two_agents() if one.agent == "Ada"), *rows], version="a2"))

    ben, ada = shown("Ben"), shown("Ada")

    assert "How did its score change?" in ben
    assert 'id="score-history"' in ben
    assert "version a1" in ben
    assert "score-history" not in ada
    for page in (ben, ada):
        assert "feed.atom" in page
        assert "/changes/?agent=" in page
        assert "/share/?agent=" in page
