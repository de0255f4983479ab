"""What all tests share: a place of their own to write to, a real Redis, and marks for what a machine may lack."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_django
from hypothesis import settings as hypothesis_settings
from redis import Redis, RedisError

from benchbench import redis_server

pytest.register_assert_rewrite("tests.harness.conformance")
# By default, an example that takes 200 ms is a failure: on a busy machine any may.
hypothesis_settings.register_profile("patient", hypothesis_settings.default, deadline=None)
hypothesis_settings.load_profile("patient")

MISSING = {
    "engine": "no container engine responds, or the base image benchbench/base:bookworm is missing",
    "redis": "there is no Redis server",
    "browser": "there is no Chromium",
    "postgres": "there are no PostgreSQL server programs",
}


@cache
def available(mark: str) -> bool:
    """Whether this machine has what tests of that mark need."""
    match mark:
        case "engine":
            command = ["docker", "image", "inspect", "benchbench/base:bookworm"]
            return (
                shutil.which("docker") is not None
                and subprocess.run(command, capture_output=True, check=False, timeout=30).returncode == 0
            )
        case "redis":
            try:
                return redis_server.executable().is_file()
            except redis_server.NoRedisServer:
                return False
        case "browser":
            from tests.browser.conftest import chromium_path

            return chromium_path() is not None
        case "postgres":
            return bool(shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb")))
    raise ValueError(mark)


def pytest_configure() -> None:
    """Tests send SIGINT to programs. Background jobs of a shell ignore it, and so do the programs that they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that wait for long begin first: of two files at a time, none is left alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Leaves all test modules out of later garbage collections, each of which took half a second with them."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips what the machine cannot run; where a machine must be complete (CI=true), that is a failure."""
    for mark, reason in MISSING.items():
        if item.get_closest_marker(mark) and not available(mark):
            if os.environ.get("CI") == "true":
                pytest.fail(f"needs {mark}: {reason}", pytrace=False)
            pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def without_waiting_for_the_disk() -> Iterator[None]:
    """Nothing here survives a power failure. The demonstration world alone would wait 2,300 times for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


def has_copied_tables() -> bool:
    """Whether the test database is a copy of `tables`: in one of several processes, which make these once."""
    from django.conf import settings

    is_file = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    return is_file and "PYTEST_XDIST_WORKER" in os.environ


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """Whether the test database exists already."""
    return has_copied_tables() or bool(request.config.getvalue("reuse_db"))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A database file: other processes and threads have to see it, and each process that runs tests has its own."""
    from django.conf import settings

    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        name = tmp_path_factory.mktemp("database") / "db.sqlite3"
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = str(name)
        if has_copied_tables():
            shutil.copyfile(request.getfixturevalue("tables"), name)


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker
) -> Iterator[None]:
    """After a test with transactions of its own, the first state of SQLite tables is copied back.

    Django would empty each table instead, which takes 38 ms of CPU time, not 1.5.
    """
    from django.db import connection
    from django.test import TransactionTestCase

    if connection.vendor != "sqlite":
        yield
        return

    with closing(sqlite3.connect(":memory:")) as first, pytest.MonkeyPatch.context() as patch:
        with django_db_blocker.unblock():
            connection.ensure_connection()
            connection.connection.backup(first)

        def copy_back(_: TransactionTestCase) -> None:
            connection.ensure_connection()
            first.backup(connection.connection)

        patch.setattr(TransactionTestCase, "_fixture_teardown", copy_back)
        yield


@pytest.fixture(scope="session")
def data_directories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """New paths for data directories. `mktemp` would read all earlier ones each time."""
    root = tmp_path_factory.mktemp("data")
    return (root / str(number) for number in count())


@pytest.fixture(autouse=True)
def data_directory(data_directories: Iterator[Path]) -> Iterator[Path]:
    """A data directory of the test's own. Static files are served as they lie in the tree."""
    from django.conf import settings
    from django.test import override_settings

    data = next(data_directories)
    for name in ("runs", "staticfiles"):
        (data / name).mkdir(parents=True)
    static_files = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(
        DATA=data,
        RUNS_ROOT=data / "runs",
        GENERATED_ROOT=data / "datasets",
        STATIC_ROOT=data / "staticfiles",
        CACHES=_caches(f"unix://{data}/no-redis.sock"),
        INSTANCE=f"test-{os.getpid()}-{data.name}",
        STORAGES={**settings.STORAGES, "staticfiles": static_files},
    ):
        yield data


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of this test run, which all its processes share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def tables(shared: Path) -> Path:
    """A database with empty tables, to be copied."""
    from tests.site.serving import made_once

    return made_once(shared, made=False) / "db.sqlite3"


@pytest.fixture(scope="session")
def prepared(shared: Path) -> Path:
    """The data directory of a site before its first start, to be copied."""
    from tests.site.serving import prepared_once

    return prepared_once(shared)


def _caches(url: str) -> dict[str, Any]:
    """CACHES with results in this Redis."""
    from django.conf import settings

    configured: dict[str, dict[str, Any]] = settings.CACHES
    return {**configured, "results": {**configured["results"], "LOCATION": url}}


class RedisServer:
    """A real Redis server on a socket, that a test may stop and start again."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.socket = directory / "redis.sock"
        self.url = f"unix://{self.socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it responds."""
        redis_server.prepare(self.socket, self.directory)
        command = redis_server.arguments(self.socket, self.directory)
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        with Redis.from_url(self.url) as client:
            while True:
                try:
                    client.ping()
                    return
                except RedisError:
                    pass
                if time.monotonic() > deadline:
                    raise TimeoutError("Redis did not start")
                time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Returns when it is gone."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(10)
            self._process = None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Meanwhile it accepts connections and sends nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


@pytest.fixture(scope="session")
def redis_session() -> Iterator[RedisServer]:
    """The server behind `redis_server`."""
    with tempfile.TemporaryDirectory(prefix="bbr") as directory:
        server = RedisServer(Path(directory))
        yield server
        server.stop()


@pytest.fixture
def redis(redis_session: RedisServer, settings: Any) -> RedisServer:
    """An empty, running Redis that the settings name."""
    if redis_session._process is None:
        redis_session.start()
    with Redis.from_url(redis_session.url) as client:
        client.flushall()
    settings.REDIS_URL = redis_session.url
    settings.CACHES = _caches(redis_session.url)
    return redis_session
