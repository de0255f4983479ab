"""Public pages are cached until anything changes that they show."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from itertools import cycle, islice

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from runs.data.cache import page_cache
from runs.data.cache.store import STORE, Slots
from runs.models import Agent, Evaluation, LanguageModel, Run
from runs.operations.evaluations.lifecycle import cancel_evaluation, retry_infrastructure_failures, set_listed
from runs.reporting.topics.registry import BY_SLUG
from tasks.loading import hide
from tests.conftest import RedisServer
from tests.runs.cast import Cast, record
from tests.site.kinds import KINDS
from tests.site.world import World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]

# groups of cells; datasets, reports and agents of the boards; agents with their models; evaluations
VERSION_QUERIES = 5
ADDRESS = "/"


@pytest.fixture
def cast(redis: RedisServer) -> Cast:
    """Alice has resolved a task, and Redis runs."""
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()
    return cast


class Counter:
    """A view whose response is the number of its calls."""

    def __init__(
        self, response: Callable[[int], HttpResponse] = lambda times: HttpResponse(str(times))
    ) -> None:
        self.times = 0
        self._response = response

    def __call__(self, _request: HttpRequest) -> HttpResponse:
        self.times += 1
        return self._response(self.times)


def get(view: Counter, address: str = ADDRESS, **headers: str) -> HttpResponse:
    """The response of the cached view."""
    response = page_cache.cached_page(view)(RequestFactory().get(address, headers=headers))
    assert isinstance(response, HttpResponse)
    return response


def test_a_cached_page_is_not_rendered_again(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = client.get(ADDRESS)
    with django_assert_num_queries(VERSION_QUERIES):
        second = client.get(ADDRESS)
    assert first.content == second.content
    assert b"Alice" in second.content
    assert second.headers["Content-Type"] == first.headers["Content-Type"]
    assert "default-src 'self'" in second.headers["Content-Security-Policy"]


def test_a_current_etag_gets_304(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tag = client.get(ADDRESS).headers["ETag"]
    with django_assert_num_queries(VERSION_QUERIES):
        response = client.get(ADDRESS, headers={"If-None-Match": f'"other", {tag}'})
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["ETag"] == tag
    assert response.headers["Cache-Control"] == "no-cache"
    assert {"Cookie", "X-Partial", "Accept-Encoding"} <= set(response.headers["Vary"].split(", "))


def settle_another(cast: Cast) -> None:
    cast.add_run(Agent.objects.get(), cast.repository.tasks.get(), 2, passed=0)
    cast.settle()


def load_again(cast: Cast) -> None:
    cast.dataset.revision += 1
    cast.dataset.save()


CHANGES: dict[str, Callable[[Cast], object]] = {
    "a run settles": settle_another,
    "an evaluation is no longer listed": lambda cast: set_listed(cast.evaluation, False),
    "a dataset is loaded": load_again,
    "an agent is renamed": lambda cast: Agent.objects.update(name="Alicia"),
    "an agent is added": lambda cast: cast.bob(),
    "a model is renamed": lambda cast: LanguageModel.objects.update(name="Difference"),
    "a price is entered": lambda cast: LanguageModel.objects.update(input_price=5.0),
    "an evaluation is renamed": lambda cast: Evaluation.objects.update(title="Neap tide"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_renders_the_page_once_more(cast: Cast, change: str) -> None:
    view = Counter()
    tag = get(view).headers["ETag"]
    CHANGES[change](cast)
    response = get(view, if_none_match=tag)
    assert (response.content, response.headers["ETag"] == tag) == (b"2", False)
    assert get(view).content == b"2"


def test_a_page_of_some_results_is_rendered_again_when_those_or_names_change(cast: Cast) -> None:
    view, version = Counter(), ["first"]

    def content() -> bytes:
        page = page_cache.cached_page(view, results=lambda _: version[0])
        response = page(RequestFactory().get(ADDRESS))
        assert isinstance(response, HttpResponse)
        return response.content

    assert content() == b"1"
    settle_another(cast)
    assert content() == b"1"
    version[0] = "second"
    assert content() == b"2"
    Agent.objects.update(name="Alicia")
    assert content() == b"3"


def test_new_code_renders_again(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    view = Counter()
    get(view)
    monkeypatch.setattr(page_cache, "code_version", lambda: "another")
    assert get(view).content == b"2"


def test_pages_differ_by_parameters_and_part(cast: Cast) -> None:
    view = Counter()
    assert get(view, "/?a=1&b=2").content == get(view, "/?b=2&a=1").content == b"1"
    assert get(view, "/?a=1&b=3").content == b"2"
    assert get(view, "/?a=1&b=2", x_partial="table").content == b"3"
    assert get(view, "/?a=1&a=2").content == b"4"
    assert get(view, "/?a=2&a=1").content == b"5"


def test_two_pages_in_one_slot_are_not_confused(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "_pages", Slots("page", 1))
    one, two = Counter(lambda _: HttpResponse("one")), Counter(lambda _: HttpResponse("two"))
    assert [get(one, "/1").content, get(two, "/2").content, get(one, "/1").content] == [
        b"one",
        b"two",
        b"one",
    ]
    assert (one.times, two.times) == (2, 1)


def test_a_session_or_a_message_gets_a_page_of_its_own(client: Client, cast: Cast) -> None:
    anonymous = client.get(ADDRESS)
    client.force_login(User.objects.create_superuser("operator"))
    response = client.get(ADDRESS, headers={"If-None-Match": anonymous.headers["ETag"]})
    assert response.status_code == 200
    assert b"Operate" in response.content
    assert "ETag" not in response.headers
    client.logout()
    assert client.get(ADDRESS).content == anonymous.content
    client.cookies["messages"] = "something"
    assert "ETag" not in client.get(ADDRESS).headers


def _with_cookie(_: int) -> HttpResponse:
    response = HttpResponse("once")
    response.set_cookie("name", "value")
    return response


@pytest.mark.parametrize(
    "response",
    [
        _with_cookie,
        lambda _: HttpResponse("gone", status=404),
        lambda _: HttpResponse("no", status=400),
        lambda _: HttpResponse("for you", headers={"Vary": "User-Agent"}),
    ],
)
def test_a_personal_or_failed_response_is_not_cached(
    cast: Cast, response: Callable[[int], HttpResponse]
) -> None:
    view = Counter(response)
    responses = [get(view), get(view)]
    assert view.times == 2
    assert not any(response.has_header("ETag") for response in responses)


def test_a_page_with_a_csrf_token_is_not_cached(cast: Cast) -> None:
    tokens = []

    def view(request: HttpRequest) -> HttpResponse:
        tokens.append(get_token(request))
        return HttpResponse(tokens[-1])

    for _ in range(2):
        page_cache.cached_page(view)(RequestFactory().get(ADDRESS))
    assert len(tokens) == 2


def test_a_transaction_neither_reads_nor_stores_pages(cast: Cast) -> None:
    view = Counter()
    get(view)
    with transaction.atomic():
        assert get(view).content == b"2"
    assert get(view).content == b"1"


def test_a_page_is_stored_compressed_and_sent_as_accepted(cast: Cast) -> None:
    view = Counter(lambda _: HttpResponse("tide " * 1000))
    packed = get(view, accept_encoding="gzip, br")
    plain = get(view)
    assert view.times == 1
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert not plain.has_header("Content-Encoding")
    assert len(packed.content) < 200


def test_a_page_that_is_too_long_is_not_cached(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "MAX_BYTES", 10)
    view = Counter(lambda times: HttpResponse("tide " * 1000 + str(times)))
    assert [get(view).content[-1:], get(view).content[-1:]] == [b"1", b"2"]


def test_without_redis_pages_are_rendered_and_etags_still_hold(cast: Cast, redis: RedisServer) -> None:
    view = Counter()
    redis.stop()
    try:
        tag = get(view).headers["ETag"]
        assert get(view).content == b"2"
        assert get(view, if_none_match=tag).status_code == 304
    finally:
        redis.start()


def test_a_slot_with_something_else_is_overwritten(cast: Cast) -> None:
    view = Counter()
    get(view)
    store = caches[STORE]
    (key,) = list(store.client.scan_iter("*page/*"))  # type: ignore[attr-defined]
    store.set(key.decode().removeprefix(store.make_key("")), ("something else",))
    assert [get(view).content, get(view).content] == [b"2", b"2"]


def test_a_cached_page_expires(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "_pages", Slots("page", 1, seconds=1))
    view = Counter()
    get(view)
    time.sleep(1.1)
    assert get(view).content == b"2"


def test_a_finished_replay_is_rendered_once_for_all_readers(client: Client, cast: Cast) -> None:
    (run,) = Run.objects.all()
    record(run)
    address = run.get_absolute_url()
    with CaptureQueriesContext(connection) as rendered:
        first = client.get(address)
    with CaptureQueriesContext(connection) as copied:
        second = client.get(address)
    assert first.content == second.content
    assert len(copied) < len(rendered)
    assert client.get(address, headers={"If-None-Match": second.headers["ETag"]}).status_code == 304
    Agent.objects.update(name="Alicia")
    assert b"Alicia" in client.get(address).content
    client.force_login(User.objects.create_superuser("operator"))
    assert b"Operate" in client.get(address).content


def settled_page(address: str) -> bytes:
    """The page once no analysis on it is pending, as it may be on a busy machine."""
    deadline = time.monotonic() + 60
    while b"data-live" in (page := Client().get(address).content):
        assert time.monotonic() < deadline, address
    return page


TOPIC_PAGES = [kind for kind in KINDS if kind.name.removeprefix("analysis-") in BY_SLUG]


def test_no_change_leaves_an_old_page(redis: RedisServer) -> None:
    with transaction.atomic():
        world = World()
    cached_kinds = [kind for kind in KINDS if Client().get(kind.address(world)).has_header("ETag")]
    assert {"leaderboard", "repository", "task", "agent", "near-misses"} <= {
        kind.name for kind in cached_kinds
    }
    changes: list[Callable[[], object]] = [
        lambda: set_listed(world.cast.evaluation, False),
        lambda: set_listed(world.cast.evaluation, True),
        lambda: Agent.objects.filter(slug="alice").update(name="Alicia"),
        lambda: Run.objects.filter(pk=world.acting.pk).update(state=Run.State.GRADING),
        lambda: retry_infrastructure_failures(world.cast.evaluation),
        lambda: cancel_evaluation(world.flood),
        lambda: hide(world.cast.dataset, hidden=True),
        lambda: hide(world.cast.dataset, hidden=False),
        world.flood.delete,
    ]
    others = [kind for kind in cached_kinds if kind not in TOPIC_PAGES]
    # All topics have one view, and the list, which is among the others, has a line of each: three at a time are enough.
    topics = cycle(kind for kind in cached_kinds if kind in TOPIC_PAGES)
    for number, change in enumerate(changes):
        change()
        for kind in (*islice(topics, 3), *others):
            address = kind.address(world)
            if kind.name.startswith("analysis"):
                settled_page(address)
            shown = Client().get(address)
            with transaction.atomic():  # renders it
                fresh = Client().get(address)
            assert (shown.status_code, shown.content) == (fresh.status_code, fresh.content), (
                number,
                kind.name,
            )


def test_no_store_is_not_cached(cast: Cast) -> None:
    view = Counter(lambda times: HttpResponse(str(times), headers={"Cache-Control": "no-store"}))

    responses = [get(view) for _ in range(2)]

    assert [response.content for response in responses] == [b"1", b"2"]
    assert "ETag" not in responses[0]


def test_the_etag_tells_nothing_of_hidden_evaluations(cast: Cast) -> None:
    alice = Agent.objects.get()
    before = page_cache.shown_version()
    evaluation = cast.add_evaluation("secret", "Secret")
    cast.add_run(alice, cast.add_hidden_task(), evaluation=evaluation)
    assert page_cache.shown_version() == before
    evaluation.title = "Another secret"
    evaluation.save()
    assert page_cache.shown_version() == before
