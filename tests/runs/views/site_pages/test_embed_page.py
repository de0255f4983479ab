"""What other sites show: a board in a frame, badges, and what to paste for them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client

from runs.models import Agent
from tasks.loading import hide
from tests.markup import compact
from tests.runs.cast import Cast

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


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode()).replace("\u00a0", " ")


@pytest.mark.django_db(transaction=True)
def test_only_the_embedded_board_may_be_framed_also_from_the_cache(client: Client, cast: Cast) -> None:
    for _ in range(2):
        headers = client.get("/embed/?dataset=ports").headers
        assert "X-Frame-Options" not in headers
        assert "frame-ancestors *" in headers["Content-Security-Policy"]
        assert "default-src 'self'" in headers["Content-Security-Policy"]
    for address in ("/", "/share/", "/agents/alice/"):
        headers = client.get(address).headers
        assert headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_it_has_the_first_rows_and_leads_to_the_whole_board_in_a_new_tab(client: Client, cast: Cast) -> None:
    page = body(client, "/embed/?dataset=ports&rows=1&theme=dark")

    assert '<html lang="en" data-theme="dark">' in page
    assert '<th scope="col" class="num">Rank</th>' in page
    assert 'href="/agents/alice/" target="_blank" rel="noopener">Alice' in page
    assert "/agents/bob/" not in page
    assert "2 agents on 3 tasks, run here." in page
    assert "<script" not in page
    assert "<form" not in page


def test_the_line_of_a_rate_is_around_the_intervals_of_the_rows_that_are_shown(
    client: Client, cast: Cast
) -> None:
    both, first = (body(client, f"/embed/?rows={rows}").replace("\u00a0", " ") for rows in (2, 1))

    assert "95 % interval; line 0 to 100 %" in both
    assert "95 % interval; line 40 to 100 %" in first


@pytest.mark.parametrize("query", ["rows=0", "rows=51", "rows=x", "theme=pink"])
def test_bad_parameters_are_refused(client: Client, cast: Cast, query: str) -> None:
    assert client.get(f"/embed/?{query}").status_code == 400


def test_a_badge_has_the_rate_and_the_wider_side_of_its_interval(client: Client, cast: Cast) -> None:
    response = client.get("/agents/alice/badge.svg?board=ports")
    assert response.headers["Content-Type"] == "image/svg+xml"
    root = ElementTree.fromstring(response.content)

    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "BenchBench"
    assert texts[1].replace("\u00a0", " ").startswith("100.0 % ±")
    assert "Alice on Ports" in (root.get("aria-label") or "")
    assert client.get("/agents/alice/badge.svg").content == response.content


def test_a_badge_without_a_result_says_so_and_a_hostile_name_is_text(client: Client, cast: Cast) -> None:
    carol = cast.add_agent("Carol")
    Agent.objects.filter(pk=carol.pk).update(name='"/><script>\x0b\ufffe')

    content = client.get("/agents/carol/badge.svg").content

    assert b"no result" in content
    assert b"<script" not in content
    ElementTree.fromstring(content)
    assert client.get("/agents/nobody/badge.svg").status_code == 404


def test_what_to_paste_is_shown_for_a_board_and_for_an_agent(client: Client, cast: Cast) -> None:
    board, agent = body(client, "/share/?dataset=ports"), body(client, "/share/?agent=bob")

    assert (
        '&lt;iframe src="http://testserver/embed/?dataset=ports" width="720" height="292"' in board
    )  # two rows
    assert "http://testserver/leaderboard/card.png?dataset=ports" in board
    assert "[![BenchBench](http://testserver/agents/bob/badge.svg?board=ports)]" in agent
    assert "http://testserver/agents/bob/card.png?dataset=ports" in agent
    assert client.get("/share/?agent=nobody").status_code == 404
    assert client.get("/share/?dataset=nowhere").status_code == 404


def test_the_frame_of_a_board_that_is_not_there_says_so(client: Client, cast: Cast) -> None:
    response = client.get("/embed/?dataset=unknown&theme=dark")
    page = compact(response.content.decode())

    assert response.status_code == 404
    assert "X-Frame-Options" not in response.headers
    assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
    assert '<html lang="en" data-theme="dark">' in page
    missing = '<p>There is no such board on <a href="/" target="_blank" rel="noopener">BenchBench</a>.</p>'
    assert page.split("<main>")[1].split("</main>")[0] == missing


def test_hidden_boards_are_shown_nowhere(client: Client, cast: Cast) -> None:
    hide(cast.dataset, hidden=True)

    for address in (
        "/embed/?dataset=ports",
        "/share/?dataset=ports",
        "/agents/alice/badge.svg",
        "/share/?agent=alice",
    ):
        assert client.get(address).status_code == 404, address
