"""Results are cached as long as their data and their code stay the same."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from runs.analysis.estimate import Estimate
from runs.data.cache import redis_backend, results, signed_pickle, store
from runs.data.cache.reading_once import reading_once
from runs.data.cache.results import cached, data_version
from runs.data.cache.store import STORE
from runs.data.cells.recompute import recompute_cells
from runs.models import Cell, CellGroup
from runs.operations.evaluations.lifecycle import set_listed
from runs.work.execution.settling import settle
from tasks.loading import hide, load
from tests.conftest import RedisServer
from tests.runs.cast import Cast
from tests.runs.tiny import Tiny, claimed, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


class Computation:
    """Returns how often it was called."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.times = 0
        self._seconds = seconds

    def __call__(self) -> Estimate:
        time.sleep(self._seconds)
        self.times += 1
        return Estimate(self.times / 8, self.times)


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a running Redis."""
    return Tiny(tmp_path)


@pytest.fixture(autouse=True)
def no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """No failure of Redis remains from another test."""
    monkeypatch.setattr(store, "_trouble", "")
    monkeypatch.setattr(redis_backend, "_paused_until", 0.0)


def in_threads(work: Callable[[], Estimate], times: int) -> list[Estimate]:
    """The results of simultaneous calls in threads."""
    gate = threading.Barrier(times)

    def begin(_: int) -> Estimate:
        try:
            gate.wait(10)
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(begin, range(times)))


def test_a_result_is_computed_once(tiny: Tiny) -> None:
    compute = Computation()
    assert [cached("rates", "all", compute) for _ in range(3)] == [Estimate(0.125, 1)] * 3
    assert compute.times == 1
    cached("rates", "one", compute)
    cached("costs", "all", compute)
    assert compute.times == 3


def test_a_page_reads_the_version_once(tiny: Tiny) -> None:
    run = tiny.start().runs.get()
    with reading_once():
        before = data_version()
        settle(claimed(run), 1, summary_of(run))
        with CaptureQueriesContext(connection) as queries:
            assert data_version() == before
        assert len(queries) == 0
        assert data_version(Cell.rows.all()) != before
    assert data_version() != before


def test_a_result_of_some_cells_stays_cached_when_others_change(tiny: Tiny) -> None:
    computes = {agent: Computation() for agent in (tiny.null, tiny.oracle)}

    def times() -> list[int]:
        for agent, compute in computes.items():
            cells = Cell.rows.filter(agent=agent)
            cached("rates", agent.slug, compute, lambda cells=cells: data_version(cells))  # type: ignore[misc]
        return [compute.times for compute in computes.values()]

    assert times() == times() == [1, 1]
    (run,) = tiny.start(agents=[tiny.oracle]).runs.all()
    settle(claimed(run), 1, summary_of(run))
    assert times() == [1, 2]


def test_a_process_keeps_a_shared_result_and_drops_those_that_nobody_reads(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MAX_SHARED", 2)
    versions = iter(["first", "first", "second"])

    def read(scope: str, version: str = "same") -> object:
        return cached("list", scope, object, lambda: version, shared=True)

    first = read("a", next(versions))
    assert read("a", next(versions)) is first
    assert read("a", next(versions)) is not first

    known = {scope: read(scope) for scope in "abc"}
    assert read("b") is known["b"]
    assert read("c") is known["c"]
    assert read("a") is not known["a"]


def test_in_a_transaction_nothing_is_shared(tiny: Tiny) -> None:
    with transaction.atomic():
        assert cached("list", "all", object, shared=True) is not cached("list", "all", object, shared=True)


def test_none_is_a_result(tiny: Tiny) -> None:
    times = []
    for _ in range(2):
        assert cached("nothing", "all", lambda: times.append(1)) is None
    assert times == [1]


def test_settled_runs_listings_and_loaded_datasets_make_a_result_old(tiny: Tiny, tmp_path: Path) -> None:
    compute = Computation()
    evaluation = tiny.start(attempts=2)
    first, second = evaluation.runs.order_by("attempt")
    changes: list[Callable[[], object]] = [
        lambda: settle(claimed(first), 1, summary_of(first)),
        lambda: settle(claimed(second), 1, summary_of(second)),
        lambda: set_listed(evaluation, False),
        lambda: set_listed(evaluation, True),
        lambda: load(Path(tiny.task.repository.dataset.directory)),
        evaluation.delete,
    ]
    for number, change in enumerate(changes, 1):
        cached("rates", "all", compute)
        assert compute.times == number
        change()
    cached("rates", "all", compute)
    assert compute.times == len(changes) + 1


def test_a_run_that_is_not_listed_changes_the_version_too(tiny: Tiny) -> None:
    evaluation = tiny.start()
    set_listed(evaluation, False)
    before = data_version()
    run = claimed(evaluation.runs.get())
    settle(run, 1, summary_of(run))
    assert data_version() != before
    assert not Cell.objects.exists()


def test_a_transaction_that_ends_late_changes_the_version(tiny: Tiny) -> None:
    """It began first and its times are older, but its data come last: on SQLite it waits, elsewhere it ends last."""
    evaluation = tiny.start(agents=[tiny.null, tiny.oracle])
    slow, fast = (claimed(run) for run in evaluation.runs.order_by("agent__slug"))
    settle(slow, 1, summary_of(slow))
    began, end = threading.Event(), threading.Event()

    def recount_slowly() -> None:
        try:
            with transaction.atomic():
                recompute_cells([(slow.agent_id, slow.task_id)])
                began.set()
                end.wait(10)
        finally:
            connection.close()

    thread = threading.Thread(target=recount_slowly)
    thread.start()
    assert began.wait(10)
    if connection.vendor == "sqlite":
        end.set()
    settle(fast, 1, summary_of(fast))
    between = data_version()
    end.set()
    thread.join()
    assert (data_version() != between) == (connection.vendor != "sqlite")


def test_every_recounted_cell_changes_the_version(tiny: Tiny) -> None:
    evaluation = tiny.start(agents=[tiny.null, tiny.oracle])
    for run in evaluation.runs.all():
        settle(claimed(run), 1, summary_of(run))
    often, seldom = Cell.objects.order_by("pk")
    CellGroup.objects.filter(agent=often.agent).update(revision=F("revision") + 10)
    before = data_version()
    with transaction.atomic():
        recompute_cells([(seldom.agent_id, seldom.task_id)])
    assert data_version() != before


def test_a_result_of_a_rolled_back_transaction_is_not_cached(tiny: Tiny) -> None:
    evaluation = tiny.start()
    run = claimed(evaluation.runs.get())
    settle(run, 1, summary_of(run))

    def attempts() -> int:
        return sum(cell.attempts for cell in Cell.objects.all())

    assert cached("attempts", "all", attempts) == 1
    with transaction.atomic():
        set_listed(evaluation, False)
        assert cached("attempts", "all", attempts) == 0
        transaction.set_rollback(True)
    assert cached("attempts", "all", attempts) == 1
    # The version is now what it was in the transaction that never ended, with other data.
    with transaction.atomic():
        recompute_cells([(run.agent_id, run.task_id)])
    assert cached("attempts", "all", attempts) == 1


def test_nothing_is_cached_while_a_dataset_is_loaded(tiny: Tiny) -> None:
    compute = Computation()
    with transaction.atomic():
        load(Path(tiny.task.repository.dataset.directory))
        assert [cached("rates", "all", compute).n for _ in range(2)] == [1, 2]


def test_a_transaction_neither_reads_nor_stores_results(tiny: Tiny) -> None:
    compute = Computation()
    with transaction.atomic():
        assert [cached("rates", "all", compute).n for _ in range(2)] == [1, 2]
    assert [cached("rates", "all", compute).n for _ in range(2)] == [3, 3]
    with transaction.atomic():
        assert cached("rates", "all", compute).n == 4


def test_new_code_computes_again(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    compute = Computation()
    cached("rates", "all", compute)
    monkeypatch.setattr(signed_pickle, "source_digest", lambda: "another")
    cached("rates", "all", compute)
    assert compute.times == 2


def test_a_cached_read_logs_that_redis_works_again(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "runs.data.cache.store")
    cached("rates", "all", Computation())
    monkeypatch.setattr(store, "_trouble", "it went away")
    cached("rates", "all", Computation())
    assert caplog.messages == ["Redis stores results again"]


def test_one_of_many_callers_computes(tiny: Tiny) -> None:
    compute = Computation(seconds=0.3)
    assert in_threads(lambda: cached("rates", "all", compute), 10) == [Estimate(0.125, 1)] * 10
    assert compute.times == 1


def test_callers_wait_no_longer_than_the_lock_lasts(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "LOCK_SECONDS", 1)
    compute = Computation(seconds=1.5)
    found = in_threads(lambda: cached("rates", "all", compute), 3)
    assert len(found) == 3
    assert compute.times == 3


def test_an_error_is_not_cached_and_releases_the_lock(tiny: Tiny) -> None:
    def fail() -> Estimate:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cached("rates", "all", fail)
    began = time.monotonic()
    assert cached("rates", "all", Computation()) == Estimate(0.125, 1)
    assert time.monotonic() - began < 5


def test_an_unreadable_value_is_computed_again(tiny: Tiny, redis: RedisServer) -> None:
    compute = Computation()
    cached("rates", "all", compute)
    (key,) = list(caches[STORE].client.scan_iter("*rates*"))  # type: ignore[attr-defined]
    caches[STORE].client.set(key, b"\x80\x05not a pickle")  # type: ignore[attr-defined]
    cached("rates", "all", compute)
    assert compute.times == 2


@pytest.mark.parametrize("stored", ["rates", ("one", "two"), []])
def test_a_stored_value_of_another_form_is_computed_again(tiny: Tiny, stored: object) -> None:
    compute = Computation()
    cached("rates", "all", compute)
    redis = caches[STORE]
    (key,) = list(redis.client.scan_iter("*rates*"))  # type: ignore[attr-defined]
    redis.set(key.decode().removeprefix(redis.make_key("")), stored)
    assert cached("rates", "all", compute) == Estimate(0.25, 2)


# What a pickle can do as it is read: run a command, take all memory, or fail in its own way.
FOREIGN = (
    b"cos\nsystem\n(S'touch %s'\ntR.",
    b"\x8e\xff\xff\xff\xff\xff\xff\xff\x0f",
    b"coperator\ngetitem\n(]K\x05tR.",
    b"N)R.",
    b"7",
    b"",
)


@pytest.mark.parametrize("foreign", FOREIGN)
def test_foreign_bytes_are_replaced_without_being_unpickled(
    tiny: Tiny, tmp_path: Path, foreign: bytes
) -> None:
    done = tmp_path / "done"
    redis = caches[STORE].client  # type: ignore[attr-defined]
    compute = Computation()
    cached("rates", "all", compute)
    (key,) = list(redis.scan_iter("*rates*"))
    redis.set(key, foreign.replace(b"%s", str(done).encode()))
    cached("rates", "all", compute)
    cached("rates", "all", compute)
    assert compute.times == 2
    assert not done.exists()


def test_foreign_bytes_in_place_of_the_lock_do_no_harm(tiny: Tiny) -> None:
    redis = caches[STORE].client  # type: ignore[attr-defined]

    def compute() -> str:
        (key,) = list(redis.scan_iter("*rates*"))
        redis.set(key, b"coperator\ngetitem\n(]K\x05tR.")
        return "done"

    assert [cached("rates", "all", compute) for _ in range(2)] == ["done"] * 2


def test_a_new_secret_key_computes_again(tiny: Tiny, settings: Any) -> None:
    compute = Computation()
    cached("rates", "all", compute)
    settings.SECRET_KEY = "another"
    cached("rates", "all", compute)
    cached("rates", "all", compute)
    assert compute.times == 2


def test_without_redis_results_are_computed_and_the_log_says_so_once(
    tiny: Tiny, redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "runs.data.cache.store")
    compute = Computation()
    redis.stop()
    try:
        assert [cached("rates", "all", compute).n for _ in range(3)] == [1, 2, 3]
    finally:
        redis.start()
    cached("rates", "all", compute)
    cached("rates", "all", compute)
    assert compute.times == 4
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "Redis does not store results" in caplog.messages[0]


def test_a_result_is_returned_when_redis_stops_meanwhile(
    tiny: Tiny, redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "runs.data.cache.store")

    def compute() -> str:
        redis.stop()
        return "done"

    try:
        assert cached("rates", "all", compute) == "done"
    finally:
        redis.start()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert cached("rates", "one", lambda: "done again") == "done again"
    assert caplog.messages[1:] == ["Redis stores results again"]


def test_the_version_of_the_data_tells_nothing_of_hidden_datasets(tiny: Tiny) -> None:
    cast = Cast()
    hidden = cast.add_hidden_task()
    before = data_version()
    assert re.fullmatch("[0-9a-f]{24}", before)

    cast.add_cell(cast.add_agent("Odd"), hidden, [5])
    cast.settle()
    assert data_version() == before

    hide(hidden.repository.dataset, hidden=False)
    opened = data_version()
    hide(hidden.repository.dataset, hidden=True)
    assert len({before, opened, data_version()}) == 3


def test_a_dataset_that_is_hidden_from_the_beginning_changes_no_version(tiny: Tiny) -> None:
    cast = Cast()
    before = data_version()
    task = cast.add_hidden_task()
    hide(task.repository.dataset, hidden=True)
    assert data_version() == before
