"""A refusal says how long to wait."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from runs.data.queries.too_many import TooMany, refusal, time_in_words


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "1 s"), (119, "119 s"), (121, "3 minutes"), (3600, "60 minutes")]
)
def test_waiting_times_are_rounded_up(seconds: int, words: str) -> None:
    assert time_in_words(seconds) == words


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/page/", "/data.json"])
def test_the_response_has_the_reason_and_the_time(path: str) -> None:
    request = RequestFactory().get(path)
    request.user = AnonymousUser()

    response = refusal(request, TooMany("It is full", 0.2))

    assert (response.status_code, response["Retry-After"]) == (429, "1")
    assert "It is full: try again in 1 s" in response.content.decode()
