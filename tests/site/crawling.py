"""Reads every address of a site of canaries as every kind of visitor, and finds the canaries in what comes back."""

from __future__ import annotations

import html
import io
import re
import time
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import quote, quote_plus, unquote, urlsplit

WORD = "kanarie"  # in every text of the hidden dataset
TWIN = "kakadus"  # a word as long, which no name has
DOLLARS, TOKENS = 77_123.25, 918_273_645  # of every hidden run; open runs cost and use nothing
PRINTED = "graukehlchen"  # what the tests of an open run printed, and what came of it
OPEN, HIDDEN, MIXED = "open", "hidden", "mixed"
CRAWL = "crawl.json"
THREADS = 4
BUSY = 503  # few exports run at the same time
# The word in any case, and the numbers in any format: 77,123.25 dollars, 918,273,645 tokens.
_HIDDEN = re.compile(
    rf"{WORD}|(?<![0-9a-z])77[,.\s]?123(?![0-9a-z])|(?<![0-9a-z])918[,.\s]?273|(?<![0-9a-z.])918\.[23]\d* ?M",
    re.IGNORECASE,
)
_PRINTED = re.compile(PRINTED, re.IGNORECASE)
_LINK = re.compile(
    r"""(?:href|src|action|data-[a-z-]+)=["']([^"'#]+)|"(?:url|next|address|raw|href)":\s*"([^"]+)\""""
)
_SKIPPED = ("/static/", "/admin/", "/django-rq/")
_STRIPPED = re.compile(r'nonce="[^"]*"|csrfmiddlewaretoken" value="[^"]*"')


@dataclass(frozen=True, slots=True)
class Reply:
    """One response. `body`: its text, with the contents of archives; usually without what it repeats of the address."""

    address: str
    status: int
    etag: str
    body: str
    started: float

    @property
    def tells(self) -> bool:
        """Whether it has anything of the hidden dataset."""
        return bool(_HIDDEN.search(self.body))

    @property
    def quotes(self) -> bool:
        """Whether it has anything that tests printed."""
        return bool(_PRINTED.search(self.body))


class Crawler:
    """One visitor at one web server. `as_sent`: bodies keep what they repeat of their address, so all their links."""

    def __init__(self, port: int, session: str = "", *, as_sent: bool = False) -> None:
        self.port = port
        self._as_sent = as_sent
        self._headers = {"Cookie": f"sessionid={session}"} if session else {}

    def get(self, address: str, **headers: str) -> Reply:
        """One request, once more where too many exports run."""
        for _ in range(50):
            started = time.monotonic()
            status, etag, content = self._request(address, {**self._headers, **headers})
            if status != BUSY or address == "/readyz":
                break
            time.sleep(0.1)
        text = text_of(content)
        body = text if self._as_sent else _without_echo(text, address)
        return Reply(address, status, etag, body, started)

    def get_all(self, addresses: Iterable[str]) -> list[Reply]:
        """One request for each address, in their order."""
        with ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(self.get, addresses))

    def _request(self, address: str, headers: dict[str, str]) -> tuple[int, str, bytes]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request("GET", quote(address, safe="/?&=%+:,;~"), headers=headers)
            response = connection.getresponse()
            content = response.read()
        told = "\n".join(f"{name}: {value}" for name, value in response.getheaders())
        return response.status, response.headers.get("ETag", ""), told.encode() + b"\n\n" + content


def text_of(content: bytes) -> str:
    """Headers and body as text; archives and tables are unpacked."""
    head, _, body = content.partition(b"\n\n")
    if body[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())
    elif body[:4] == b"PAR1":
        import pyarrow.parquet as pq

        table = pq.read_table(io.BytesIO(body))
        body = f"{table.schema.metadata} {table.to_pylist()}".encode()
    return (head + b"\n\n" + body).decode("utf-8", "replace")


def _without_echo(text: str, address: str) -> str:
    """The text without the parts of the address that it repeats."""
    parts = {part for part in re.split(r"[/?&=]", unquote(address)) if WORD in part or TWIN in part}
    for part in sorted({address, unquote(address), *parts}, key=len, reverse=True):
        if len(part) > 1:
            for form in {part, quote(part), quote(part, safe=""), quote_plus(part), html.escape(part)}:
                text = text.replace(form, "")
    return text


def links(replies: Iterable[Reply], port: int, pattern: re.Pattern[str] = _LINK) -> list[str]:
    """The addresses of this site that these responses link to, without duplicates.

    `pattern`: what a link is, with two groups of which one is its address.
    """
    found: dict[str, None] = {}
    for reply in replies:
        for pair in pattern.findall(reply.body):
            target = html.unescape(pair[0] or pair[1])
            parts = urlsplit(target)
            own = parts.netloc in ("", f"127.0.0.1:{port}") and parts.scheme in ("", "http")
            if own and parts.path.startswith("/") and not parts.path.startswith(_SKIPPED):
                found[parts.path + (f"?{parts.query}" if parts.query else "")] = None
            elif own and target.startswith("?"):
                found[urlsplit(reply.address).path + target] = None
    return list(found)


def twin(address: str, missing: dict[str, str]) -> str:
    """The address of something like it that does not exist: names have another word, numbers are those of nothing."""
    path, mark, query = address.replace(WORD, TWIN).partition("?")
    parts = [
        missing.get(part, part) if place in (2, 4) else part for place, part in enumerate(path.split("/"))
    ]
    query = re.sub(r"(?<![^=])\d+(?![^&])", lambda found: missing.get(found[0], found[0]), query)
    return "/".join(parts) + mark + query


def same_but_for_the_name(one: Reply, other: Reply) -> bool:
    """Whether both responses say the same, apart from what they repeat of their addresses."""
    return one.status == other.status and _shape(one) == _shape(other)


def _shape(reply: Reply) -> str:
    body = reply.body.partition("\n\n")[2].replace(TWIN, WORD)
    return re.sub(r"\d+", "0", _STRIPPED.sub("", body))
