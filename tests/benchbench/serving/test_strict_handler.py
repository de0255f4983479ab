"""What reaches Django."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory

from benchbench.serving.strict_handler import StrictHandler


@pytest.mark.django_db
@pytest.mark.parametrize(("charset", "status"), [("utf-8", "200 OK"), ("rot13", "400 Bad Request")])
def test_a_request_in_an_odd_character_set_is_refused(charset: str, status: str) -> None:
    started: list[str] = []

    def start(status: str, _headers: object, _error: object = None, /) -> Any:
        started.append(status)

    content_type = f"text/plain; charset={charset}"
    environ = RequestFactory().get("/healthz", headers={"host": "localhost"}).environ
    b"".join(StrictHandler()({**environ, "CONTENT_TYPE": content_type}, start))

    assert started == [status]
