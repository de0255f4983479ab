"""Injects a fault into a working site at a seeded moment, round after round, and checks that no work is lost.

    python -m benchmarks.chaos [--work runs|reviews…] [--rounds 100…] [--seed 1] [--database sqlite|postgres]
        [--victims NAME…] [--prepared DIRECTORY]

In each round an evaluation of the tiny dataset runs, with real workers, Redis, web server and containers. When one of
its runs is preparing, acting, grading or settling, one process is killed; with `--database postgres` this may be the
database itself, or all connections to it. Then every attempt must be settled exactly once, every try must have ended,
and no container, network, volume, process or temporary directory may be left. Exits with 1 otherwise.

With `--work reviews`, a judge reviews finished runs instead. Every review must be there once, with its file, and within
its budget; starting the same pass again must not cost a call.
"""

from __future__ import annotations

import contextlib
import random
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.chaos_faults import FAULTS, NOT_FOR_REVIEWS, POSTGRES_FAULTS, WEIGHTS
from benchmarks.command_line import benchmark_parser
from benchmarks.running_site import RunningSite
from harness.llm.scripted_server import ModelServer
from tests.postgres import PostgresServer

Report = Callable[[Sequence[Any], Sequence[str]], int]


def main() -> int:
    """Prints a line for each round and the totals; 1 if an attempt was lost or counted twice, or anything was left."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--work", nargs="+", choices=["runs", "reviews"], default=["runs"])
    parser.add_argument("--rounds", nargs="+", type=int, default=[100], help="for each work, or for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--victims", nargs="+", choices=sorted({**FAULTS, **POSTGRES_FAULTS}))
    parser.add_argument(
        "--prepared", type=Path, help="a data directory before its first start, to begin with"
    )
    options = parser.parse_args()
    victims = {work: _victims(parser, options, work) for work in options.work}
    rounds = dict(zip(options.work, options.rounds * (1 if len(options.rounds) > 1 else 2), strict=False))
    with (
        tempfile.TemporaryDirectory(prefix="chaos-") as directory,
        _database(options.database) as postgres,
    ):
        site = RunningSite(Path(directory), postgres, options.prepared)
        with site.started():
            done = [
                _all_rounds(site, work, rounds[work], options.seed, chosen)
                for work, chosen in victims.items()
            ]
        from benchmarks.chaos_rounds import left_at_the_end  # noqa: PLC0415 - needs Django

        left = left_at_the_end(site)
        if left or any(one.violations for _, several in done for one in several):
            print(site.served.output()[-20_000:], file=sys.stderr)
    return max(report(several, left) for report, several in done)


def _victims(parser: ArgumentParser, options: Namespace, work: str) -> list[str]:
    """What is killed during such work; ends the program if an option names what is not there."""
    faults = {**FAULTS, **(POSTGRES_FAULTS if options.database == "postgres" else {})}
    chosen = options.victims or sorted(faults)
    if not faults.keys() >= set(chosen):
        parser.error(f"not with this database: {', '.join(sorted(set(chosen) - faults.keys()))}")
    found = [name for name in chosen if work == "runs" or name not in NOT_FOR_REVIEWS]
    if not found:
        parser.error(f"not with {work}: {', '.join(chosen)}")
    return found


def _all_rounds(
    site: RunningSite, work: str, count: int, seed: int, chosen: Sequence[str]
) -> tuple[Report, list[Any]]:
    """Has the rounds of one kind of work. Returns them, and what reports them."""
    weights = [WEIGHTS.get(name, 1) for name in chosen]
    rounds = _review_rounds(site) if work == "reviews" else _run_rounds(site)
    with rounds as (heading, run_round, report):
        print(heading)
        done = []
        for number in range(count + 1):
            chance = random.Random(f"{seed}/{number}")
            # No fault in round 0: it builds the image and shows that the setup works.
            fault = chance.choices(chosen, weights)[0] if number else ""
            done.append(run_round(number, fault, chance))
            print(done[-1], flush=True)
    return report, done


Rounds = tuple[str, Callable[[int, str, random.Random], Any], Report]


@contextlib.contextmanager
def _run_rounds(site: RunningSite) -> Iterator[Rounds]:
    from benchmarks import chaos_rounds  # noqa: PLC0415 - needs Django

    yield chaos_rounds.HEADING, partial(chaos_rounds.run_round, site), chaos_rounds.report


@contextlib.contextmanager
def _review_rounds(site: RunningSite) -> Iterator[Rounds]:
    from benchmarks import chaos_reviews  # noqa: PLC0415 - needs Django

    with ModelServer({"judge": chaos_reviews.slow_judge}) as server:
        judged = chaos_reviews.JudgedSite(site, server)
        judged.prepare()
        yield (
            chaos_reviews.HEADING,
            partial(chaos_reviews.run_review_round, judged),
            chaos_reviews.report_reviews,
        )


@contextlib.contextmanager
def _database(name: str) -> Iterator[PostgresServer | None]:
    """A PostgreSQL server for the faults, or None for SQLite, which is in the site's directory."""
    if name == "sqlite":
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="chaos-postgres-") as directory:
        server = PostgresServer(Path(directory))
        server.start()
        try:
            yield server
        finally:
            server.crash()


if __name__ == "__main__":
    sys.exit(main())
