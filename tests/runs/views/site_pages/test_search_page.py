"""The search box: what it finds, for whom, and at what price."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.queries.name_search import MOST, search
from tasks.loading import hide
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db

ANYBODY = AnonymousUser()


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    cast.add_tasks(2)
    cast.alice()
    return cast


def titles(text: str, reader: AnonymousUser | User = ANYBODY) -> dict[str, list[str]]:
    """What is found, by kind."""
    return {kind.title: [hit.title for hit in kind.hits] for kind in search(text, reader)}


def test_words_find_names_of_every_kind_whatever_their_case(cast: Cast) -> None:
    assert titles("HARBOUR") == {"Repositories": ["Harbour master"], "Tasks": ["Tide 1", "Tide 2"]}
    assert titles("tide spring") == {"Evaluations": ["Spring tide"]}
    assert titles("analytical") == {"Agents": ["Alice"]}
    assert titles("retry benefit") == {"Methods": ["Retry benefit"]}


def test_all_words_have_to_be_there(cast: Cast) -> None:
    assert titles("harbour 2") == {"Tasks": ["Tide 2"]}
    assert titles("harbour nowhere") == {}
    assert titles("  ") == {}


def test_signs_of_patterns_are_letters_like_any_other(cast: Cast) -> None:
    assert titles("%") == {}
    assert titles("T_de") == {}


@pytest.mark.parametrize("text", ["{}", "#{}", " #{} "])
def test_a_run_is_found_by_its_number(cast: Cast, text: str) -> None:
    run = cast.add_run(cast.add_agent("Zoe"), cast.repository.tasks.get(slug="tide-1"))

    (kind, *_) = search(text.format(run.pk), ANYBODY)

    assert [(hit.title, hit.href, hit.about) for hit in kind.hits] == [
        (f"#{run.pk}", run.get_absolute_url(), "Zoe, Tide 1")
    ]
    assert titles("9" * 30) == {}
    assert titles("٣") == {}


def test_many_hits_are_cut_and_said_to_be(cast: Cast) -> None:
    cast.add_tasks(MOST, start=3)

    (tasks,) = (kind for kind in search("tide", ANYBODY) if kind.title == "Tasks")

    assert (len(tasks.hits), tasks.more) == (MOST, True)


def test_hidden_datasets_are_found_by_operators_alone(cast: Cast, admin_user: User) -> None:
    run = cast.add_run(cast.add_agent("Zoe"), cast.repository.tasks.get(slug="tide-1"))
    hide(cast.dataset, hidden=True)

    assert titles("harbour") == {}
    assert titles(f"#{run.pk}") == {}
    assert titles("harbour", admin_user)["Tasks"] == ["Tide 1", "Tide 2"]
    assert titles(f"#{run.pk}", admin_user)["Runs"] == [f"#{run.pk}"]


def test_the_page_needs_no_script_and_a_fixed_number_of_queries(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        page = client.get("/search/?q=tide").content.decode()
    assert '<a href="/tasks/harbour/tide-1/">Tide 1</a>' in page
    with django_assert_num_queries(0):
        page = client.get("/search/").content.decode()
    assert "What are you looking for?" in page


def test_what_was_asked_for_stays_in_the_boxes_as_text(client: Client, cast: Cast) -> None:
    page = client.get("/search/", {"q": '"><script>x</script>'}).content.decode()

    assert page.count('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"') == 2
    assert "Nothing is called that" in page
    assert client.get("/search/", {"q": "x" * 201}).status_code == 400


def test_every_page_has_the_box(client: Client, cast: Cast) -> None:
    for address in ("/", "/methods/", "/search/"):
        assert (
            '<form class="find" role="search" method="get" action="/search/">'
            in client.get(address).content.decode()
        )
