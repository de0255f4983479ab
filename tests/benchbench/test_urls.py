"""Addresses that are not the public pages'."""

from __future__ import annotations

from django.test import Client


def test_browsers_that_ask_for_an_icon_are_sent_to_ours(client: Client) -> None:
    response = client.get("/favicon.ico")
    assert (response.status_code, response["Location"]) == (302, "/static/img/icon.svg")
    assert client.post("/favicon.ico").status_code == 405
