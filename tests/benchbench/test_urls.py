"""Addresses that are not the public pages'."""

from __future__ import annotations

import pytest
from django.contrib.contenttypes.models import ContentType
from django.test import Client


def test_browsers_that_ask_for_an_icon_are_sent_to_ours(client: Client) -> None:
    response = client.get("/favicon.ico")
    assert (response.status_code, response["Location"]) == (302, "/static/img/icon.svg")
    assert client.post("/favicon.ico").status_code == 405


@pytest.mark.django_db
def test_a_model_without_a_table_has_no_page_to_view(admin_client: Client) -> None:
    stored = ContentType.objects.get(app_label="runs", model="cell").pk
    unmanaged = ContentType.objects.get(app_label="django_rq", model="dashboard").pk

    for path in (f"{unmanaged}/1", f"{stored}/1", f"{2**63}/1", "+1/1", f"{stored}/{2**63}"):
        assert admin_client.get(f"/admin/r/{path}/").status_code == 404


@pytest.mark.parametrize(("named", "place"), [("/leaderboard/", "/"), ("/insights/", "/analysis/")])
def test_a_section_is_found_by_its_name_in_the_navigation(client: Client, named: str, place: str) -> None:
    response = client.get(f"{named}?dataset=ports")
    assert (response.status_code, response["Location"]) == (302, f"{place}?dataset=ports")
    assert client.post(named).status_code == 405
