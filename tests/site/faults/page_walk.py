"""Visits some public pages of each kind and each board of a site, from its sitemap on, and finds the faults of each."""

from __future__ import annotations

import html
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import islice
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from tests.site.crawling import Crawler, Reply, links
from tests.site.faults.page_faults import Fault, page_faults

# No pages; those that need a session answer others with a redirect to the login.
OTHERS = re.compile(r"/(api|embed|queue|static|raw|files)\b|/[^/]*\.\w+$")
FOLLOWED = re.compile(r'href="([^"#]+)()')  # not the addresses of forms, which need what a reader chooses
ALIKE = frozenset(
    ["agents", "models", "repositories", "tasks"]
)  # sections of pages that differ in what they name
ENOUGH = 40  # pages of one kind and one board
BATCH = 40
OTHER_ANSWERS = {301, 302, 405}  # a page at another address, or none for readers
PENDING = 'data-state="pending"'
PATIENCE = 120  # seconds in which a worker computes the results of a topic


class Kind(NamedTuple):
    """What pages have in common: the shape of their path, their board, and the names of their parameters."""

    path: str
    board: str
    parameters: tuple[str, ...]


def kind_of(address: str, boards: Iterable[str], near: str = "") -> Kind:
    """The kind of a page. Its board is named in its address, or `near` it: on the page that links to it."""
    parts = urlsplit(address)
    parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
    section, *rest = parts.path.strip("/").split("/")
    named = [board for board in boards if rest and rest[0].startswith(f"{board}-")]
    shape = ["*" for _ in rest] if section in ALIKE else [re.sub(r"^\d+$", "0", part) for part in rest]
    return Kind(
        "/".join(["", section, *shape]),
        parameters.get("dataset") or max(named, key=len, default=near),
        tuple(sorted(parameters.keys() - {"dataset"})),
    )


@dataclass(slots=True)
class Walk:
    """The pages that a visitor reaches. `crawler`: gets them as they are sent.

    `enough`: how many of one kind are visited on each board.
    `found_on`: the page that first linked to each address.
    `visited`: how many pages of each kind were visited.
    """

    crawler: Crawler
    enough: int = ENOUGH
    found_on: dict[str, str] = field(default_factory=dict)
    visited: Counter[Kind] = field(default_factory=Counter)
    _boards: set[str] = field(default_factory=set)
    _kinds: dict[str, Kind] = field(default_factory=dict)
    _waiting: dict[Kind, deque[str]] = field(default_factory=lambda: defaultdict(deque))

    def visit(self) -> Iterator[tuple[str, list[Fault]]]:
        """Each page that is chosen, with its faults. The least visited kinds come first."""
        sitemap = self._sitemap()
        self._boards = {dict(parse_qsl(urlsplit(place).query)).get("dataset", "") for place in sitemap} - {""}
        self._meet(["/"])
        yield from self._visit_waiting()
        self._meet(sitemap)
        yield from self._visit_waiting()

    def _visit_waiting(self) -> Iterator[tuple[str, list[Fault]]]:
        while batch := list(islice(self._next(), BATCH)):
            for reply in map(self._computed, self.crawler.get_all(batch)):
                if reply.status not in OTHER_ANSWERS and "text/html" in reply.body.partition("\n\n")[0]:
                    yield reply.address, _faults(reply)
                self._meet(links([reply], self.crawler.port, FOLLOWED), reply.address)

    def _sitemap(self) -> list[str]:
        parts = _locations(self.crawler.get("/sitemap.xml"))
        return [place for part in self.crawler.get_all(parts) for place in _locations(part)]

    def _meet(self, addresses: Iterable[str], page: str = "") -> None:
        """Remembers those that are public pages; not those that arrange a page further that is arranged already."""
        of = self._kinds.get(page)
        for address in addresses:
            path = urlsplit(address).path
            kind = kind_of(address, self._boards, of.board if of else "")
            further = of and of.parameters and kind.parameters and path == urlsplit(page).path
            if address not in self._kinds and not OTHERS.search(path) and not further:
                self._kinds[address] = kind
                self.found_on[address] = page or "the sitemap"
                self._waiting[kind].append(address)

    def _next(self) -> Iterator[str]:
        """One address of each kind in turn, of which there were not enough yet."""
        for turn in range(self.enough):
            for kind, addresses in self._waiting.items():
                if addresses and self.visited[kind] == turn:
                    self.visited[kind] += 1
                    yield addresses.popleft()

    def _computed(self, reply: Reply) -> Reply:
        until = time.monotonic() + PATIENCE
        while PENDING in reply.body and time.monotonic() < until:
            time.sleep(0.5)
            reply = self.crawler.get(reply.address)
        return reply


def _locations(reply: Reply) -> list[str]:
    """The addresses of a sitemap, or of the parts of one."""
    parts = [urlsplit(html.unescape(place)) for place in re.findall(r"<loc>([^<]+)", reply.body)]
    return [part.path + (f"?{part.query}" if part.query else "") for part in parts]


def _faults(reply: Reply) -> list[Fault]:
    if reply.status != HTTPStatus.OK or PENDING in reply.body:
        return [Fault("not shown", str(reply.status))]
    return page_faults(reply.body.partition("\n\n")[2])
