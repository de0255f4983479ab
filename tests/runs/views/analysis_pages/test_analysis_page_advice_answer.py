"""The form for a goal and a budget on the page of portfolios, and its answer."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
HERE = "/analysis/portfolios/"


@pytest.fixture
def cast() -> Cast:
    """Alice resolves three of four attempts for $4 each, Bob one of four for $1."""
    cast = Cast(attempts=2)
    first, second = cast.add_tasks(2)
    alice, bob = cast.alice(), cast.bob()
    for agent, cells, usd in ((alice, ([5, 5], [5, 3]), 4.0), (bob, ([0, 1], [5, 1]), 1.0)):
        for task, passed in zip((first, second), cells, strict=True):
            cast.add_cell(agent, task, passed)
        cast.evaluation.runs.filter(agent=agent).update(cost_usd=usd)
    cast.settle()
    return cast


def answer(client: Client, query: str) -> list[str]:
    """The choices of the answer, as text."""
    response = client.get(f"{HERE}?{query}")
    assert response.status_code == 200
    page = compact(response.content.decode()).replace("\u00a0", " ")
    (found,) = re.findall(r'<ol class="advice">(.*?)</ol>', page) or [""]
    return [compact(re.sub(r"<[^>]+>", "", line)).strip() for line in found.split("</li>")[:-1]]


def test_without_a_budget_the_best_choices_are_listed(client: Client, cast: Cast) -> None:
    lines = answer(client, "")

    # At the first task 1, at the second 1 − 1/2 · 1/2. Bob first costs less.
    assert [line.partition(" resolved")[0] for line in lines] == [
        "Bob, if it fails Alice: 87.5 %",
        "Alice, if it fails Bob: 87.5 %",
        "Alice: 75.0 %",
        "Bob: 25.0 %",
    ]
    assert lines[0].endswith(", $4.00 a task")


def test_a_budget_leaves_out_what_is_more_expensive(client: Client, cast: Cast) -> None:
    assert [line.split(":")[0] for line in answer(client, "budget=1.5")] == ["Bob"]
    assert "$4.00 a success; 25.0 % resolved" in answer(client, "goal=cost&budget=1.5")[0]
    page = client.get(f"{HERE}?budget=0.5").content.decode()
    assert "None of 4 choices is known to be within this budget" in page


def test_the_form_keeps_the_filters_and_the_values(client: Client, cast: Cast) -> None:
    page = client.get(f"{HERE}?repository=harbour&goal=time&budget=90&resource=seconds").content.decode()

    assert '<input type="hidden" name="repository" value="harbour">' in page
    assert '<option value="time" selected>' in page
    assert 'value="90"' in page
    assert "goal=" not in client.get("/analysis/tools/").content.decode()


def test_without_known_dollars_the_budget_is_in_tokens(client: Client, cast: Cast) -> None:
    cast.evaluation.runs.update(cost_usd=None, prompt_tokens=500, completion_tokens=0)
    cast.settle()

    assert answer(client, "")[0].endswith("tokens a task")
    assert answer(client, "resource=cost_usd")[0].endswith("unknown expense")


@pytest.mark.parametrize(
    "query", ["goal=fame", "resource=euros", "budget=-1", "budget=1e9", "budget=nan", "budget=1,5"]
)
def test_invalid_values_are_refused(client: Client, cast: Cast, query: str) -> None:
    response = client.get(f"{HERE}?{query}")

    assert response.status_code == 400
    assert query.partition("=")[0] in response.content.decode()
