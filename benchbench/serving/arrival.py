"""Collects the bytes of one request until it is complete."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.conf import settings
from gunicorn.http import get_parser
from gunicorn.http.body import LengthReader

from benchbench.serving.spool import Spool
from runs.intake.uploads.permits import is_upload, may_be_large

if TYPE_CHECKING:
    from gunicorn.config import Config
    from gunicorn.http.message import Request

MAX_HEAD = 64 * 1024  # bytes
MAX_BODY = 4 * 1024 * 1024  # bytes; Django takes less of a form; uploads may have more
HEAD_SECONDS = 10.0
BODY_SECONDS = 10.0  # and one second more for each MIN_RATE bytes
MIN_RATE = 4096  # bytes a second
READ_BYTES = 64 * 1024
_END = b"\r\n\r\n"


class Refused(Exception):
    """The request is refused. The message says why."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        self.status = status
        super().__init__(reason)


class Arrival:
    """Collects one request.

    `client`: its address, as the socket gives it. `directory`: where a long body is stored. `patience`: for how many
    seconds the connection may be idle before the first byte. `rest`: bytes that came after the request.
    """

    def __init__(self, config: Config, client: object, directory: str, patience: float) -> None:
        self._config, self._client = config, client
        self._head = bytearray()
        self._directory, self._body = directory, Spool(directory)
        self._missing = 0  # bytes of the body
        self._asks = True
        self.request: Request | None = None
        self.rest = b""
        self.deadline = time.monotonic() + patience

    @property
    def begun(self) -> bool:
        """Whether a byte has arrived."""
        return bool(self._head)

    @property
    def complete(self) -> bool:
        """Whether the whole request has arrived."""
        return self.request is not None and not self._missing

    def asks_to_continue(self) -> bool:
        """Whether the client waits for permission to send the body. True once."""
        asks = bool(self._asks and self.request is not None and self.request._expected_100_continue)
        self._asks = self._asks and not asks
        return asks

    def add(self, data: bytes) -> None:
        """Takes the next bytes. Raises Refused, or gunicorn's exceptions for an invalid head."""
        if self.request is not None:
            self._add_body(data)
            return
        if not self._head:
            data = data.lstrip(b"\r\n")  # RFC 9112, 2.2
            self.deadline = time.monotonic() + HEAD_SECONDS
        searched = max(0, len(self._head) - len(_END))
        self._head += data
        end = self._head.find(_END, searched)
        if end < 0:
            if len(self._head) > MAX_HEAD:
                raise Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"at most {MAX_HEAD} bytes")
            return
        after = bytes(self._head[end + len(_END) :])
        del self._head[end + len(_END) :]
        self._read_head()
        self._add_body(after)

    def close(self) -> None:
        """Frees the memory or the file of the body."""
        self._body.close()

    def _read_head(self) -> None:
        request = next(get_parser(self._config, self._source(), self._client))
        reader = request.body.reader
        # Without a length, the start of the next request is unknown.
        if not isinstance(reader, LengthReader):
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "a request with a body must have a Content-Length")
        if reader.length > MAX_BODY:
            _check_large(request, reader.length)
            self._check_space(reader.length)
        self._missing = reader.length
        self.deadline = time.monotonic() + BODY_SECONDS + self._missing / MIN_RATE
        self.request = request

    def _add_body(self, data: bytes) -> None:
        body, self.rest = data[: self._missing], data[self._missing :]
        if body:
            if self._missing > MAX_BODY:  # others may arrive at the same time
                self._check_space(len(body))
            self._body.put(body)
            self._missing -= len(body)

    def _check_space(self, length: int) -> None:
        """Raises Refused if so much does not fit beside what runs need."""
        if shutil.disk_usage(self._directory).free < length + (settings.MIN_FREE_MB << 20):
            raise Refused(
                HTTPStatus.INSUFFICIENT_STORAGE, "there is no space for so large a request: try again later"
            )

    def _source(self) -> Iterator[bytes]:
        """What gunicorn's parser reads: the head at first, the body when Django asks for it."""
        yield bytes(self._head)
        while part := self._body.peek(READ_BYTES):
            self._body.drop(len(part))
            yield part


def _check_large(request: Request, length: int) -> None:
    """Raises Refused for a long body, unless it is an upload with a mark of this site."""
    if not is_upload(request.path):
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {MAX_BODY} bytes")
    credentials = next((value for name, value in request.headers if name == "AUTHORIZATION"), "")
    if not may_be_large(request.path, request.query or "", credentials):
        raise Refused(
            HTTPStatus.UNAUTHORIZED, f"more than {MAX_BODY} bytes need a valid token, or a new form"
        )
    most = settings.UPLOAD_BYTES + MAX_BODY  # the other fields of a form
    if length > most:
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {most} bytes")
