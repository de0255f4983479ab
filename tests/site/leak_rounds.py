"""What visitors of a site of canaries get before, while and after its dataset is hidden."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.site.crawling import (
    CRAWL,
    HIDDEN,
    MIXED,
    OPEN,
    Crawler,
    Reply,
    links,
    same_but_for_the_name,
    twin,
)
from tests.site.serving import Served

OUTSIDERS = ("anonymous", "reader")


@dataclass
class Crawled:
    """What anonymous readers got at each address before the dataset was hidden, and each visitor afterwards.

    `during`: what anonymous readers got meanwhile; `hidden_at`: when hiding had been done; `copies`: the status of
    requests with the ETag of a page that had told of the dataset, at both servers.
    """

    addresses: Mapping[str, list[str]]
    before: list[Reply]
    during: list[Reply]
    hidden_at: float
    copies: Mapping[str, tuple[int, ...]]
    after: Mapping[str, list[list[Reply]]]
    twins: list[tuple[Reply, Reply]]

    def later(self) -> list[Reply]:
        """What was asked for after the dataset had been hidden, while the crawler still read."""
        return [reply for reply in self.during if reply.started > self.hidden_at]

    def of_others(self) -> list[Reply]:
        """Everything that those got who are no operators, without what the dataset published while it was open."""
        others = [reply for who in (*OUTSIDERS, "viewer") for replies in self.after[who] for reply in replies]
        return [*(reply for reply in (*self.before, *self.during) if not reply.tells), *others]

    def different(self) -> list[tuple[Reply, Reply]]:
        """What is hidden, and what does not exist, where the responses differ."""
        return [pair for pair in self.twins if not same_but_for_the_name(*pair)]


def crawl(served: Served, second: int, *, links_too: int, during: int = 12) -> Crawled:
    """Reads all addresses, hides the dataset while some are read, and reads all again.

    `links_too`: how many links are followed besides; `during`: about how many addresses are read while it is hidden.
    """
    plan = json.loads((served.data / CRAWL).read_text())
    visitors = {
        who: [Crawler(port, session) for port in (served.port, second)]
        for who, session in plan["sessions"].items()
    }
    addresses: dict[str, list[str]] = plan["addresses"]
    first = list(dict.fromkeys(address for group in (OPEN, HIDDEN, MIXED) for address in addresses[group]))
    anonymous = visitors["anonymous"]
    before = anonymous[0].get_all(first)
    linked = [address for address in links(before, served.port) if address not in set(first)][:links_too]
    before += anonymous[0].get_all(linked)
    everything = [*first, *linked]
    telling = [reply for reply in before if reply.tells]
    anonymous[1].get_all([reply.address for reply in telling])  # the other process remembers, too

    meanwhile, hidden_at = _while_hiding(
        served, anonymous, [reply.address for reply in telling[:: max(1, len(telling) // during)]]
    )
    copies = {
        reply.address: tuple(
            one.get(reply.address, **{"If-None-Match": reply.etag}).status for one in anonymous
        )
        for reply in telling
        if reply.etag
    }
    after = {who: [visitors[who][0].get_all(everything)] for who in visitors if who != "anonymous"}
    after["anonymous"] = [one.get_all(everything) for one in anonymous]
    missing = {str(number): str(number + 900_000) for number in range(1, 100)}
    pairs = anonymous[0].get_all([twin(address, missing) for address in addresses[HIDDEN]])
    same = {reply.address: reply for reply in after["anonymous"][0]}
    return Crawled(
        addresses,
        before,
        meanwhile,
        hidden_at,
        copies,
        after,
        [(same[address], other) for address, other in zip(addresses[HIDDEN], pairs, strict=True)],
    )


def _while_hiding(served: Served, crawlers: list[Crawler], addresses: list[str]) -> tuple[list[Reply], float]:
    """Reads these addresses at both servers until the dataset has been hidden, and once more."""
    done = threading.Event()

    def read(crawler: Crawler) -> list[Reply]:
        found: list[Reply] = []
        while not done.is_set():
            found += [crawler.get(address) for address in addresses]
        return found

    with ThreadPoolExecutor(2 * len(crawlers)) as pool:
        readers = [pool.submit(read, crawler) for crawler in crawlers * 2]
        try:
            hidden_at = float(served.run("-m", "tests.site.canaries", str(served.data), "hide"))
        finally:
            done.set()
        return [reply for reader in readers for reply in reader.result()], hidden_at
