"""ETags of replay pages, and what browsers and the cache may store."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from runs.models import Run
from runs.views.replay_pages.replay_etag import (
    cache_response,
    cached_response,
    etag,
    not_modified,
    with_cache_headers,
)
from tests.conftest import RedisServer
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(cast: Cast) -> Run:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(run)
    return Run.objects.select_related("agent", "task__repository", "evaluation").get(pk=run.pk)


def request(
    address: str = "/runs/1/",
    user: User | AnonymousUser | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpRequest:
    """A request as the middleware leaves it."""
    made = RequestFactory().get(address, headers=headers)
    made.user = user or AnonymousUser()
    made.session = {}  # type: ignore[assignment]
    made._messages = FallbackStorage(made)  # type: ignore[attr-defined]
    return made


def test_the_tag_is_the_same_while_nothing_changes(run: Run) -> None:
    tag = etag(request(), run)
    assert tag is not None
    assert tag.startswith('"')
    assert tag.endswith('"')
    assert etag(request(), Run.objects.get(pk=run.pk)) == tag


def test_users_addresses_parts_and_other_data_have_tags_of_their_own(run: Run, admin_user: User) -> None:
    clerk = User.objects.create_user("clerk")
    tags = [
        etag(request(), run),
        etag(request(user=clerk), run),
        etag(request(user=admin_user), run),
        etag(request("/runs/1/?step=2"), run),
        etag(request(headers={"X-Partial": "outline"}), run),
        etag(request(), run, more=["problem"]),
    ]
    assert len(set(tags)) == len(tags)


def _rename_agent(run: Run) -> None:
    run.agent.name = "Alice the second"


def _rename_task(run: Run) -> None:
    run.task.title = "Tide and time"


def _rename_repository(run: Run) -> None:
    run.task.repository.title = "Quay"


def _rename_evaluation(run: Run) -> None:
    run.evaluation.title = "Neap"


def _settle_again(run: Run) -> None:
    run.tests_passed = 1


def _write(run: Run) -> None:
    with (run.path / "trajectory.jsonl").open("a") as file:
        file.write("\n")


@pytest.mark.parametrize(
    "change", [_rename_agent, _rename_task, _rename_repository, _rename_evaluation, _settle_again, _write]
)
def test_the_tag_changes_with_what_a_page_shows(run: Run, change: Callable[[Run], None]) -> None:
    before = etag(request(), run)
    change(run)
    assert etag(request(), run) != before


@pytest.mark.parametrize("state", Run.OPEN)
def test_a_run_that_goes_on_has_no_tag(run: Run, state: str) -> None:
    run.state = state
    assert etag(request(), run) is None


def test_a_page_with_a_message_has_no_tag(run: Run) -> None:
    page = request()
    messages.info(page, "Queued again.")
    assert etag(page, run) is None


def test_a_current_copy_gets_304() -> None:
    page = request(headers={"If-None-Match": '"a"'})
    unchanged = not_modified(page, '"a"')
    assert unchanged is not None
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert not_modified(page, '"b"') is None
    assert not_modified(page, None) is None
    assert cached_response(page, None) is None


def test_without_a_tag_nothing_may_be_stored() -> None:
    response = with_cache_headers(HttpResponse("x"), None)
    assert (response["Cache-Control"], response["Vary"]) == ("no-store", "X-Partial")
    assert "ETag" not in response


def test_with_a_tag_it_is_requested_again_each_time() -> None:
    response = with_cache_headers(HttpResponse("x", headers={"Vary": "Cookie"}), '"a"')
    assert (response["ETag"], response["Cache-Control"]) == ('"a"', "private, no-cache")
    assert response["Vary"] == "Cookie, X-Partial"


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_a_cached_page_is_sent_to_the_next_anonymous_reader(redis: RedisServer, run: Run) -> None:
    tag = etag(request(), run)
    assert cached_response(request(), tag) is None

    sent = cache_response(request(), HttpResponse("the page"), tag)
    copy = cached_response(request(), tag)
    signed_in = request()
    signed_in.COOKIES[settings.SESSION_COOKIE_NAME] = "someone"

    assert copy is not None
    assert cached_response(signed_in, tag) is None
    assert (copy.content, copy["ETag"], copy["Cache-Control"]) == (sent.content, tag, "private, no-cache")
    assert copy.content == b"the page"


def test_a_page_without_a_tag_is_not_cached() -> None:
    assert cache_response(request(), HttpResponse("x"), None)["Cache-Control"] == "no-store"
