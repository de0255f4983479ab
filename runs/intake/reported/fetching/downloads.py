"""Downloads one file, in as many parts as it takes, and checks it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx

from runs.access.public_addresses import addresses_of, is_public
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.trajectory import file_digest

MAX_TRIES = 8  # that bring nothing new, one after another
MAX_ALL_TRIES = 500
MAX_REDIRECTS = 5
MAX_PAUSE_SECONDS = 60.0
TIMEOUT_SECONDS = 30.0  # of connecting, and of each pause of the server
FIRST_PAUSE_SECONDS = 1.0
_CHUNK = 1 << 16
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_PORTS = {"https": 443, "http": 80}

ByteProgress = Callable[[int, int | None], None]
"""Gets how many bytes have arrived, and how many there are in all; None if that is unknown."""


class _TryAgain(Exception):
    """A try ended early. `seconds`: how long the server asks to wait; None if it does not say."""

    def __init__(self, reason: str, seconds: float | None = None) -> None:
        super().__init__(reason)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Download:
    """One file: its address, where it comes, how large it may be, and its SHA-256; '' if no one knows it.

    `pause` waits for so many seconds.
    """

    url: str
    target: Path
    max_bytes: int
    sha256: str = ""
    progress: ByteProgress = lambda _done, _total: None
    pause: Callable[[float], None] = time.sleep

    @property
    def part(self) -> Path:
        """What has arrived so far. It stays after a failure, and the next download goes on from there."""
        return self.target.with_name(f"{self.target.name}.part")

    def run(self) -> Path:
        """Downloads and checks the file. Raises ResultsRefused, which says what happened and where."""
        if self.target.is_file() and self._is_right(self.target):
            return self.target
        self.target.parent.mkdir(parents=True, exist_ok=True)
        tries, reason = 0, ""
        for _ in range(MAX_ALL_TRIES):
            before = self._there()
            try:
                self._fetch_rest()
                return self._checked()
            except _TryAgain as error:
                reason = str(error)
                tries = 1 if self._there() > before else tries + 1
                if tries == MAX_TRIES:
                    break
                usual = FIRST_PAUSE_SECONDS * 2 ** (tries - 1)
                self.pause(min(usual if error.seconds is None else error.seconds, MAX_PAUSE_SECONDS))
        raise self._refused(
            f"{reason}, also after {tries} tries without anything new; {self._there():,} bytes are kept, so that "
            "the same command goes on from there"
        )

    def _there(self) -> int:
        return self.part.stat().st_size if self.part.is_file() else 0

    def _refused(self, problem: str) -> ResultsRefused:
        return ResultsRefused(self.url, problem)

    def _is_right(self, path: Path) -> bool:
        return bool(self.sha256) and file_digest(path) == self.sha256

    def _checked(self) -> Path:
        """Puts the file in place if it is the right one; a wrong one is removed."""
        if self.sha256 and not self._is_right(self.part):
            found = file_digest(self.part)
            self.part.unlink()
            raise self._refused(
                f"its SHA-256 is {found}, not {self.sha256}: it has changed, or was damaged on the way; it was removed"
            )
        return self.part.replace(self.target)

    def _fetch_rest(self) -> None:
        """One try: appends what is missing. Raises _TryAgain and ResultsRefused."""
        there = self._there()
        try:
            with _opened(self.url, there) as response:
                begin = self._begin(response, there)
                if begin is None:
                    return
                length = response.headers.get("content-length", "")
                total = begin + int(length) if length.isdigit() else None
                self._check_size(total or 0)
                self._append(response, begin, total)
        except httpx.InvalidURL as error:
            raise self._refused("it is no address") from error
        except httpx.HTTPError as error:
            raise _TryAgain(f"the connection broke ({type(error).__name__})") from error

    def _begin(self, response: httpx.Response, begin: int) -> int | None:
        """From which byte the response goes on; None if nothing is missing. Raises _TryAgain and ResultsRefused."""
        status = response.status_code
        if status in _BUSY:
            raise _TryAgain(f"the server answers with status {status}", _seconds(response))
        if status == 416:  # nothing comes after what is there, or there is less now
            total = response.headers.get("content-range", "").rpartition("/")[2]
            if total != str(begin):
                self.part.unlink(missing_ok=True)
                raise _TryAgain("the file has another length than before", 0.0)
            return None
        if status == 206:
            if not response.headers.get("content-range", "").startswith(f"bytes {begin}-"):
                raise self._refused("the server sends another part than the one that it was asked for")
            return begin
        if status == 200:
            return 0
        gone = ": it is gone, or was moved" if status in (404, 410) else ""
        raise self._refused(f"the server answers with status {status}{gone}")

    def _append(self, response: httpx.Response, begin: int, total: int | None) -> None:
        done = begin
        with self.part.open("r+b" if begin else "wb") as file:
            file.seek(begin)
            for chunk in response.iter_raw(_CHUNK):
                done += len(chunk)
                self._check_size(done)
                file.write(chunk)
                self.progress(done, total)
        if total is not None and done < total:
            raise _TryAgain("the connection ended early", 0.0)

    def _check_size(self, size: int) -> None:
        if size > self.max_bytes:
            self.part.unlink(missing_ok=True)
            raise self._refused(f"it has more than {self.max_bytes:,} bytes, its limit in the register")


def _seconds(response: httpx.Response) -> float | None:
    """The seconds of Retry-After; None for a date, or without it."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


@contextmanager
def _opened(url: str, begin: int) -> Iterator[httpx.Response]:
    """The response of a request for the bytes from `begin` on, with redirects to public hosts by HTTPS only.

    Raises ResultsRefused and httpx.HTTPError.
    """
    headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={begin}-"} if begin else {})}
    with httpx.Client(timeout=TIMEOUT_SECONDS, follow_redirects=False, trust_env=False) as client:
        here = url
        for _ in range(MAX_REDIRECTS + 1):
            with client.stream("GET", here, headers=headers) as response:
                if not response.is_redirect:
                    yield response
                    return
                here = check_redirect(url, here, response.headers.get("location", ""))
    raise ResultsRefused(url, f"it redirects more than {MAX_REDIRECTS} times")


def check_redirect(first: str, here: str, location: str) -> str:
    """The address to which a server redirects from `here`, which has to be HTTPS and public. Raises ResultsRefused.

    On the host that was asked for, `first`, the scheme must only not become a weaker one.
    """
    try:
        target = urljoin(here, location)
        asked, there = urlsplit(first), urlsplit(target)
        port = there.port
    except ValueError as error:
        raise ResultsRefused(first, f"it redirects to {location[:200]!r}, which is no address") from error
    same = (asked.scheme, asked.hostname, asked.port) == (there.scheme, there.hostname, port)
    if not same and there.scheme != "https":
        raise ResultsRefused(first, f"it redirects to {target[:200]!r}, which is not https://")
    if not same:
        check_public(first, there.hostname or "", port or _PORTS["https"])
    return target


def check_public(url: str, host: str, port: int) -> None:
    """Raises ResultsRefused unless all addresses of a host are public. `url`: for the message."""
    try:
        private = next((one for one in addresses_of(host, port) if not is_public(one)), "")
    except (OSError, UnicodeError) as error:
        raise ResultsRefused(url, f"the host {host!r} cannot be found: {error}") from error
    if private:
        raise ResultsRefused(url, f"{host!r} has the address {private}, which is not public")
