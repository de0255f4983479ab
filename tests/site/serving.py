"""The demonstration world, served as in production: gunicorn, WhiteNoise, Redis. Without workers and sweeper.

    python -m tests.site.serving DIRECTORY PORT

serves the data directory that `python -m tests.site.world DIRECTORY` made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError

from tests.browser.site import ROOT, free_port
from tests.conftest import RedisServer

ADDRESSES = "addresses.json"


class Served:
    """A data directory served on a local port. `made`: whether it has the demonstration world, or is empty."""

    def __init__(self, data: Path, *, made: bool = True) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data.with_name(f"{data.name}.log")
        self._made = made
        self._redis = RedisServer(data / "redis")
        self._web: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Served:
        self.data.mkdir(parents=True, exist_ok=True)
        if self._made:
            self._run("-m", "tests.site.world", str(self.data))
        else:
            self._run("manage.py", "migrate", "--verbosity=0")
        self._run("manage.py", "collectstatic", "--no-input", "--verbosity=0")
        self._redis.start()
        command = [sys.executable, "-m", "tests.site.serving", str(self.data), str(self.port)]
        with self.log.open("wb") as log:
            self._web = subprocess.Popen(
                command, cwd=ROOT, env=self._environment(), stdout=log, stderr=subprocess.STDOUT
            )
        try:
            self._wait()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._web is not None:
            self._web.terminate()
            self._web.wait(30)
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
        }

    def _run(self, *arguments: str) -> None:
        subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self._environment(), check=True, timeout=120
        )

    def _wait(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self._web is not None and self._web.poll() is None:
            with suppress(URLError, ConnectionError, TimeoutError):
                urllib.request.urlopen(f"{self.url}/healthz", timeout=2).close()
                return
            time.sleep(0.1)
        raise AssertionError(f"the pages are not served:\n{self.log.read_text(errors='replace')}")


def main(data: str, port: str) -> None:
    """Becomes the web server."""
    os.environ.update(BENCHBENCH_DATA=str(Path(data).resolve()), PORT=port)
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchbench.settings"
    import django

    django.setup()
    from benchbench.management.commands.serve import web_server

    command = web_server()
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
