"""Attempts to forge the verdict of a task, each graded as a run's patch is, and honest solutions.

    python -m benchmarks.forging [--only CLASS/NAME …] [--json FILE] [--data DIR] [--control] [--no-honest]

An attempt solves nothing of its task. It is *clean* if the grade is resolved without a flag, *flagged* if it is
resolved with one. Promised: no clean attempt, at most two flagged ones, and every honest solution resolved without a
flag. Exits with 1 when the promise is broken. `--control` runs every attempt in a container without any defence too,
and counts which of them forge a verdict there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.command_line import benchmark_parser
from benchmarks.forging.attempts import ATTEMPTS, Attempt
from benchmarks.forging.report import conclude_all, print_line
from benchmarks.forging.rounds import Round, attempt_round, honest_rounds
from benchmarks.forging.worlds import WORLDS
from benchmarks.forging.worlds.datasets import Place, prepare
from harness.sandbox.docker import DockerEngine

INSTANCE = "benchmark-forging"


def main() -> int:
    """Prints a line for each round and the totals; 1 when the promise is broken."""
    options = _options()
    attempts = [attempt for attempt in ATTEMPTS.values() if _chosen(attempt, options.only)]
    names = {attempt.world for attempt in attempts}
    with _directory(options.data) as directory, contextlib.closing(DockerEngine()) as engine:
        places = prepare(directory, [WORLDS[name] for name in WORLDS if name in names], engine, INSTANCE)
        rounds: list[Round] = []
        for done in _rounds(engine, places, attempts, options):
            rounds.append(done)
            print_line(done, options.verbose)
            if options.json:
                options.json.write_text(json.dumps([one.to_json() for one in rounds], indent=1) + "\n")
    return conclude_all(rounds, control=options.control)


def _rounds(
    engine: DockerEngine,
    places: Mapping[str, Place],
    attempts: Sequence[Attempt],
    options: argparse.Namespace,
) -> Iterator[Round]:
    for attempt in attempts:
        yield attempt_round(engine, places[attempt.world], attempt, INSTANCE, control=options.control)
    if options.honest:
        for place in places.values():
            yield from honest_rounds(engine, place, INSTANCE)


def _options() -> argparse.Namespace:
    parser = benchmark_parser(__doc__)
    parser.add_argument(
        "--only", nargs="+", default=[], help="classes (a), attempts (a/name) or worlds (c-command)"
    )
    parser.add_argument("--json", type=Path, help="write every round to this file")
    parser.add_argument(
        "--data", type=Path, help="store the admitted datasets in this directory, for the next call"
    )
    parser.add_argument("--control", action="store_true", help="also run every attempt without a defence")
    parser.add_argument("--no-honest", dest="honest", action="store_false", help="leave out honest solutions")
    parser.add_argument(
        "--verbose", action="store_true", help="print the reasons, and outputs of failed controls"
    )
    return parser.parse_args()


def _chosen(attempt: Attempt, only: list[str]) -> bool:
    return not only or not {attempt.kind, attempt.id, attempt.world}.isdisjoint(only)


@contextlib.contextmanager
def _directory(given: Path | None) -> Iterator[Path]:
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="forging-") as directory:
        yield Path(directory)


if __name__ == "__main__":
    sys.exit(main())
