"""Visits the public pages of a site, from its sitemap on, and finds the faults of each."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit

from tests.site.crawling import Crawler, Reply, links
from tests.site.faults.page_faults import Fault, page_faults

FOLLOWED = {"dataset", "a", "b"}  # parameters; others arrange the same page in another way
# No pages; those that need a session answer others with a redirect to the login.
OTHERS = re.compile(r"/(api|embed|queue|static|raw|files)\b|/[^/]*\.\w+$")
ENOUGH = 40  # pages of one kind and one board
OF_RUNS = re.compile(r"/(runs|evaluations|compare)/")
BATCH = 40
OTHER_ANSWERS = {301, 302, 405}  # a page at another address, or none for readers
PENDING = 'data-state="pending"'
PATIENCE = 120  # seconds in which a worker computes the results of a topic


@dataclass(slots=True)
class Walk:
    """The pages that a visitor reaches. `crawler`: gets them as they are sent.

    `enough`: how many of one kind are visited on each board.
    `found_on`: the page that first linked to each address.
    """

    crawler: Crawler
    enough: int = ENOUGH
    _boards: set[str] = field(default_factory=set)
    _met: set[str] = field(default_factory=set)
    _counts: Counter[str] = field(default_factory=Counter)
    found_on: dict[str, str] = field(default_factory=dict)

    def visit(self) -> Iterator[tuple[str, list[Fault]]]:
        """Each page that the sitemap and the pages themselves lead to, with its faults."""
        site_map = self.crawler.get("/sitemap.xml").body
        found = ["/", *(urlsplit(place).path for place in re.findall(r"<loc>([^<]+)", site_map))]
        self._learn_boards([self.crawler.get("/"), self.crawler.get("/tasks/")])
        waiting = list(self._wanted(found))
        while waiting:
            batch, waiting = waiting[:BATCH], waiting[BATCH:]
            replies = [self._computed(reply) for reply in self.crawler.get_all(batch)]
            for reply in replies:
                if reply.status not in OTHER_ANSWERS and "text/html" in reply.body.partition("\n\n")[0]:
                    yield reply.address, _faults(reply)
            for reply in replies:
                for address in self._wanted(links([reply], self.crawler.port)):
                    self.found_on[address] = reply.address
                    waiting.append(address)

    def _learn_boards(self, replies: Sequence[Reply]) -> None:
        for address in links(replies, self.crawler.port):
            self._boards |= {value for name, value in parse_qsl(urlsplit(address).query) if name == "dataset"}

    def _wanted(self, addresses: Sequence[str]) -> Iterator[str]:
        """Those that are public pages, were not met yet, and of which there were not enough."""
        for address in addresses:
            parts = urlsplit(address)
            names = {name for name, _ in parse_qsl(parts.query)}
            if address in self._met or OTHERS.search(parts.path) or not names <= FOLLOWED:
                continue
            self._met.add(address)
            kind = self._kind(parts.path, parts.query)
            self._counts[kind] += 1
            if not kind or self._counts[kind] <= self.enough:
                yield address

    def _kind(self, path: str, query: str) -> str:
        """What pages have in common of which some are enough; '' for pages that are all visited."""
        segments = path.strip("/").split("/")
        if OF_RUNS.match(path):
            return re.sub(r"\d+", "0", path) if query or len(segments) > 1 else ""
        if segments[0] == "tasks" and len(segments) > 2:
            of = [board for board in self._boards if segments[1].startswith(board.partition("~")[0])]
            return f"tasks {max(of, key=len, default='')}"
        return ""

    def _computed(self, reply: Reply) -> Reply:
        until = time.monotonic() + PATIENCE
        while PENDING in reply.body and time.monotonic() < until:
            time.sleep(0.5)
            reply = self.crawler.get(reply.address)
        return reply


def _faults(reply: Reply) -> list[Fault]:
    if reply.status != HTTPStatus.OK or PENDING in reply.body:
        return [Fault("not shown", str(reply.status))]
    return page_faults(reply.body.partition("\n\n")[2])
