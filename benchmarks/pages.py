"""The time of the server for each kind of page, with many runs in the database.

    python -m benchmarks.pages [--runs 6000 600000] [--requests 60]

Simulated runs of 15 agents at 80 tasks, of which 2 % are flagged as exploits, go into a SQLite database of their own;
their run directories are not there. Beside them are the results of others that ship with the project: eight boards, the
largest of 43 agents at 500 tasks.
Each page is requested through the WSGI application and all middleware, in this process, with its own Redis. The hook
that gunicorn calls after a response is called here, too; no reader waits for it, so it is not counted. "Cached":
nothing has changed since the previous request. "Recomputed": a simulated run changes before each request, and its
worker prepares its board; so pages that show it are computed again, and those of the boards of others are not: these
change only when they are imported. The promise is for the 95th percentile of both. For comparison, the time in which
the database sums up the runs is printed: a site without cells would need at least that. Exits with 1 when a promise is
broken.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np

from benchmarks.analysis import measured
from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import SMALL, fill, prepare
from tests.conftest import RedisServer

WARM_UP = 3
STRIDE = 401  # from one change to the next, in runs: to another agent, another task
_CHANGES = count()


@dataclass(frozen=True, slots=True)
class Page:
    """A kind of page: its path, and how many milliseconds are promised with few runs and with many."""

    name: str
    path: str
    few: float
    many: float


HERE = "dataset=simulated"
SWE_BENCH = "dataset=swe-bench-verified-bash-only"
OPENHANDS = "dataset=openhands-index-swe-bench-verified"
TERMINAL_BENCH = "dataset=terminal-bench-core"
PAGES = (
    Page("leaderboard", f"/?{HERE}", 30, 60),
    Page("leaderboard, without flagged", f"/?{HERE}&flagged=without", 30, 60),
    Page("leaderboard, one repository", f"/?{HERE}&repository=repository-0", 30, 60),
    Page("leaderboard, reported, 43 × 500", f"/?{OPENHANDS}", 30, 60),
    Page("leaderboard, reported, 25 × 500", f"/?{SWE_BENCH}", 30, 60),
    Page("leaderboard, reported, 13 × 80", f"/?{TERMINAL_BENCH}", 30, 60),
    Page("heatmap", "/repositories/repository-0/", 60, 150),
    Page("agent", "/agents/agent-07/", 60, 150),
    Page("agent, reported", "/agents/swe-bench-verified-bash-only-minimax-m2/", 60, 150),
    Page("repositories, reported", f"/repositories/?{SWE_BENCH}", 60, 150),
    Page(
        "heatmap, reported, 231 tasks", "/repositories/swe-bench-verified-bash-only-django-django/", 60, 150
    ),
    Page("heatmap of a board, 43 × 500", f"/analysis/heatmap/?{OPENHANDS}", 150, 300),
    Page("source", "/sources/swe-bench-verified-bash-only/", 60, 150),
    Page("near misses", f"/near-misses/?threshold=60&{HERE}", 60, 150),
    Page("near misses, reported", f"/near-misses/?threshold=60&{TERMINAL_BENCH}", 60, 150),
    Page("list of tasks", "/tasks/", 60, 150),
    Page(
        "list of tasks of a repository",
        "/tasks/?repository=swe-bench-verified-bash-only-django-django",
        60,
        150,
    ),
    Page("list of agents", "/agents/", 60, 150),
    Page("list of models", "/models/", 60, 150),
    Page("model", "/models/claude-opus-4-6/", 60, 150),
    Page("list of runs", "/runs/", 60, 150),
    Page("runs lost to the infrastructure", "/runs/?outcome=infrastructure_failed", 60, 150),
    Page("runs with suspected exploits", "/runs/?exploit=flagged", 60, 150),
    Page("analysis", f"/analysis/?{HERE}", 150, 300),
    Page("analysis: cost", f"/analysis/efficiency/?{HERE}", 150, 300),
    Page("analysis: cost, reported", f"/analysis/efficiency/?{SWE_BENCH}", 150, 300),
    Page("analysis: tools", f"/analysis/tools/?{HERE}", 150, 300),
)


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of the requests for a page, its size in bytes, and the number of queries of one request."""

    middle: float
    slow: float
    size: int
    queries: int


def main() -> int:
    """Prints a table for each number of runs; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[SMALL, 600_000])
    parser.add_argument("--requests", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory:
        prepare(Path(directory))
        from django.core.management import call_command  # noqa: PLC0415 - needs Django

        call_command("collectstatic", interactive=False, verbosity=0)
        import benchbench.wsgi  # noqa: F401, PLC0415 - what a web process does before its first request

        redis = RedisServer(Path(directory) / "redis")  # where the settings expect it
        redis.start()
        try:
            met = [_table(count, options.requests) for count in options.runs]
        finally:
            redis.stop()
    return conclude(all(met))


def compute_analysis() -> None:
    """What `manage.py answer` does for the analysis pages."""
    from runs.reporting.topics.computing import compute_topics  # noqa: PLC0415 - needs Django

    for dataset in (HERE, SWE_BENCH, TERMINAL_BENCH):
        compute_topics(dataset)


def load_reported() -> None:
    """Imports the results of others that ship with the project; nothing the second time."""
    from django.conf import settings  # noqa: PLC0415 - needs Django

    from runs.intake.reported.source_file import SOURCE, read_directory  # noqa: PLC0415
    from runs.intake.reported.storing import store  # noqa: PLC0415

    for path in sorted((settings.DATASETS_ROOT / "reported").glob(f"*/{SOURCE}")):
        store(read_directory(path.parent, {}))


def change() -> None:
    """A change like that of a settled run: one run has another outcome, its cell is recomputed, and what pages
    show of it is prepared, as the worker does."""
    from django.db import transaction  # noqa: PLC0415 - needs Django

    from runs.data.cells import filtered_cells, open_cells  # noqa: PLC0415
    from runs.data.cells.recompute import recompute_cells  # noqa: PLC0415
    from runs.data.run_facts.prepared_pages import prepare_pages  # noqa: PLC0415
    from runs.models import Run  # noqa: PLC0415

    # Another run each time, so that no result of an earlier state is used.
    graded = Run.objects.filter(outcome__in=(Run.Outcome.RESOLVED, Run.Outcome.UNRESOLVED)).order_by("pk")
    run = graded[next(_CHANGES) * STRIDE % min(SMALL, graded.count())]
    other = Run.Outcome.UNRESOLVED if run.outcome == Run.Outcome.RESOLVED else Run.Outcome.RESOLVED
    with transaction.atomic():
        Run.objects.filter(pk=run.pk).update(outcome=other)
        recompute_cells([(run.agent_id, run.task_id)])
    # The worker is another process: what it reads is not in the memory of this one.
    stored, open_cells._stored = open_cells._stored, {}
    of_few = filtered_cells._of_few
    filtered_cells._of_few = of_few.__wrapped__  # type: ignore[assignment]
    prepare_pages(run)
    open_cells._stored, filtered_cells._of_few = stored, of_few


def timing(path: str, requests: int, before: Callable[[], None] = lambda: None) -> Timing:
    """Requests a page several times, each time after `before()`. Raises RuntimeError for a status other than 200."""
    from django.db import connection  # noqa: PLC0415 - needs Django
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    for _ in range(WARM_UP):
        _, size = _requested(path)
    before()
    with CaptureQueriesContext(connection) as captured:
        _requested(path)
        queries = len(captured)  # the next request forgets them
    seconds = []
    for _ in range(requests):
        before()
        seconds.append(_requested(path)[0])
    middle, slow = (1000 * np.quantile(seconds, [0.5, 0.95])).tolist()
    return Timing(middle, slow, size, queries)


def _requested(path: str) -> tuple[float, int]:
    """Seconds until the last byte of a page, and its size in bytes. Then does what the server does afterwards."""
    from django.test import RequestFactory  # noqa: PLC0415 - needs Django

    from benchbench.web_hooks import post_request  # noqa: PLC0415
    from benchbench.wsgi import application  # noqa: PLC0415

    statuses: list[str] = []

    def begin(status: str, *_: object) -> Callable[[bytes], object]:
        statuses.append(status)
        return lambda _: None

    reader = RequestFactory(headers={"host": "localhost", "accept-encoding": "gzip"})
    environ = reader.get(path).environ
    began = time.perf_counter()
    response = application(environ, begin)
    size = sum(map(len, response))
    seconds = time.perf_counter() - began
    response.close()
    del response
    post_request(None, None, environ, None)
    if statuses != ["200 OK"]:
        raise RuntimeError(f"{path} responds with {statuses}")
    return seconds, size


def _table(count: int, requests: int) -> bool:
    from benchmarks.stored import sums_of_runs  # noqa: PLC0415 - needs Django

    fill(count)
    load_reported()
    topics, _ = measured(compute_analysis)
    sums, _ = measured(sums_of_runs)
    print(f"\n{count:,} runs, {requests} requests; sums over the runs by SQL alone: {1000 * sums:,.1f} ms")
    print(f"time of the analysis worker for all analysis pages: {topics:,.1f} s")
    print(f"{'':<30}{'cached, ms':>16}{'recomputed, ms':>25}")
    print(
        f"{'':<30}{'median':>8}{'p95':>8}{'queries':>9}{'median':>8}{'p95':>8}{'queries':>9}{'promised':>10}{'KB':>6}"
    )
    met = True
    for page in PAGES:
        cached, recomputed = timing(page.path, requests), timing(page.path, requests, change)
        promised = page.few if count <= SMALL else page.many
        fine = max(cached.slow, recomputed.slow) <= promised
        print(
            f"{page.name:<30}{cached.middle:>8.1f}{cached.slow:>8.1f}{cached.queries:>9}"
            f"{recomputed.middle:>8.1f}{recomputed.slow:>8.1f}{recomputed.queries:>9}{promised:>10.0f}"
            f"{cached.size / 1000:>6.0f}{mark(fine)}",
            flush=True,
        )
        met = met and fine
    return met


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
