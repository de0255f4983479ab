"""Cards of boards, agents, comparisons and runs."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from runs.models import Agent, Run
from runs.presentation.cards import card_image
from runs.views.site_pages import card_pages
from tasks.loading import hide
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(3):
        cast.add_run(alice, task, 1)
        cast.add_run(bob, task, 1, passed=0)
    cast.settle()
    return cast


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[card_image.LinkCard]:
    """What the cards say that a test asks for."""
    cards: list[card_image.LinkCard] = []

    def draw(card: card_image.LinkCard) -> bytes:
        cards.append(card)
        return card_image.draw_card(card)

    monkeypatch.setattr(card_pages, "draw_card", draw)
    return cards


def picture(client: Client, address: str) -> bytes:
    response = client.get(address)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "image/png"
    assert Image.open(BytesIO(response.content)).size == (1200, 630)
    return bytes(response.content)


def test_the_card_of_a_board_has_its_answer_and_its_best_agents(
    client: Client, cast: Cast, drawn: list[card_image.LinkCard]
) -> None:
    assert picture(client, "/leaderboard/card.png") == picture(client, "/leaderboard/card.png?dataset=ports")

    card = drawn[0]
    assert (card.title, card.about) == ("Ports", "Leaderboard · run here")
    assert card.answer.startswith("Rank undecided: Alice solves most")
    assert [row.name for row in card.rows] == ["Alice", "Bob"]
    assert card.foot == "2 agents on 3 tasks · solved per attempt, with 95 % intervals"


def test_the_card_of_an_agent_shows_it_among_its_neighbours(
    client: Client, cast: Cast, drawn: list[card_image.LinkCard]
) -> None:
    picture(client, "/agents/bob/card.png?dataset=ports")

    (card,) = drawn
    assert (card.title, card.about) == ("Bob", "Agent · Ports, run here")
    assert [(row.name, row.other) for row in card.rows] == [("Alice", True), ("Bob", False)]
    assert "0.0 % per attempt" in card.answer.replace("\u00a0", " ")


def test_the_card_of_a_comparison_says_who_solves_more(
    client: Client, cast: Cast, drawn: list[card_image.LinkCard]
) -> None:
    assert picture(client, "/compare/card.png?a=bob&b=alice") == picture(
        client, "/compare/card.png?a=bob&b=alice&dataset=ports"
    )

    card = drawn[0]
    assert (card.title, card.about) == ("Bob against Alice", "Ports, run here")
    assert card.answer.startswith("Alice solves 100.0 points more, 95 % interval")
    assert card.answer.endswith(": not significant")
    assert [(row.name, row.words) for row in card.rows] == [("Bob", "0.0\u00a0%"), ("Alice", "100.0\u00a0%")]
    assert card.foot == "On 3 tasks that both tried · solved per attempt, with 95 % intervals"

    picture(client, "/compare/card.png?a=bob&b=alice&repository=harbour")
    picture(client, "/compare/card.png?a=bob&b=alice&difficulty=hard")
    assert [(one.about, one.foot.partition(" that")[0]) for one in drawn[-2:]] == [
        ("Ports, run here, repository: Harbour master", "On 3 tasks"),
        ("Ports, run here, difficulty: hard", "On 0 tasks"),
    ]
    for one_agent_or_unknown in (
        "a=alice",
        "a=alice&b=alice",
        "a=alice&b=nobody",
        "a=alice&b=bob&dataset=no",
    ):
        assert client.get(f"/compare/card.png?{one_agent_or_unknown}").status_code == 404


def test_the_card_of_a_run_has_its_outcome_and_its_steps(
    client: Client, cast: Cast, drawn: list[card_image.LinkCard]
) -> None:
    run = Run.objects.get(agent__slug="alice", task__slug="tide-1")
    record(run)
    picture(client, f"/runs/{run.pk}/card.png")

    (card,) = drawn
    assert (card.title, card.about, card.tone) == ("Tide 1", f"Run #{run.pk} · Alice", "good")
    assert card.answer.startswith("Resolved, 5 of 5 tests passed")
    assert card.strip is not None
    assert card.strip.paths


def test_what_readers_may_not_see_has_no_card(client: Client, cast: Cast) -> None:
    run = Run.objects.first()
    assert run is not None
    hide(cast.dataset, hidden=True)

    for address in (
        "/leaderboard/card.png?dataset=ports",
        "/agents/alice/card.png",
        f"/runs/{run.pk}/card.png",
    ):
        assert client.get(address).status_code == 404, address
    assert client.get("/leaderboard/card.png").status_code == 404


def test_hostile_names_are_drawn(client: Client, cast: Cast) -> None:
    Agent.objects.filter(slug="alice").update(name="<b>\x00\u202e漢" * 40)

    for address in ("/leaderboard/card.png", "/agents/alice/card.png"):
        picture(client, address)
