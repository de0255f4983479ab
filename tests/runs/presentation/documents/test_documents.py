"""The documents of the project: all of them, with working links, and a search."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from runs.presentation.documents import documents

ROOT = Path(settings.BASE_DIR)
HREF = re.compile(r'href="([^"]+)"')


def test_every_file_of_docs_has_a_page() -> None:
    assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} == {
        document.path for document in documents.DOCUMENTS.values() if document.path.startswith("docs/")
    }


@pytest.mark.parametrize("slug", documents.DOCUMENTS)
def test_every_link_of_a_document_leads_to_an_existing_place(slug: str) -> None:
    anchors = {
        document.address: {section.anchor for section in documents.page(document.slug).sections}
        for document in documents.DOCUMENTS.values()
    }
    own = documents.DOCUMENTS[slug].address
    for href in HREF.findall(documents.page(slug).html):
        if href.startswith(("https://", "http://")):
            continue
        page, _, anchor = href.partition("#")
        assert (page or own) in anchors, href
        assert not anchor or anchor in anchors[page or own], href


def test_pictures_of_the_tour_are_shown_with_their_size() -> None:
    html = documents.page("tour").html

    assert html.count("<img") == 10
    assert re.search(
        r'src="/static/tour/leaderboard(\.\w+)?\.png" alt="[^"]+" width="\d+" height="\d+"', html
    )


def test_the_licence_and_the_changelog_are_documents() -> None:
    assert documents.page("licence").title == "MIT License"
    assert documents.page("changelog").contents[0].title == "Unreleased"


def test_a_search_finds_sections_with_all_words_first_those_that_are_about_them() -> None:
    found = documents.find("WRITE recipe")

    assert found[0].address == "/docs/operations/#write-a-recipe"
    assert "A recipe is a directory" in found[0].excerpt
    assert all("recipe" in f"{one.section.title} {one.section.text}".casefold() for one in found)


def test_a_phrase_comes_before_its_words_apart() -> None:
    assert "Rate limit" in documents.find("rate limit")[0].excerpt


def test_an_empty_or_unknown_search_finds_nothing() -> None:
    assert documents.find("  ") == []
    assert documents.find("zzzzz") == []


def test_headings_are_found_by_their_words_and_their_page() -> None:
    (found,) = documents.find_headings(["failure", "WHOSE"])

    assert found.address == "/docs/architecture/#whose-failure-it-is"
