"""Which requests may be large: those with a mark of this site, and no others."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from runs.intake.uploads import permits
from runs.intake.uploads.permits import bearer_of, form_permit, may_be_large, new_token

FORM, API = "/uploads/", "/api/v1/uploads"


def test_the_address_of_a_form_allows_it() -> None:
    query = f"permit={quote(form_permit())}"
    assert may_be_large(FORM, query, "")
    assert not may_be_large(FORM, "", "")
    assert not may_be_large(FORM, query[:-1], "")
    assert not may_be_large("/evaluations/start/", query, "")
    assert not may_be_large(API, query, "")


def test_a_form_that_is_open_for_too_long_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    query = f"permit={quote(form_permit())}"
    monkeypatch.setattr(permits, "PERMIT_SECONDS", -1)
    assert not may_be_large(FORM, query, "")


def test_a_token_of_this_site_allows_it_for_programs() -> None:
    token = new_token()
    assert may_be_large(API, "", f"Bearer {token}")
    assert may_be_large(API, "name=a.zip", f"bearer {token}")
    assert not may_be_large(FORM, "", f"Bearer {token}")
    assert not may_be_large(API, "", token)
    assert not may_be_large(API, "", f"Bearer {token[:-1]}{'0' if token[-1] != '0' else '1'}")


def test_a_token_of_another_site_does_not_until_its_key_is_known(settings: Any) -> None:
    token = new_token()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", []
    assert not may_be_large(API, "", f"Bearer {token}")
    settings.SECRET_KEY_FALLBACKS = ["nothing", "another"]
    assert may_be_large(API, "", f"Bearer {new_token()}")


def test_tokens_are_random_and_long() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token) for token in tokens} == {4 + 43 + 1 + 16}


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic abc", "Bearer bbu_short", "Bearer " + "a" * 64]
)
def test_a_header_without_a_token_has_none(header: str) -> None:
    assert bearer_of(header) == ""


@pytest.mark.parametrize(
    "query", ["permit=" + "a" * 5000, "&".join(["permit=x"] * 50), "permit=%00", "permit"]
)
def test_odd_queries_allow_nothing(query: str) -> None:
    assert may_be_large(FORM, query, "") is False
