"""Odd requests to every address of the site: none may be an error of the server.

    python -m benchmarks.fuzz_requests [--requests 20000] [--seed 1] [--postgres] [--only NUMBER]

The demonstration world of the tests, with Redis, in a SQLite database or on a PostgreSQL server of its own. Each
request is bytes as a client would send them: an address from the URL configuration, admin included, with numbers beyond
64 bits, NULs, invalid UTF-8 and huge values in path, query, headers, cookies and body, with odd methods and content
types, anonymous, as a viewer of the admin, or as an operator. The worker's parser reads it and the WSGI application
answers. The same seed makes the same requests; `--only` repeats one and prints the traceback.

Promised: no response has a status of 500 or more, apart from a 503 that says when to try again. Exits with 1 when that
is broken.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.fuzz_values import Fuzzed, Fuzzer, Places

if TYPE_CHECKING:
    from django.core.handlers.wsgi import WSGIHandler

    from benchbench.serving.arrival import Arrival
    from tests.site.world import World

REFUSED = 400  # by the parser, before Django


def main() -> int:
    """Prints each request that ended in an error; 1 if there is one."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory, _database(Path(directory), options):
        return _fuzz(options)


def _fuzz(options: argparse.Namespace) -> int:
    from django.db import transaction  # noqa: PLC0415 - needs Django

    from benchbench.serving.strict_handler import StrictHandler  # noqa: PLC0415
    from tests.site.world import World  # noqa: PLC0415

    logging.disable(logging.CRITICAL)
    with transaction.atomic():
        world = World()
    handler = StrictHandler()
    fuzzer = Fuzzer(places(world), options.seed)
    numbers = range(options.requests) if options.only is None else [options.only]
    statuses: Counter[int] = Counter()
    errors = 0
    began = time.monotonic()
    for number in numbers:
        request = fuzzer.request(number)
        answer = Answer(request, handler)
        statuses[answer.status] += 1
        if answer.is_error:
            errors += 1
            print(f"{answer.status} {request}\n{answer.trouble}", flush=True)
        elif options.only is not None:
            print(f"{answer.status} {request}")
    print(
        f"{len(numbers)} requests in {time.monotonic() - began:.0f} s; statuses: {dict(sorted(statuses.items()))}"
    )
    return conclude(not errors, f"{errors} errors")


@contextlib.contextmanager
def _database(directory: Path, options: argparse.Namespace) -> Iterator[None]:
    """An empty database with Django's tables, and Django set up on it."""
    from tests.conftest import RedisServer  # noqa: PLC0415 - it imports pytest
    from tests.postgres import PostgresServer  # noqa: PLC0415 - only one of both needs it

    data = directory / "data"
    data.mkdir()
    os.environ.update(BENCHBENCH_DATA=str(data), DJANGO_SETTINGS_MODULE="benchbench.settings")
    os.environ["BENCHBENCH_API_REQUESTS"] = "0"
    (directory / "redis").mkdir()
    redis = RedisServer(directory / "redis")
    redis.start()
    os.environ["REDIS_URL"] = redis.url
    server = None
    if options.postgres:
        (directory / "postgres").mkdir()
        directory.chmod(0o755)
        server = PostgresServer(directory / "postgres")
        server.start()
        os.environ["DATABASE_URL"] = server.url
    else:
        os.environ.pop("DATABASE_URL", None)
    import django  # noqa: PLC0415 - the environment above names its database
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    try:
        yield
    finally:
        redis.stop()
        if server is not None:
            server.crash()


def places(world: World) -> Places:
    """Every address and every form of the site, and sessions of a viewer and of an operator."""
    from django.conf import settings  # noqa: PLC0415 - needs Django
    from django.contrib import admin  # noqa: PLC0415
    from django.contrib.auth.models import Permission, User  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from tests.site.addresses import routes, visible_values  # noqa: PLC0415

    viewer = User.objects.create_user("viewer", is_staff=True)
    viewer.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    logins: dict[str, dict[str, str]] = {"anonymous": {}}
    for role, user in (("viewer", viewer), ("operator", world.operator)):
        client = Client(headers={"host": "localhost"})
        client.force_login(user)
        client.get("/admin/password_change/")  # makes the token for forms
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        logins[role] = {"sessionid": session, "csrftoken": client.cookies["csrftoken"].value}
    forms = {field.name for model in admin.site._registry for field in model._meta.get_fields()}
    forms |= {
        "action",
        "_selected_action",
        "select_across",
        "index",
        "post",
        "_save",
        "_popup",
        "title",
        "attempts",
    }
    forms |= {
        "form-TOTAL_FORMS",
        "form-INITIAL_FORMS",
        "form-0-id",
        "agents",
        "tasks",
        "budget",
        "username",
        "password",
    }
    # After a logout, all later requests would be anonymous.
    paths = [route.path for route in routes() if not route.path.startswith("admin/logout")]
    return Places(paths, list(visible_values(world)), sorted(forms), logins)


class Answer:
    """What the site answers. `trouble`: the traceback, if there is one."""

    def __init__(self, request: Fuzzed, handler: WSGIHandler) -> None:
        self.status, self.headers, self.body, self.trouble = REFUSED, {}, "", ""
        environ, arrival = self._environ(request.raw)
        if environ is not None:
            self._ask(environ, handler)
        arrival.close()

    headers: dict[str, str]

    @property
    def is_error(self) -> bool:
        """Whether the server failed."""
        return self.status >= 500 and not (self.status == 503 and "Retry-After" in self.headers)

    def _environ(self, raw: bytes) -> tuple[dict[str, Any] | None, Arrival]:
        """As the worker passes it to Django; None for what it refuses itself."""
        from gunicorn.config import Config  # noqa: PLC0415 - it is slow to import
        from gunicorn.http import wsgi  # noqa: PLC0415
        from gunicorn.http.errors import ParseException  # noqa: PLC0415

        from benchbench.serving.arrival import Arrival, Refused  # noqa: PLC0415 - this one, too

        client = ("127.0.0.1", 40_000)
        arrival = Arrival(Config(), client, tempfile.gettempdir(), 1)
        try:
            arrival.add(raw)
        except (Refused, ParseException):
            return None, arrival
        if not arrival.complete:
            return None, arrival  # the rest never comes
        _, environ = wsgi.create(arrival.request, _Nowhere(), client, ("127.0.0.1", 80), Config())
        environ["wsgi.errors"] = io.StringIO()
        return dict(environ), arrival

    def _ask(self, environ: dict[str, Any], handler: WSGIHandler) -> None:
        from django.core.signals import got_request_exception  # noqa: PLC0415 - needs Django

        def start(
            status: str, headers: list[tuple[str, str]], _error: Any = None, /
        ) -> Callable[[bytes], object]:
            self.status, self.headers = int(status.split(maxsplit=1)[0]), dict(headers)
            return self._written

        def failed(**_more: object) -> None:
            self.trouble = traceback.format_exc()

        got_request_exception.connect(failed)
        try:
            response = handler(environ, start)
            try:
                self.body = b"".join(response).decode(errors="replace")
            finally:
                response.close()
        except Exception:
            self.status, self.trouble = HTTPStatus.INTERNAL_SERVER_ERROR.value, traceback.format_exc()
        finally:
            got_request_exception.disconnect(failed)

    def _written(self, _data: bytes) -> None:
        """Django never calls what WSGI prescribes here."""


class _Nowhere:
    """A socket for "100 Continue"."""

    def send(self, data: bytes) -> int:
        return len(data)


if __name__ == "__main__":
    sys.exit(main())
