"""The search page and the search box."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.data.text_index.index_file import forget_text_index
from runs.models import AuditEntry, SavedSearch
from runs.views.site_pages import search_page
from tests.markup import compact
from tests.runs.data.text_index.searching import Library, make_library
from tests.runs.roles import OPERATORS, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def library() -> Library:
    return make_library()


def page(client: Client, address: str, status: int = 200) -> str:
    """A page, on one line."""
    response = client.get(address)
    assert response.status_code == status
    return compact(response.content.decode())


def test_the_page_needs_no_script_and_a_fixed_number_of_queries(
    client: Client, library: Library, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(9):
        found = page(client, "/search/?q=tide")
    assert '<a href="/tasks/harbour/tide-1/">Tide 1</a>' in found
    with django_assert_num_queries(4):
        found = page(client, "/search/?q=ECONNREFUSED+outcome:unresolved")
    assert "<b>2 of 3</b> runs match, in 2 steps." in found
    with django_assert_num_queries(1):
        assert "What you can write" in page(client, "/search/")


def test_a_hit_shows_its_run_and_opens_its_step(client: Client, library: Library) -> None:
    run = library.bob[0]
    found = page(client, "/search/?q=connect*+agent:bob+task:tide-1")
    assert f'<a href="/runs/{run.pk}/?step=2">Run {run.pk}, step 2</a>' in found
    assert 'Error: <span class="match">connect</span> ECONNREFUSED' in found
    assert "<span>Bob</span>" in found
    assert '<span class="chip bad">2 of 5 tests</span>' in found
    assert f'Also in step <a href="/runs/{run.pk}/?step=3">3</a>' in found
    assert '<a class="chip" href="?q=connect%2A%20agent%3Abob"' in page(client, "/search/?q=connect*")
    assert "its end" in page(client, "/search/?q=test_neap+kind:test")


def test_names_come_first_and_filters_search_texts_only(client: Client, library: Library) -> None:
    found = page(client, "/search/?q=tide")
    assert found.index("Tide 1</a>") < found.index("In the texts of runs")
    found = page(client, "/search/?q=tide+kind:message")
    assert '<a href="/tasks/harbour/tide-1/">Tide 1</a> <span' not in found
    assert "No step of 4 runs has these words." in page(client, "/search/?q=Babbage")


def test_each_filter_in_use_can_be_taken_away(client: Client, library: Library) -> None:
    found = page(client, "/search/agents/?q=npm+-outcome:resolved+agent:alice")
    assert 'href="/search/agents/?q=npm+agent%3Aalice"' in found
    assert "not outcome: resolved" in found
    assert "agent: alice" in found


def test_pages_follow_each_other(client: Client, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_page, "PAGE", 3)
    found = page(client, "/search/?q=npm")
    assert "Page 1 of 2, 4 in all" in found
    assert 'href="?q=npm&amp;page=2"' in found
    assert f"Run {library.alice[0].pk}, step 2" in page(client, "/search/?q=npm&page=2")


def test_counts_by_agent_link_to_the_hits(client: Client, library: Library) -> None:
    found = page(client, "/search/agents/?q=ECONNREFUSED")
    assert "match <code>ECONNREFUSED</code>: 0 of 1 resolved ones, 2 of 3 unresolved ones." in found
    assert "<b>2 of 4</b> published runs<" in found
    assert '<a href="/search/?q=ECONNREFUSED%20agent%3Aalice%20board%3Aports">1 of 2</a>' in found
    # On a phone each figure stands below the others, with its name.
    assert found.count('<td data-name="Unresolved runs">') == found.count('<th scope="row"') == 2
    assert found.count('<span class="sr">95 % interval </span>') == 5
    assert "Save this search" not in found


def test_bad_queries_and_missing_indexes_get_a_sentence(client: Client, library: Library) -> None:
    assert "There is no outcome “solved”. Write outcome:resolved" in page(
        client, "/search/?q=x+outcome:solved", 400
    )
    assert "Counts by agent need a word" in page(client, "/search/agents/?q=outcome:resolved", 400)
    assert "A search needs a letter or a digit." in page(client, "/search/?q=...")
    assert client.get("/search/", {"q": "x" * 201}).status_code == 400
    forget_text_index()
    assert "The texts cannot be searched now" in page(client, "/search/?q=npm")
    assert client.get("/search/steps.csv?q=npm").status_code == 503


def test_the_boxes_repeat_the_query_escaped(client: Client, library: Library) -> None:
    text = client.get("/search/", {"q": '"><script>x</script>'}).content.decode()

    assert text.count('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"') == 2
    assert "No match" in text


def test_every_page_has_the_search_box(client: Client, library: Library) -> None:
    for address in ("/", "/methods/", "/search/"):
        assert (
            '<form class="find" role="search" method="get" action="/search/">'
            in client.get(address).content.decode()
        )


def test_operators_save_searches_that_everybody_sees(client: Client, library: Library) -> None:
    operator = Client()
    operator.force_login(member("olga", OPERATORS))
    assert "Save this search" in page(operator, "/search/agents/?q=ECONNREFUSED")
    saved = operator.post("/search/saved/", {"name": "Refused connections", "query": "ECONNREFUSED"})
    assert saved.headers["Location"] == "/search/saved/refused-connections/"
    found = page(client, "/search/saved/refused-connections/")
    assert "<h1>Refused connections</h1>" in found
    assert "<b>2 of 4</b> published runs<" in found
    assert "Delete this" not in found
    assert "Saved by olga" in page(operator, "/search/saved/refused-connections/")
    assert '<a href="/search/saved/refused-connections/">Refused connections</a>' in page(client, "/search/")
    again = operator.post("/search/saved/", {"name": "Refused connections", "query": "ECONNREFUSED"})
    assert (again.status_code, "A saved search has this name" in again.content.decode()) == (400, True)
    assert operator.get("/search/saved/").headers["Location"] == "/search/"

    refused = client.post("/search/saved/", {"delete": "refused-connections"})
    assert refused.headers["Location"].startswith("/admin/login")
    reader = Client()
    reader.force_login(member("rita"))
    assert reader.post("/search/saved/", {"name": "Mine", "query": "x"}).status_code == 403
    assert reader.post("/search/saved/", {"delete": "refused-connections"}).status_code == 403
    assert SavedSearch.objects.count() == 1
    assert operator.post("/search/saved/", {"delete": "unknown"}).status_code == 404
    assert (
        operator.post("/search/saved/", {"delete": "refused-connections"}).headers["Location"] == "/search/"
    )
    assert client.get("/search/saved/refused-connections/").status_code == 404
    acts = AuditEntry.objects.filter(kind="saved search").order_by("pk").values_list("act", flat=True)
    assert list(acts) == ["created", "deleted"]


def test_results_are_exported_for_everybody_alike(client: Client, library: Library) -> None:
    steps = json.loads(client.get("/search/steps.json?q=ECONNREFUSED").content)
    assert {name: value for name, value in steps.items() if name != "rows"} == {
        "query": "ECONNREFUSED",
        "runs": 2,
        "steps": 2,
        "more_steps": False,
        "runs_searched": 4,
        "runs_not_indexed": 0,
    }
    assert [row["url"] for row in steps["rows"]] == [
        f"http://testserver/runs/{run.pk}/?step=2" for run in (library.bob[0], library.alice[1])
    ]
    agents = json.loads(client.get("/search/agents.json?q=ECONNREFUSED").content)
    assert (agents["runs_with_hit"], agents["runs_searched"], len(agents["rows"])) == (2, 4, 2)
    assert client.get("/search/agents.csv?q=ECONNREFUSED").content.startswith(b"agent,board,runs_with_hit")
    for name in ("steps", "agents"):
        refused = client.get(f"/search/{name}.json?q=outcome:resolved")
        assert (refused.status_code, "word" in json.loads(refused.content)["detail"]) == (400, True)
    hidden = library.cast.dataset
    hidden.hidden = True
    hidden.save()
    operator = Client()
    operator.force_login(member("olga", OPERATORS))
    assert json.loads(operator.get("/search/steps.json?q=npm").content)["rows"] == []
    assert "<b>4 of 4</b>" in page(operator, "/search/?q=npm")
