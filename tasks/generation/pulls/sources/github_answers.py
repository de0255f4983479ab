"""Answers of GitHub's API in files, so that a collection can be repeated, checked and tested without a network.

    <directory>/<digest of method and path>.json   {"method", "path", "status", "headers", "body"}

No request is stored, so no token is. Only the headers that say how to go on are.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import requests
from github import Auth, Github
from github.Requester import (
    HTTPRequestsConnectionClass,
    HTTPSRequestsConnectionClass,
    Requester,
    RequestsResponse,
)

from harness.errors import ConfigurationError

MAX_ANSWER_BYTES = 64 << 20
_KEPT_HEADERS = ("content-type", "link", "location")
# PyGithub knows one connection class for the whole process.
_injected = threading.Lock()


@contextmanager
def github_of(answers: Path, token: str = "") -> Iterator[Github]:
    """A client that reads recorded answers; with a token, one that asks GitHub and records the answers.

    Not for two threads at a time. Raises ConfigurationError for a request whose answer was not recorded.
    """
    if not token and not answers.is_dir():
        raise ConfigurationError(f"{answers} holds no recorded answers: record them with a token first")
    if token:
        answers.mkdir(parents=True, exist_ok=True)
    with _injected:
        Requester.injectConnectionClasses(
            HTTPRequestsConnectionClass, _connection_class(answers, online=bool(token))
        )
        try:
            yield (
                Github(auth=Auth.Token(token), per_page=100)
                if token
                else Github(per_page=100, retry=None, seconds_between_requests=None)
            )
        finally:
            Requester.resetConnectionClasses()


def answer_file(answers: Path, method: str, path: str) -> Path:
    """Where the answer to a request is recorded. `path`: with its query."""
    return answers / f"{sha256(f'{method} {path}'.encode()).hexdigest()[:32]}.json"


def write_answer(
    answers: Path,
    method: str,
    path: str,
    body: str,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> None:
    """Records one answer, whole or not at all."""
    kept = {name.lower(): value for name, value in (headers or {}).items() if name.lower() in _KEPT_HEADERS}
    stored = {"method": method, "path": path, "status": status, "headers": kept, "body": body}
    place = answer_file(answers, method, path)
    partial = place.with_suffix(".partial")
    partial.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    partial.replace(place)


def read_answer(answers: Path, method: str, path: str) -> requests.Response:
    """A recorded answer. Raises ConfigurationError if there is none, or it cannot be read."""
    place = answer_file(answers, method, path)
    if not place.is_file():
        raise ConfigurationError(f"{answers} holds no answer to {method} {path}: record it with a token")
    if place.stat().st_size > MAX_ANSWER_BYTES:
        raise ConfigurationError(f"{place} is longer than {MAX_ANSWER_BYTES >> 20} MB")
    response = requests.Response()
    try:
        stored = json.loads(place.read_text(encoding="utf-8"))
        response.status_code = int(stored["status"])
        response.headers.update({str(name): str(value) for name, value in stored["headers"].items()})
        response._content = str(stored["body"]).encode()  # the attribute in which the library keeps it
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigurationError(f"{place} is no recorded answer: {error}") from error
    response.encoding = "utf-8"
    return response


def _connection_class(answers: Path, *, online: bool) -> type[HTTPSRequestsConnectionClass]:
    class Connection(HTTPSRequestsConnectionClass):
        """Records each answer, or reads it."""

        def getresponse(self) -> RequestsResponse:
            method, path = self.verb.upper(), self.url
            if method != "GET":
                raise ConfigurationError(f"{method} {path} would change something at GitHub")
            if not online:
                return RequestsResponse(read_answer(answers, method, path))
            found = super().getresponse()
            headers: dict[str, Any] = dict(found.headers)
            write_answer(answers, method, path, found.read(), status=found.status, headers=headers)
            return found

    return Connection
