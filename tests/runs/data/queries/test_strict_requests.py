"""What no page can use is refused or dropped, and is no error of the server."""

from __future__ import annotations

import pytest
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from runs.data.queries.strict_requests import StrictRequests, is_readable, is_unstorable
from runs.models import Agent


@pytest.mark.parametrize(
    ("content_type", "readable"),
    [
        ("", True),
        ("text/plain", True),
        ("application/x-www-form-urlencoded; charset=UTF-8", True),
        ("application/x-www-form-urlencoded; charset=latin-1", True),
        ("application/x-www-form-urlencoded; charset=nonsense", True),  # Django ignores it
        ("application/x-www-form-urlencoded; charset=rot13", False),
        ("application/x-www-form-urlencoded; charset=base64", False),
        ("application/x-www-form-urlencoded; charset=idna", False),
        ("multipart/form-data; boundary=x; charset=utf-16", False),
    ],
)
def test_only_usual_character_sets_are_read(content_type: str, readable: bool) -> None:
    assert is_readable(content_type) is readable


def test_cookies_with_control_characters_are_dropped() -> None:
    seen: list[dict[str, str]] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(dict(request.COOKIES))
        return HttpResponse()

    StrictRequests(view)(RequestFactory().get("/", headers={"cookie": r'sessionid="\000a"; theme=dark'}))
    assert seen == [{"theme": "dark"}]


@pytest.mark.django_db
def test_what_the_database_refuses_is_told_from_other_errors() -> None:
    refusals: list[Exception] = []
    for value in ("a\ud800",):
        try:
            Agent.objects.filter(slug=value).exists()
        except Exception as error:
            refusals.append(error)
    try:
        Agent.objects.raw("SELECT * FROM runs_agent WHERE id = %s", [2**64])[0]
    except (OverflowError, DataError, IndexError) as error:  # PostgreSQL compares with any number
        refusals.append(error) if not isinstance(error, IndexError) else None

    assert refusals
    assert all(map(is_unstorable, refusals))
    assert is_unstorable(DataError("integer out of range"))
    assert is_unstorable(ValueError("A string literal cannot contain NUL (0x00) characters."))
    assert not is_unstorable(ValueError("invalid literal"))
    assert not is_unstorable(OverflowError("math range error"))
    assert not is_unstorable(UnicodeEncodeError("ascii", "ü", 0, 1, "ordinal not in range"))


@pytest.mark.django_db
@pytest.mark.parametrize("number", [2**63, 10**18, 10**30, 10**400])
@pytest.mark.parametrize(
    "path", ["/runs/{}/", "/runs/1/steps/{}/raw/", "/api/v1/runs/{}", "/evaluations/{}/"]
)
def test_numbers_beyond_a_column_name_nothing(client: Client, path: str, number: int) -> None:
    assert client.get(path.format(number)).status_code == 404


@pytest.mark.django_db
def test_the_admin_has_no_filter_of_two_values(admin_client: Client) -> None:
    assert admin_client.get("/admin/runs/cell/?pk__range=9223372036854775808").status_code == 400
