"""The search page and the search box."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    cast.add_tasks(2)
    cast.alice()
    return cast


def test_the_page_needs_no_script_and_a_fixed_number_of_queries(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        page = compact(client.get("/search/?q=tide").content.decode())
    assert '<a href="/tasks/harbour/tide-1/">Tide 1</a>' in page
    with django_assert_num_queries(0):
        page = compact(client.get("/search/").content.decode())
    assert "What are you looking for?" in page


def test_the_boxes_repeat_the_query_escaped(client: Client, cast: Cast) -> None:
    page = client.get("/search/", {"q": '"><script>x</script>'}).content.decode()

    assert page.count('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"') == 2
    assert "No match" in page
    assert client.get("/search/", {"q": "x" * 201}).status_code == 400


def test_every_page_has_the_search_box(client: Client, cast: Cast) -> None:
    for address in ("/", "/methods/", "/search/"):
        assert (
            '<form class="find" role="search" method="get" action="/search/">'
            in client.get(address).content.decode()
        )
