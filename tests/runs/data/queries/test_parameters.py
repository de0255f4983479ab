"""An invalid parameter is refused with its name and the allowed values."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict
from django.test import Client

from runs.data.queries import parameters
from runs.data.queries.parameters import BadParameter

WRONG = [
    ("/?sort=best", "sort", "one of place, -place, name"),
    ("/?difficulty=trivial", "difficulty", "one of easy, medium, hard"),
    ("/?category=%00", "category", "characters that can be printed"),
    ("/?dataset=" + "x" * 300, "dataset", "at most 200 characters"),
    ("/near-misses/?threshold=0", "threshold", "a whole number from 1 to 100"),
    ("/near-misses/?threshold=%D9%A3", "threshold", "a whole number from 1 to 100"),
    ("/runs/?page=0", "page", "a whole number from 1 to 200"),
    ("/runs/?state=done", "state", "one of queued, preparing, running, grading, finished, cancelled"),
    ("/evaluations/?page=last", "page", "a whole number from 1 to 1000000"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "name", "allowed"), WRONG)
def test_a_page_names_the_invalid_parameter_and_the_allowed_values(
    client: Client, address: str, name: str, allowed: str
) -> None:
    response = client.get(address)

    assert response.status_code == 400
    page = response.content.decode()
    assert f"<code>{name}=" in page
    assert allowed in page


@pytest.mark.django_db
def test_a_json_address_gets_a_json_error(client: Client) -> None:
    response = client.get("/leaderboard.json?difficulty=trivial")

    assert response.status_code == 400
    assert response.json()["parameter"] == "difficulty"


@pytest.mark.django_db
def test_markup_in_a_value_is_escaped(client: Client) -> None:
    page = client.get("/?sort=<script>alert(1)</script>").content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.django_db
def test_a_valid_value_that_matches_empty_text_gives_an_empty_page(client: Client) -> None:
    assert "Nothing matches these filters" in client.get("/?dataset=nowhere&kind=none").content.decode()
    assert client.get("/?utm_source=elsewhere").status_code == 200


def test_only_days_with_hyphens_are_days() -> None:
    assert parameters.day(QueryDict("since=2026-01-31"), "since") == date(2026, 1, 31)
    assert parameters.day(QueryDict(""), "since") is None
    for wrong in ("2026-02-30", "20260131", "31.1.2026", "2026-W05-6"):
        with pytest.raises(BadParameter, match="a day such as 2026-01-31"):
            parameters.day(QueryDict(f"since={wrong}"), "since")


def test_a_flag_is_1_0_or_missing() -> None:
    assert parameters.flag(QueryDict("open=1"), "open")
    assert not parameters.flag(QueryDict("open=0"), "open")
    with pytest.raises(BadParameter):
        parameters.flag(QueryDict("open=yes"), "open")


def test_an_amount_is_a_decimal_number_up_to_a_limit() -> None:
    amounts = {
        value: parameters.amount({"budget": value}, "budget", most=100)
        for value in ("", "0", "0.25", " 100 ")
    }
    assert amounts == {"": None, "0": 0, "0.25": 0.25, " 100 ": 100}


@pytest.mark.parametrize("value", ["100.5", "-1", "1e1", "nan", "inf", "1,5", "1.2.3", ".", "٣", "0" * 19])
def test_other_amounts_are_refused_with_the_limit(value: str) -> None:
    with pytest.raises(BadParameter, match="a number from 0 to 100, such as"):
        parameters.amount({"budget": value}, "budget", most=100)
