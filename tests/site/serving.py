"""The demonstration world, served as in production: gunicorn, WhiteNoise, Redis. Without workers and sweeper.

    python -m tests.site.serving DIRECTORY PORT [WORKERS]

serves the data directory that `python -m tests.site.world DIRECTORY` made.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError

from tests.browser.site import ROOT, free_port
from tests.conftest import RedisServer

ADDRESSES = "addresses.json"
PREPARE = """
from benchbench.site_setup import collect_static_files, prepare_database
assert prepare_database() == []
collect_static_files()
"""


class Served:
    """A data directory served on a local port. `made`: whether it has the world of a module, or is empty.

    `workers`: how many processes the web server has; None: as many as in production. `copied`: the data directory
    that is copied in place of making one (made_once). `environment` overrides that of this process.
    """

    def __init__(
        self,
        data: Path,
        *,
        made: bool = True,
        world: str = "tests.site.world",
        workers: int | None = None,
        copied: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data.with_name(f"{data.name}.log")
        self._made, self._world, self._workers, self._copied = made, world, workers, copied
        self._own_environment = environment or {}
        self._redis = RedisServer(data / "redis")
        self._web: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Served:
        if self._copied:
            shutil.copytree(self._copied, self.data)
        else:
            self.make()
        self._redis.start()
        try:
            self.serve(self.port, self._workers)
        except BaseException:
            self._stop()
            raise
        return self

    def make(self) -> None:
        """Makes the data directory: tables, the world, static files."""
        self.data.mkdir(parents=True, exist_ok=True)
        if self._made:
            self.run("-m", self._world, str(self.data))
        else:
            self.run("manage.py", "migrate", "--verbosity=0")
        self.run("manage.py", "collectstatic", "--no-input", "--verbosity=0")

    def serve(self, port: int, workers: int | None = None) -> None:
        """Starts one more web server, and waits until it responds; `workers`: how many processes it has."""
        command = [sys.executable, "-m", "tests.site.serving", str(self.data), str(port)]
        with self.log.open("ab") as log:
            web = subprocess.Popen(
                [*command, *([str(workers)] if workers else [])],
                cwd=ROOT,
                env=self._environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._web.append(web)
        self._wait(web, port)

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _stop(self) -> None:
        for web in self._web:
            web.terminate()
        for web in self._web:
            web.wait(30)
        self._redis.stop()

    def addresses(self) -> dict[str, str]:
        """The URL of each kind of page, and the operator's session."""
        found: dict[str, str] = json.loads((self.data / ADDRESSES).read_text())
        return found

    def session(self) -> Any:
        """The session cookie of the operator."""
        return {"name": "sessionid", "value": self.addresses()["operator's session"], "url": self.url}

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "BENCHBENCH_DATA": str(self.data),
            "LOG_LEVEL": "WARNING",
            "PORT": str(self.port),
            **self._own_environment,
        }

    def run(self, *arguments: str) -> str:
        """A Python command with the environment of the site. Returns what it printed."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self._environment(),
            check=True,
            timeout=120,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout

    def _wait(self, web: subprocess.Popen[bytes], port: int) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and web.poll() is None:
            with suppress(URLError, ConnectionError, TimeoutError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).close()
                return
            time.sleep(0.1)
        raise AssertionError(f"the pages are not served:\n{self.log.read_text(errors='replace')}")


def made_once(shared: Path, *, made: bool = True) -> Path:
    """The data directory of the demonstration world, or an empty one, below `shared`, which must not be changed.

    The first process that asks makes it; others that ask meanwhile wait. It takes 10 seconds of CPU time, a copy none.
    """

    def make(half: Path) -> None:
        if made:
            shutil.copytree(made_once(shared, made=False), half)
        Served(half, made=made).make()

    return _once(shared / ("world" if made else "empty"), make)


def prepared_once(shared: Path) -> Path:
    """The data directory of a site before its first start, with tables, static files and the shipped datasets.

    What a site has of its own is missing: operator, secret key, name. It must not be changed; see `made_once`.
    """

    def make(half: Path) -> None:
        shutil.copytree(made_once(shared, made=False), half)
        environment = {"BENCHBENCH_SHIPPED_RESULTS": "0"}
        Served(half, environment=environment).run("manage.py", "shell", "--verbosity=0", "--command", PREPARE)
        for own in ("secret_key", "instance"):
            (half / own).unlink(missing_ok=True)

    return _once(shared / "prepared", make)


def _once(data: Path, make: Callable[[Path], object]) -> Path:
    with data.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not data.is_dir():
            half = data.with_suffix(".half")
            shutil.rmtree(half, ignore_errors=True)
            make(half)
            half.rename(data)
    return data


def main(data: str, port: str, workers: str = "") -> None:
    """Becomes the web server."""
    os.environ.update(BENCHBENCH_DATA=str(Path(data).resolve()), PORT=port)
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchbench.settings"
    import django

    django.setup()
    from benchbench.management.commands.serve import web_server

    command = web_server()
    if workers:
        command[command.index("--workers") + 1] = workers
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
