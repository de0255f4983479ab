"""The pages of the project's documents."""

from __future__ import annotations

import pytest
from django.test import Client

from runs.presentation.documents.documents import DOCUMENTS
from tests.markup import compact

pytestmark = pytest.mark.django_db


def test_the_list_names_every_document_by_purpose(client: Client) -> None:
    page = compact(client.get("/docs/").content.decode())

    for document in DOCUMENTS.values():
        assert f'href="{document.address}"' in page
    for purpose in ("For readers", "For researchers", "For those who take part", "For operators"):
        assert purpose in page


@pytest.mark.parametrize("slug", DOCUMENTS)
def test_each_document_is_a_page_with_its_contents(client: Client, slug: str) -> None:
    response = client.get(f"/docs/{slug}/", follow=True)

    assert response.status_code == 200
    assert response.request["PATH_INFO"] == DOCUMENTS[slug].address
    assert response.content.decode().count("<h1>") == 1


def test_a_search_shows_sections_and_what_they_say(client: Client) -> None:
    page = compact(client.get("/docs/?q=write recipe").content.decode())

    assert '<a href="/docs/operations/#write-a-recipe">Write a recipe</a>' in page
    assert "A recipe is a directory" in page


def test_a_search_without_a_match_says_so_and_shows_hostile_words_as_text(client: Client) -> None:
    page = client.get("/docs/", {"q": "<script>zzz"}).content.decode()

    assert "0 sections" in compact(page)
    assert "<script>zzz" not in page


def test_unknown_documents_are_not_found_and_bad_words_are_refused(client: Client) -> None:
    assert client.get("/docs/nothing/").status_code == 404
    assert client.get("/docs/", {"q": "x" * 201}).status_code == 400


def test_the_sites_search_finds_headings_of_documents(client: Client) -> None:
    page = compact(client.get("/search/?q=write recipe").content.decode())

    assert "Documentation" in page
    assert 'href="/docs/operations/#write-a-recipe"' in page


def test_taking_part_shows_three_ways_each_with_a_command_on_the_first_screen(client: Client) -> None:
    page = compact(client.get("/evaluate/").content.decode())

    ways = page[page.index('class="ways"') : page.index('class="chapter"')]
    for title, command in (
        ("Run it here", "script/server"),
        ("Bring an agent", "--agent command"),
        ("Send results", "import_trajectories"),
    ):
        assert title in ways
        assert command in ways
    assert "git clone" not in page
    assert "agent.py" in page
    assert client.get("/docs/taking-part/")["Location"] == "/evaluate/"


def test_the_source_is_cloned_where_its_address_is_known(client: Client, settings: object) -> None:
    settings.SOURCE_URL = "https://code.example/bench"  # type: ignore[attr-defined]

    assert "git clone https://code.example/bench benchbench" in client.get("/evaluate/").content.decode()
