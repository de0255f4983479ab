"""Results are kept as long as their data and their code stay the same."""

from __future__ import annotations

import gc
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
from django.test.utils import CaptureQueriesContext

from runs import analysis
from runs.analysis.estimate import Estimate
from runs.cache import redis_backend, results
from runs.cache.results import cached, data_version, one_version
from runs.cells.recompute import recompute_cells
from runs.evaluations.lifecycle import set_listed
from runs.execution.settling import settle
from runs.models import Cell
from tasks.loading import load
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, claimed, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


class Computation:
    """Counts how often it was made."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.times = 0
        self._seconds = seconds

    def __call__(self) -> Estimate:
        time.sleep(self._seconds)
        self.times += 1
        return Estimate(self.times / 8, self.times)


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that answers."""
    return Tiny(tmp_path)


@pytest.fixture(autouse=True)
def untroubled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of other tests' Redis is forgotten."""
    monkeypatch.setattr(results, "_trouble", "")
    monkeypatch.setattr(redis_backend, "_rests_until", 0.0)


def in_threads(work: Callable[[], Estimate], times: int) -> list[Estimate]:
    """What each gives, all begun at once."""
    gate = threading.Barrier(times)

    def begin(_: int) -> Estimate:
        try:
            gate.wait(10)
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(begin, range(times)))


def test_what_was_computed_is_not_computed_again(tiny: Tiny) -> None:
    compute = Computation()
    assert [cached("rates", "all", compute) for _ in range(3)] == [Estimate(0.125, 1)] * 3
    assert compute.times == 1
    cached("rates", "one", compute)
    cached("costs", "all", compute)
    assert compute.times == 3


def test_within_one_reading_the_version_is_that_of_the_first_look(tiny: Tiny) -> None:
    run = tiny.start().runs.get()
    with one_version():
        before = data_version()
        settle(claimed(run), 1, summary_of(run))
        with CaptureQueriesContext(connection) as asked:
            assert data_version() == before
        assert len(asked) == 0
        assert data_version(Cell.rows.all()) != before
    assert data_version() != before


def test_a_redis_that_hangs_holds_up_one_reader_and_is_asked_again_later(
    tiny: Tiny, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_backend, "REST_SECONDS", 3.0)
    compute = Computation()
    cached("rates", "all", compute)
    with redis.hanging():
        waited = []
        for _ in range(3):
            began = time.monotonic()
            cached("rates", "all", compute)
            waited.append(time.monotonic() - began > 1.5)
        assert waited == [True, False, False]
        assert compute.times == 4
    time.sleep(3.1)
    cached("rates", "all", compute)
    assert compute.times == 4


def test_connections_close_with_the_cache_of_a_thread_whatever_still_holds_them(tiny: Tiny) -> None:
    connections: list[Any] = []

    def read() -> None:
        cache: Any = caches["results"]
        cache.get("anything")
        connections.extend(cache._cache.get_client().connection_pool._available_connections)
        assert [each.is_connected for each in connections] == [True]
        in_a_circle: list[Any] = [cache]
        in_a_circle.append(in_a_circle)

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    gc.collect()

    assert [each.is_connected for each in connections] == [False]


def test_what_rests_on_few_cells_stays_while_others_change(tiny: Tiny) -> None:
    computes = {agent: Computation() for agent in (tiny.null, tiny.oracle)}

    def ask() -> list[int]:
        for agent, compute in computes.items():
            cells = Cell.rows.filter(agent=agent)
            cached("rates", agent.slug, compute, lambda cells=cells: data_version(cells))  # type: ignore[misc]
        return [compute.times for compute in computes.values()]

    assert ask() == ask() == [1, 1]
    (run,) = tiny.start(agents=[tiny.oracle]).runs.all()
    settle(claimed(run), 1, summary_of(run))
    assert ask() == [1, 2]


def test_none_is_a_result(tiny: Tiny) -> None:
    times = []
    for _ in range(2):
        assert cached("nothing", "all", lambda: times.append(1)) is None
    assert times == [1]


def test_a_settled_run_a_change_of_the_listing_and_a_dataset_loaded_again_make_it_old(
    tiny: Tiny, tmp_path: Path
) -> None:
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


def test_runs_that_are_not_listed_make_it_old_too(tiny: Tiny) -> None:
    evaluation = tiny.start()
    set_listed(evaluation, False)
    before = data_version()
    run = claimed(evaluation.runs.get())
    settle(run, 1, summary_of(run))
    assert data_version() != before
    assert not Cell.objects.exists()


def test_a_transaction_that_ends_late_is_not_overlooked(tiny: Tiny) -> None:
    """It began first and its times are older, but its data come last: on SQLite it waits, elsewhere it overtakes."""
    evaluation = tiny.start(agents=[tiny.null, tiny.oracle])
    slow, fast = (claimed(run) for run in evaluation.runs.order_by("agent__slug"))
    settle(slow, 1, summary_of(slow))
    began, end = threading.Event(), threading.Event()

    def recount_slowly() -> None:
        try:
            with transaction.atomic():
                cell = Cell.objects.get(agent=slow.agent)
                cell.revision += 1
                cell.save()
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


def test_every_cell_has_a_say_in_the_version_not_the_most_counted_alone(tiny: Tiny) -> None:
    evaluation = tiny.start(agents=[tiny.null, tiny.oracle])
    for run in evaluation.runs.all():
        settle(claimed(run), 1, summary_of(run))
    often, seldom = Cell.objects.order_by("pk")
    Cell.objects.filter(pk=often.pk).update(revision=often.revision + 10)
    before = data_version()
    with transaction.atomic():
        recompute_cells([(seldom.agent_id, seldom.task_id)])
    assert data_version() != before


def test_what_is_not_committed_is_neither_kept_nor_taken_for_what_comes_after(tiny: Tiny) -> None:
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


def test_a_dataset_that_is_being_loaded_counts_as_a_change_too(tiny: Tiny) -> None:
    compute = Computation()
    with transaction.atomic():
        load(Path(tiny.task.repository.dataset.directory))
        assert [cached("rates", "all", compute).n for _ in range(2)] == [1, 2]


def test_in_a_transaction_nothing_is_read_or_kept(tiny: Tiny) -> None:
    compute = Computation()
    with transaction.atomic():
        assert [cached("rates", "all", compute).n for _ in range(2)] == [1, 2]
    assert [cached("rates", "all", compute).n for _ in range(2)] == [3, 3]
    with transaction.atomic():
        assert cached("rates", "all", compute).n == 4


def test_new_code_shows_no_old_number(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    compute = Computation()
    cached("rates", "all", compute)
    monkeypatch.setattr(results, "fingerprint", lambda: "another")
    cached("rates", "all", compute)
    assert compute.times == 2


def test_the_fingerprint_is_of_all_analysis_and_of_what_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "runs/analysis"
    files = [
        home / "figure.py",
        home / "scores/elo.py",
        tmp_path / "runs/run_facts/facts_query.py",
        tmp_path / "runs/queries/filters.py",
        tmp_path / "runs/cells/open_cells.py",
        tmp_path / "runs/cells/dated_cells.py",
    ]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("one = 1")
    (home / "notes.txt").write_text("none of it")
    monkeypatch.setattr(analysis, "__path__", [str(home)])
    fingerprint = results.fingerprint.__wrapped__
    seen = [fingerprint()]
    for file in files:
        file.write_text("one = 2")
        seen.append(fingerprint())
    files[0].rename(home / "figures.py")
    seen.append(fingerprint())
    assert len(set(seen)) == 8
    (home / "notes.txt").write_text("still not")
    assert fingerprint() == seen[-1]
    assert re.fullmatch("[0-9a-f]{16}", seen[-1])


def test_a_result_that_is_read_again_says_that_redis_is_back(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "runs.cache.results")
    cached("rates", "all", Computation())
    monkeypatch.setattr(results, "_trouble", "it went away")
    cached("rates", "all", Computation())
    assert caplog.messages == ["Redis keeps results again"]


def test_of_many_readers_one_computes(tiny: Tiny) -> None:
    compute = Computation(seconds=0.3)
    assert in_threads(lambda: cached("rates", "all", compute), 10) == [Estimate(0.125, 1)] * 10
    assert compute.times == 1


def test_readers_wait_no_longer_than_a_lock_holds(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "LOCK_SECONDS", 1)
    compute = Computation(seconds=1.5)
    found = in_threads(lambda: cached("rates", "all", compute), 3)
    assert len(found) == 3
    assert compute.times == 3


def test_an_error_is_no_result_and_frees_the_way(tiny: Tiny) -> None:
    def fail() -> Estimate:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cached("rates", "all", fail)
    began = time.monotonic()
    assert cached("rates", "all", Computation()) == Estimate(0.125, 1)
    assert time.monotonic() - began < 5


def test_what_cannot_be_read_is_computed_again(tiny: Tiny, redis: RedisServer) -> None:
    compute = Computation()
    cached("rates", "all", compute)
    (key,) = list(caches[results.STORE]._cache.get_client().scan_iter("*rates*"))  # type: ignore[attr-defined]
    caches[results.STORE]._cache.get_client().set(key, b"\x80\x05not a pickle")  # type: ignore[attr-defined]
    cached("rates", "all", compute)
    assert compute.times == 2


@pytest.mark.parametrize("stored", ["rates", ("one", "two"), []])
def test_what_an_older_version_stored_in_another_form_is_computed_again(tiny: Tiny, stored: object) -> None:
    compute = Computation()
    cached("rates", "all", compute)
    store = caches[results.STORE]
    (key,) = list(store._cache.get_client().scan_iter("*rates*"))  # type: ignore[attr-defined]
    store.set(key.decode().removeprefix(store.make_key("")), stored)
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
def test_foreign_bytes_are_not_read_but_replaced(tiny: Tiny, tmp_path: Path, foreign: bytes) -> None:
    done = tmp_path / "done"
    store = caches[results.STORE]._cache.get_client()  # type: ignore[attr-defined]
    compute = Computation()
    cached("rates", "all", compute)
    (key,) = list(store.scan_iter("*rates*"))
    store.set(key, foreign.replace(b"%s", str(done).encode()))
    cached("rates", "all", compute)
    cached("rates", "all", compute)
    assert compute.times == 2
    assert not done.exists()


def test_foreign_bytes_in_place_of_the_lock_hurt_nobody(tiny: Tiny) -> None:
    store = caches[results.STORE]._cache.get_client()  # type: ignore[attr-defined]

    def compute() -> str:
        (key,) = list(store.scan_iter("*rates*"))
        store.set(key, b"coperator\ngetitem\n(]K\x05tR.")
        return "done"

    assert [cached("rates", "all", compute) for _ in range(2)] == ["done"] * 2


def test_what_another_key_sealed_is_computed_again(tiny: Tiny, settings: Any) -> None:
    compute = Computation()
    cached("rates", "all", compute)
    settings.SECRET_KEY = "another"
    cached("rates", "all", compute)
    cached("rates", "all", compute)
    assert compute.times == 2


def test_without_redis_everything_is_computed_and_the_log_says_it_once(
    tiny: Tiny, redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "runs.cache.results")
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
    assert "Redis does not keep results" in caplog.messages[0]


def test_redis_that_goes_while_a_result_is_made_takes_nothing_away(
    tiny: Tiny, redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "runs.cache.results")

    def compute() -> str:
        redis.stop()
        return "done"

    try:
        assert cached("rates", "all", compute) == "done"
    finally:
        redis.start()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert cached("rates", "one", lambda: "done again") == "done again"
    assert caplog.messages[1:] == ["Redis keeps results again"]
