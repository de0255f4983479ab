"""What the pages of a site show without saying anything by it.

    python -m benchmarks.empty_parts --port 8000 [--enough 40] [--kind "said twice"] [--session KEY]

Visits pages of a running site that a visitor reaches, at most `--enough` of each kind: pages are of one kind if
they are on one board and their addresses differ only in a name, a number or the value of a parameter. With the key
of a session, it visits them as the user who is signed in. Finds charts without data, rows and columns of unknown
values alone, tables that end without a mark, different names that are shown alike, headings with nothing below,
empty parts, words of programs such as None, one thing in the plural, sentences that are said twice, and columns in
which some figures lack their unit. Promised: none of them. Exits with 1 when the promise is broken, with 2 if no server
listens.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from benchmarks.command_line import benchmark_parser, conclude
from tests.site.crawling import Crawler
from tests.site.faults.page_walk import ENOUGH, Walk

PROGRESS = 200  # pages after which it says how far it is


def main() -> int:
    """Prints each fault with its page and the page that links to it, then the number of each kind."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--port", type=int, required=True, help="where the site is, on this machine")
    parser.add_argument("--enough", type=int, default=ENOUGH, help="(default: %(default)s)")
    parser.add_argument("--session", default="", help="the cookie “sessionid” of a signed-in user")
    parser.add_argument("--kind", default="", help="only faults of this kind")
    options = parser.parse_args()
    crawler = Crawler(options.port, options.session, as_sent=True)
    try:
        crawler.get("/healthz")
    except ConnectionRefusedError:
        parser.exit(2, f"No server listens on port {options.port} of this machine.\n")
    kinds: Counter[str] = Counter()
    pages = 0
    began = time.monotonic()
    walk = Walk(crawler, options.enough)
    for address, faults in walk.visit():
        pages += 1
        if pages % PROGRESS == 0:
            seconds = time.monotonic() - began
            print(
                f"{pages:,} pages of {len(walk.visited):,} kinds in {seconds:.0f} s",
                file=sys.stderr,
                flush=True,
            )
        for fault in faults:
            if options.kind in {"", fault.kind}:
                kinds[fault.kind] += 1
                print(f"{fault.kind}\t{address}\t{fault.place}\ton {walk.found_on[address]}", flush=True)
    for kind, number in kinds.most_common():
        print(f"{number:>7,}  {kind}")
    return conclude(not kinds, f"{kinds.total()} faults on {pages} pages")


if __name__ == "__main__":
    sys.exit(main())
