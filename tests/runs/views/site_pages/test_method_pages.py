"""The index of methods, and the page of each group."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.presentation.analysis_docs import GROUPS, groups_by_slug, method_path, methods

pytestmark = pytest.mark.django_db


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return response.content.decode()


def test_the_index_has_every_method_under_its_old_anchor_as_a_link_to_its_page(client: Client) -> None:
    page = " ".join(body(client, "/methods/").split())
    for group in GROUPS:
        assert f">{group.title}</a></h2>" in page
    for anchor in methods():
        assert f'<li id="{anchor}"><a href="{method_path(anchor)}">' in page
    assert len(page) < 100_000


def test_every_method_stands_on_the_page_of_its_group(client: Client) -> None:
    for slug, group in groups_by_slug().items():
        page = body(client, f"/methods/{slug}/")
        assert [
            method.anchor for method in group.methods if f'<section id="{method.anchor}"' not in page
        ] == []
        assert page.count("Formula:</b>") + page.count("Formula:</strong>") == len(group.methods)


def test_a_method_comes_from_the_code_with_its_sentence_and_example(client: Client) -> None:
    page = body(client, "/methods/pass-rates/")
    assert "runs.analysis.outcomes.passes.pass_at_k" in page
    assert "pass@1: the share of attempts that resolve their task" in page
    assert "(100 + 50 + 0) ÷ 3 = 50 %." in page
    assert "Wilson 1927" in body(client, "/methods/intervals/")


def test_groups_lead_to_their_neighbours(client: Client) -> None:
    first, second, *_, last = groups_by_slug()
    assert f'href="/methods/{second}/" rel="next"' in body(client, f"/methods/{first}/")
    assert 'rel="prev"' not in body(client, f"/methods/{first}/")
    assert 'rel="next"' not in body(client, f"/methods/{last}/")


def test_an_unknown_group_is_not_found(client: Client) -> None:
    assert client.get("/methods/no-such-group/").status_code == 404


def test_the_pages_read_nothing_from_the_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        body(client, "/methods/")
        body(client, "/methods/pass-rates/")
