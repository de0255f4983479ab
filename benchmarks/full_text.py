"""Measures the search of texts: the size of its index, and the first page of searches.

    python -m benchmarks.full_text [--runs 6000] [--characters 100000] [--requests 9]

Promised (medians): the first page takes at most 150 ms, whatever is searched for, also in runs that a filter selects;
the index takes at most half of the size of the texts. Baseline: a search for a word in the files of the runs, one by
one. `--postgres` also prints what PostgreSQL's own indexes take for a tenth of the texts. Needs no container engine.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import prepare
from benchmarks.made_texts import COMMON, COMMON_PHRASE, RARE, RARE_PHRASE, MadeTexts

PROMISED_MILLISECONDS = 150
PROMISED_SHARE = 0.5
_AGENTS, _TASKS = 15, 80
SEARCHES: tuple[tuple[str, str], ...] = (
    ("a rare word", RARE),
    ("a rare phrase", f'"{RARE_PHRASE}"'),
    ("a rare word, unresolved", f"{RARE} outcome:unresolved"),
    ("no match", "zyzzyva"),
    ("a common word", COMMON),
    ("a common phrase", f'"{COMMON_PHRASE}"'),
    ("a common word, one agent", f"{COMMON} agent:agent-03"),
    ("a common phrase, one agent", f'"{COMMON_PHRASE}" agent:agent-03'),
    ("a common word, unresolved", f"{COMMON} outcome:unresolved"),
    ("two common words", "self import"),
    ("a common word without another", "error -the"),
    ("a common word, commands", "pytest kind:command"),
    ("the beginning of words", "config*"),
)


@dataclass(frozen=True, slots=True)
class Indexing:
    """How large the index became, in bytes, for so many characters, and the seconds that it took."""

    runs: int
    characters: int
    size: int
    seconds: float

    @property
    def share(self) -> float:
        """The size of the index as a share of the texts."""
        return self.size / self.characters


def fill(runs: int, characters: int) -> None:
    """Stores so many published runs of 15 agents at 80 tasks, and writes their trajectories."""
    from django.conf import settings  # noqa: PLC0415 - needs Django

    from benchmarks.stored import store_many  # noqa: PLC0415
    from runs.models import Evaluation, Run  # noqa: PLC0415
    from tasks.models import Dataset, Repository, Task  # noqa: PLC0415

    dataset = Dataset.objects.create(
        slug="made", title="Made", description="", version="1", licence="MIT", directory="/nowhere"
    )
    home = Repository.objects.create(
        dataset=dataset, slug="made", title="Made", description="", stack="Python", domain="x"
    )
    Task.objects.bulk_create(
        Task(repository=home, slug=f"task-{number}", title=f"Task {number}", digest="d" * 64, admitted=True)
        for number in range(_TASKS)
    )
    store_many(runs, _AGENTS, _TASKS)
    Evaluation.objects.update(listed=True)
    texts = MadeTexts()
    stored = list(Run.objects.order_by("pk"))
    for run in stored:
        run.directory = f"made/{run.pk}/try-1"
        texts.write(Path(settings.RUNS_ROOT) / run.directory, run.pk, characters)
    Run.objects.bulk_update(stored, ["directory"], batch_size=500)


def make_index() -> Indexing:
    """Indexes all runs."""
    from runs.data.text_index.indexing import rebuild_text_index  # noqa: PLC0415 - needs Django

    began = time.perf_counter()
    made = rebuild_text_index()
    return Indexing(made.runs, made.characters, made.size, time.perf_counter() - began)


def first_page(query: str, requests: int) -> tuple[float, int]:
    """The median of the milliseconds of the first page, without one request before, and how many runs it finds."""
    from django.test import Client  # noqa: PLC0415 - needs Django

    from runs.data.queries.visibility import ANONYMOUS  # noqa: PLC0415
    from runs.data.replay.open_index import update_index  # noqa: PLC0415
    from runs.data.text_index.text_query import TextQuery  # noqa: PLC0415
    from runs.data.text_index.text_search import PAGE, search_texts  # noqa: PLC0415
    from runs.models import Run  # noqa: PLC0415

    found = search_texts(TextQuery.parse(query), ANONYMOUS).runs
    for run in Run.objects.filter(pk__in=[each.run for each in found[:PAGE]]):
        update_index(run.path)  # as when a run settles
    times = []
    client = Client(headers={"host": "localhost"})
    for _ in range(requests + 1):
        began = time.perf_counter()
        response = client.get("/search/", {"q": query})
        times.append(1000 * (time.perf_counter() - began))
        assert response.status_code == 200
    return median(times[1:]), len(found)


def scan(word: str, most: int) -> tuple[float, int]:
    """The milliseconds of looking for a word in the files of so many runs, for all of them, and how many have it."""
    from runs.models import Run  # noqa: PLC0415 - needs Django

    paths = [run.path / "trajectory.jsonl" for run in Run.objects.order_by("pk")]
    began = time.perf_counter()
    found = sum(word.encode() in path.read_bytes() for path in paths[:most])
    return 1000 * (time.perf_counter() - began) * len(paths) / min(most, len(paths)), found


def main() -> int:
    """Prints the figures; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--runs", type=int, default=6_000)
    parser.add_argument("--characters", type=int, default=100_000, help="of each run (default 100000)")
    parser.add_argument("--requests", type=int, default=9, help="of each search (default 9)")
    parser.add_argument("--postgres", action="store_true", help="also measure PostgreSQL's own indexes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory:
        prepare(Path(directory))
        from django.core.management import call_command  # noqa: PLC0415 - needs Django

        call_command("collectstatic", interactive=False, verbosity=0)
        fill(options.runs, options.characters)
        made = make_index()
        met = [made.share <= PROMISED_SHARE]
        print(
            f"{made.runs:,} runs, {made.characters / 1e6:,.0f} million characters, indexed in {made.seconds:,.0f} s: "
            f"{made.size / 1e6:,.0f} MB, {made.share:.2f} of the texts{mark(met[0])}"
        )
        milliseconds, _ = scan(RARE, 600)
        print(f"{'search':<32}{'runs':>8}{'first page, ms':>16}")
        print(f"{'baseline: file by file':<32}{'':>8}{milliseconds:>16,.0f}")
        met += [_row(name, query, options.requests) for name, query in SEARCHES]
        if options.postgres:
            _postgres(options.runs // 10, options.characters)
    return conclude(all(met))


def _row(name: str, query: str, requests: int) -> bool:
    milliseconds, runs = first_page(query, requests)
    met = milliseconds <= PROMISED_MILLISECONDS
    print(f"{name:<32}{runs:>8,}{milliseconds:>16,.0f}{mark(met)}", flush=True)
    return met


def _postgres(runs: int, characters: int) -> None:
    """Words with places (tsvector and GIN), and trigrams: what they take beside the texts, and a common phrase."""
    import psycopg  # noqa: PLC0415 - only here

    from tests.postgres import PostgresServer  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="benchbench-") as directory:
        server = PostgresServer(Path(directory))
        server.start()
        try:
            address = server.url.replace("postgres:", "postgresql:")
            with psycopg.connect(address, autocommit=True) as database:
                _compare(database, runs, characters)
        finally:
            server.crash()


def _compare(database: Any, runs: int, characters: int) -> None:
    execute = database.execute
    execute("CREATE EXTENSION pg_trgm")
    execute("CREATE TABLE words (step bigint PRIMARY KEY, places tsvector)")
    execute("CREATE TABLE texts (step bigint PRIMARY KEY, body text)")
    made = MadeTexts()
    whole = 0
    for run in range(runs):
        for step in made.steps(run, characters):
            text = " ".join(texts_of(step))
            whole += len(text)
            number = run * 100 + step["step_id"]
            execute("INSERT INTO words VALUES (%s, to_tsvector('simple', %s))", (number, text))
            execute("INSERT INTO texts VALUES (%s, %s)", (number, text))
    execute("CREATE INDEX by_word ON words USING gin (places)")
    execute("CREATE INDEX by_trigram ON texts USING gin (body gin_trgm_ops)")
    searches = (
        ("words and their places", "words", "places @@ phraseto_tsquery('simple', %s)"),
        ("trigrams and the texts", "texts", "body ILIKE '%%' || %s || '%%'"),
    )
    for name, table, condition in searches:
        size = execute("SELECT pg_total_relation_size(%s)", (table,)).fetchone()[0]
        times = []
        for _ in range(3):
            began = time.perf_counter()
            execute(
                f"SELECT step FROM {table} WHERE {condition} ORDER BY step DESC LIMIT 10001",  # noqa: S608
                (COMMON_PHRASE,),
            ).fetchall()
            times.append(1000 * (time.perf_counter() - began))
        print(f"PostgreSQL, {name}: {size / whole:.2f} of the texts; a common phrase {median(times):,.0f} ms")


def texts_of(step: Mapping[str, Any]) -> Sequence[str]:
    """The texts of a made step."""
    call = step["tool_calls"][0]["arguments"]
    output = step["observation"]["results"][0]["content"]
    return (step["message"], call["command"], call["content"], output)


if __name__ == "__main__":
    sys.exit(main())
