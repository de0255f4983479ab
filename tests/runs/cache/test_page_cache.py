"""Public pages are kept until anything changes that they show."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from runs.cache import page_cache
from runs.cache.store import STORE, Slots
from runs.evaluations.lifecycle import cancel_evaluation, retry_infrastructure_failures, set_listed
from runs.models import Agent, Evaluation, LanguageModel, Run
from tasks.loading import hide
from tests.conftest import RedisServer
from tests.runs.cast import Cast, record
from tests.site.kinds import KINDS
from tests.site.world import World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]

VERSION_QUERIES = 3  # cells and datasets, agents with their models, evaluations
ADDRESS = "/"


@pytest.fixture
def cast(redis: RedisServer) -> Cast:
    """Alice has solved a task, and Redis answers."""
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()
    return cast


class Counter:
    """A view that says how often it was asked."""

    def __init__(
        self, answer: Callable[[int], HttpResponse] = lambda times: HttpResponse(str(times))
    ) -> None:
        self.times = 0
        self._answer = answer

    def __call__(self, _request: HttpRequest) -> HttpResponse:
        self.times += 1
        return self._answer(self.times)


def get(view: Counter, address: str = ADDRESS, **headers: str) -> HttpResponse:
    """What `kept` makes of the view's answer."""
    answer = page_cache.cached_page(view)(RequestFactory().get(address, headers=headers))
    assert isinstance(answer, HttpResponse)
    return answer


def test_what_was_rendered_is_not_rendered_again(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = client.get(ADDRESS)
    with django_assert_num_queries(VERSION_QUERIES):
        second = client.get(ADDRESS)
    assert first.content == second.content
    assert b"Alice" in second.content
    assert second.headers["Content-Type"] == first.headers["Content-Type"]
    assert "default-src 'self'" in second.headers["Content-Security-Policy"]


def test_who_has_the_version_is_told_so(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tag = client.get(ADDRESS).headers["ETag"]
    with django_assert_num_queries(VERSION_QUERIES):
        answer = client.get(ADDRESS, headers={"If-None-Match": f'"other", {tag}'})
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["ETag"] == tag
    assert answer.headers["Cache-Control"] == "no-cache"
    assert {"Cookie", "X-Partial", "Accept-Encoding"} <= set(answer.headers["Vary"].split(", "))


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
def test_it_is_made_anew_once(cast: Cast, change: str) -> None:
    view = Counter()
    tag = get(view).headers["ETag"]
    CHANGES[change](cast)
    answer = get(view, if_none_match=tag)
    assert (answer.content, answer.headers["ETag"] == tag) == (b"2", False)
    assert get(view).content == b"2"


def test_new_code_shows_no_old_page(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    view = Counter()
    get(view)
    monkeypatch.setattr(page_cache, "code_version", lambda: "another")
    assert get(view).content == b"2"


def test_an_address_is_its_values_and_its_part(cast: Cast) -> None:
    view = Counter()
    assert get(view, "/?a=1&b=2").content == get(view, "/?b=2&a=1").content == b"1"
    assert get(view, "/?a=1&b=3").content == b"2"
    assert get(view, "/?a=1&b=2", x_partial="table").content == b"3"
    assert get(view, "/?a=1&a=2").content == b"4"
    assert get(view, "/?a=2&a=1").content == b"5"


def test_of_two_pages_in_one_slot_each_is_shown_as_itself(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "_pages", Slots("page", 1))
    one, two = Counter(lambda _: HttpResponse("one")), Counter(lambda _: HttpResponse("two"))
    assert [get(one, "/1").content, get(two, "/2").content, get(one, "/1").content] == [
        b"one",
        b"two",
        b"one",
    ]
    assert (one.times, two.times) == (2, 1)


def test_who_is_signed_in_or_was_told_something_gets_a_page_of_their_own(client: Client, cast: Cast) -> None:
    anonymous = client.get(ADDRESS)
    client.force_login(User.objects.create_superuser("operator"))
    answer = client.get(ADDRESS, headers={"If-None-Match": anonymous.headers["ETag"]})
    assert answer.status_code == 200
    assert b"Admin" in answer.content
    assert "ETag" not in answer.headers
    client.logout()
    assert client.get(ADDRESS).content == anonymous.content
    client.cookies["messages"] = "something"
    assert "ETag" not in client.get(ADDRESS).headers


def _with_cookie(_: int) -> HttpResponse:
    answer = HttpResponse("once")
    answer.set_cookie("name", "value")
    return answer


@pytest.mark.parametrize(
    "answer",
    [
        _with_cookie,
        lambda _: HttpResponse("gone", status=404),
        lambda _: HttpResponse("no", status=400),
        lambda _: HttpResponse("for you", headers={"Vary": "User-Agent"}),
    ],
)
def test_what_is_for_one_reader_alone_is_not_kept(cast: Cast, answer: Callable[[int], HttpResponse]) -> None:
    view = Counter(answer)
    answers = [get(view), get(view)]
    assert view.times == 2
    assert not any(answer.has_header("ETag") for answer in answers)


def test_a_page_with_a_token_is_not_kept(cast: Cast) -> None:
    tokens = []

    def view(request: HttpRequest) -> HttpResponse:
        tokens.append(get_token(request))
        return HttpResponse(tokens[-1])

    for _ in range(2):
        page_cache.cached_page(view)(RequestFactory().get(ADDRESS))
    assert len(tokens) == 2


def test_a_transaction_neither_shows_nor_keeps(cast: Cast) -> None:
    view = Counter()
    get(view)
    with transaction.atomic():
        assert get(view).content == b"2"
    assert get(view).content == b"1"


def test_it_is_kept_compressed_and_given_as_it_is_asked_for(cast: Cast) -> None:
    view = Counter(lambda _: HttpResponse("tide " * 1000))
    packed = get(view, accept_encoding="gzip, br")
    plain = get(view)
    assert view.times == 1
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert not plain.has_header("Content-Encoding")
    assert len(packed.content) < 200


def test_a_page_that_is_too_long_is_given_but_not_kept(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "MOST_BYTES", 10)
    view = Counter(lambda times: HttpResponse("tide " * 1000 + str(times)))
    assert [get(view).content[-1:], get(view).content[-1:]] == [b"1", b"2"]


def test_without_redis_pages_are_made_anew_and_their_versions_still_hold(
    cast: Cast, redis: RedisServer
) -> None:
    view = Counter()
    redis.stop()
    try:
        tag = get(view).headers["ETag"]
        assert get(view).content == b"2"
        assert get(view, if_none_match=tag).status_code == 304
    finally:
        redis.start()


def test_what_lies_in_a_slot_and_is_no_page_is_overwritten(cast: Cast) -> None:
    view = Counter()
    get(view)
    store = caches[STORE]
    (key,) = list(store.client.scan_iter("*page/*"))  # type: ignore[attr-defined]
    store.set(key.decode().removeprefix(store.make_key("")), ("something else",))
    assert [get(view).content, get(view).content] == [b"2", b"2"]


def test_a_kept_page_runs_out(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "_pages", Slots("page", 1, seconds=1))
    view = Counter()
    get(view)
    time.sleep(1.1)
    assert get(view).content == b"2"


def test_a_replay_that_is_over_is_made_once_for_all_readers(client: Client, cast: Cast) -> None:
    (run,) = Run.objects.all()
    record(run)
    address = run.get_absolute_url()
    with CaptureQueriesContext(connection) as anew:
        first = client.get(address)
    with CaptureQueriesContext(connection) as copied:
        second = client.get(address)
    assert first.content == second.content
    assert len(copied) < len(anew)
    assert client.get(address, headers={"If-None-Match": second.headers["ETag"]}).status_code == 304
    Agent.objects.update(name="Alicia")
    assert b"Alicia" in client.get(address).content
    client.force_login(User.objects.create_superuser("operator"))
    assert b"Admin" in client.get(address).content


def answered(address: str) -> bytes:
    """The page once it does not say any more that answers are on their way, as it does on a busy machine."""
    deadline = time.monotonic() + 60
    while b"data-live" in (page := Client().get(address).content):
        assert time.monotonic() < deadline, address
    return page


def test_whatever_changes_no_kept_page_is_old(redis: RedisServer) -> None:
    with transaction.atomic():
        world = World()
    kept_kinds = [kind for kind in KINDS if Client().get(kind.address(world)).has_header("ETag")]
    assert {"leaderboard", "repository", "task", "agent", "near-misses"} <= {kind.name for kind in kept_kinds}
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
    for number, change in enumerate(changes):
        change()
        for kind in kept_kinds:
            address = kind.address(world)
            if kind.name.startswith("analysis"):
                answered(address)
            shown = Client().get(address)
            with transaction.atomic():  # makes it anew
                fresh = Client().get(address)
            assert (shown.status_code, shown.content) == (fresh.status_code, fresh.content), (
                number,
                kind.name,
            )


def test_what_says_so_is_never_kept(cast: Cast) -> None:
    view = Counter(lambda times: HttpResponse(str(times), headers={"Cache-Control": "no-store"}))

    answers = [get(view) for _ in range(2)]

    assert [answer.content for answer in answers] == [b"1", b"2"]
    assert "ETag" not in answers[0]
