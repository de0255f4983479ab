"""Reads a site of canaries at every address, as four kinds of visitor, while its dataset is hidden and opened again.

    python -m benchmarks.leaks [--rounds 5] [--links 2000]

Promised: after the dataset has been hidden, no address of two web servers tells readers of it, no copy of a page is
confirmed, what is hidden answers like what does not exist, and only operators get what tests printed.
Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from benchmarks.command_line import benchmark_parser, conclude
from tests.browser.site import free_port
from tests.site.leak_rounds import OUTSIDERS, Crawled, crawl
from tests.site.serving import Served


def figures(found: Crawled) -> dict[str, int]:
    """What a round read, and what leaked in it."""
    readers = [reply for who in OUTSIDERS for replies in found.after[who] for reply in replies]
    before = {reply.address for reply in found.before if reply.tells}
    responses = len(found.before) + len(found.during) + len(found.twins)
    return {
        "addresses": len(found.before) + len(found.twins),
        "responses": responses + sum(len(replies) for crawls in found.after.values() for replies in crawls),
        "addresses that tell anybody of the dataset before": len(before),
        "addresses that tell operators of it afterwards": sum(
            reply.tells for reply in found.after["operator"][0]
        ),
        "leaks: addresses that tell readers of it afterwards": len(
            {one.address for one in readers if one.tells}
        ),
        "leaks: late responses while it was hidden": sum(reply.tells for reply in found.later()),
        "leaks: confirmed copies": sum(304 in statuses for statuses in found.copies.values()),
        "leaks: responses unlike those of nothing": len(found.different()),
        "leaks: addresses with what tests printed": len(
            {one.address for one in found.of_others() if one.quotes}
        ),
    }


def leaks(found: Crawled) -> set[str]:
    """The addresses that told too much."""
    told = {
        reply.address for who in OUTSIDERS for replies in found.after[who] for reply in replies if reply.tells
    }
    told |= {reply.address for reply in found.later() if reply.tells}
    told |= {address for address, statuses in found.copies.items() if 304 in statuses}
    told |= {f"{one.address} (unlike nothing)" for one, _ in found.different()}
    return told | {f"{reply.address} (printed)" for reply in found.of_others() if reply.quotes}


def main() -> int:
    """Prints the figures of each round, and where something leaked."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--links", type=int, default=2000, help="links that are followed (default: %(default)s)"
    )
    options = parser.parse_args()
    os.environ["BENCHBENCH_API_REQUESTS"] = "0"
    places: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="leaks") as directory:
        data = Path(directory) / "data"
        with Served(data, world="tests.site.canaries", workers=1) as served:
            second = free_port()
            served.serve(second, 1)
            for number in range(1, options.rounds + 1):
                found = crawl(served, second, links_too=options.links, during=40)
                sys.stdout.write(f"round {number}\n")
                for name, value in figures(found).items():
                    sys.stdout.write(f"  {value:>7,}  {name}\n")
                places |= leaks(found)
                served.run("-m", "tests.site.canaries", str(data), "open")
    for place in sorted(places):
        sys.stdout.write(f"leak: {place}\n")
    return conclude(not places, f"{len(places)} addresses leak")


if __name__ == "__main__":
    sys.exit(main())
