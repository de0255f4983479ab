"""How long reading and analysing runs takes, and whether the leaderboard reads cells only.

    python -m benchmarks.analysis [--times 10] [--leaderboard 600000]

Records of 15 agents × 80 tasks × 5 attempts, 30 steps each, go into a SQLite database of their own and are read back.
Promised: outcomes alone in 50 ms; all results of the pages in 2 s the first time, without imports (printed in the first
row); each group of results of `--times` as many runs in at most 1.2 × `--times` as much time; runs with their behaviour
read in 0.7 s; and a leaderboard in 60 ms that reads none of the `--leaderboard` runs in the database. The time in which
the database sums up the runs is printed for comparison. Exits with 1 when a promise is broken.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import AGENTS, ATTEMPTS, TASKS, prepare
from benchmarks.simulation import simulate
from runs.analysis.everything import DEFAULT_OPTIONS, GROUPS, everything
from runs.analysis.facts import RunFacts

if TYPE_CHECKING:
    from runs.models import Evaluation

OUTCOMES_SECONDS, EVERYTHING_SECONDS = 0.05, 2.0
READING_SECONDS = 0.7
LEADERBOARD_SECONDS = 0.06
GROWTH = 1.2
REPEATS = 5
WIDTH = 38

Result = TypeVar("Result")


def main() -> int:
    """Prints the table; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--times", type=int, default=10, help="as many runs more (default 10)")
    parser.add_argument("--leaderboard", type=int, default=600_000, metavar="RUNS")
    options = parser.parse_args()
    imports, _ = measured(lambda: everything(simulate(3, 6, 2, steps=5)))
    print(f"{'':<{WIDTH}}{'seconds':>9}{'promised':>10}")
    line("imports, and all of 36 runs", imports)
    runs = simulate(AGENTS, TASKS, ATTEMPTS)
    met = [analysis(runs), growth(runs, options.times)]
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory:
        prepare(Path(directory))
        met += [reading(runs), leaderboard(options.leaderboard)]
    return conclude(all(met))


def measured(work: Callable[[], Result], repeats: int = 1) -> tuple[float, Result]:
    """The shortest of several times, in seconds, and the result. Garbage is collected before each."""
    best = float("inf")
    for _ in range(repeats):
        gc.collect()
        began = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - began)
    return best, result


def line(what: str, seconds: float, promised: float | None = None) -> bool:
    """Prints a row. Returns whether the promise holds."""
    met = promised is None or seconds <= promised
    said = "" if promised is None else f"{promised:>10.2f}{mark(met)}"
    print(f"{what:<{WIDTH}}{seconds:>9.3f}{said}", flush=True)
    return met


def analysis(runs: Sequence[RunFacts]) -> bool:
    """Times all groups together, the first time, and then each group by itself."""
    cold, _ = measured(lambda: everything(runs))
    met = line(f"everything, {len(runs):,} runs", cold, EVERYTHING_SECONDS)
    for name, group in GROUPS.items():
        seconds, _ = measured(lambda group=group: group(runs, DEFAULT_OPTIONS), REPEATS)  # type: ignore[misc] # bound here
        met &= line(f"  {name}", seconds, OUTCOMES_SECONDS if name == "outcomes" else None)
    return met


def growth(runs: Sequence[RunFacts], times: int) -> bool:
    """Times each group, and all together, for `times` as many runs over `times` as many tasks."""
    more = simulate(AGENTS, TASKS * times, ATTEMPTS)
    met = True
    few = many = 0.0
    for name, group in GROUPS.items():
        before, _ = measured(lambda group=group: group(runs, DEFAULT_OPTIONS), REPEATS)  # type: ignore[misc] # bound here
        after, _ = measured(lambda group=group: group(more, DEFAULT_OPTIONS), REPEATS)  # type: ignore[misc]
        met &= grown(f"  {name}", len(more), after, before, times)
        few, many = few + before, many + after
    return grown("everything", len(more), many, few, times) and met


def grown(what: str, count: int, after: float, before: float, times: int) -> bool:
    """Prints a row with the ratio of both times. Returns whether it is in proportion to the number of runs."""
    return line(f"{what}, {count:,} runs, {after / before:.1f} ×", after, GROWTH * times * before)


def reading(runs: Sequence[RunFacts]) -> bool:
    """Times reading the runs from the database for the analysis."""
    from benchmarks.stored import store  # noqa: PLC0415 - needs Django
    from runs.data.run_facts.facts_query import run_facts  # noqa: PLC0415

    evaluation: Evaluation = store(runs, "Read back")
    plain, found = measured(lambda: run_facts(evaluation.runs.all()), REPEATS)
    whole, counted = measured(lambda: run_facts(evaluation.runs.all(), with_behaviour=True), REPEATS)
    assert len(found) == len(counted) == len(runs)
    assert all(run.behaviour is not None for run in counted)
    line(f"reading {len(runs):,} runs", plain)
    return line("reading them with behaviour", whole, READING_SECONDS)


def leaderboard(count: int) -> bool:
    """Times the leaderboard with `count` runs in the database, and checks its SQL."""
    from django.db import connection  # noqa: PLC0415 - needs Django
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    from benchmarks.stored import store_many, sums_of_runs  # noqa: PLC0415
    from runs.rankings.leaderboard.board import board  # noqa: PLC0415
    from runs.rankings.leaderboard.board_source import BoardSource  # noqa: PLC0415

    store_many(count, AGENTS, TASKS)
    baseline, _ = measured(sums_of_runs)
    with CaptureQueriesContext(connection) as captured:
        rows = board({}, BoardSource()).rows
    seconds, _ = measured(lambda: board({}, BoardSource()), REPEATS)
    line(f"sums over {count:,} runs by SQL", baseline)
    met = line("the leaderboard of the same", seconds, LEADERBOARD_SECONDS)
    touched = [query["sql"] for query in captured if '"runs_run"' in query["sql"]]
    print(f"  {len(rows)} rows in {len(captured)} queries, {len(touched)} of which read runs")
    return met and not touched


if __name__ == "__main__":
    sys.exit(main())
