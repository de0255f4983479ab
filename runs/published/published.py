"""Reads the published tables that lie beside this file, with the source of each."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Paper:
    """Where tables come from."""

    slug: str
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """One table as it was printed: every cell is text. `anchor` is unique, for links."""

    paper: Paper
    number: int
    caption: str
    file: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def anchor(self) -> str:
        """Names the table in an address."""
        return f"{self.paper.slug}-table-{self.number}"


IDE_BENCH = Paper(
    "ide-bench",
    "IDE-Bench (arXiv)",
    "15 models on 80 tasks in 8 repositories, five attempts each. ± are half widths of 95 % intervals.",
)
AGENT_LENS = Paper("agentlens", "AgentLens (arXiv)", "Harnesses with models, scored by judges from 0 to 100.")
CODING_AGENT_EVALUATION = Paper(
    "coding-agent-evaluation-framework",
    "Coding Agent Evaluation Framework",
    "Three models under six ways of scoring.",
)

_CATALOGUE = (
    (IDE_BENCH, 1, "Tasks resolved", "ide_bench_table1_resolution.csv"),
    (IDE_BENCH, 2, "Near misses", "ide_bench_table2_near_misses.csv"),
    (IDE_BENCH, 3, "Tokens per success", "ide_bench_table3_tokens_per_success.csv"),
    (IDE_BENCH, 5, "Consistency over attempts", "ide_bench_table5_consistency.csv"),
    (IDE_BENCH, 6, "Variance between and within tasks", "ide_bench_table6_variance.csv"),
    (IDE_BENCH, 8, "Iterations and what they were spent on", "ide_bench_table8_iterations.csv"),
    (IDE_BENCH, 9, "Tasks that tell models apart", "ide_bench_table9_discriminative.csv"),
    (IDE_BENCH, 10, "Minutes by repository", "ide_bench_table10_duration_minutes.csv"),
    (IDE_BENCH, 11, "Thousands of tokens by model", "ide_bench_table11_token_distribution.csv"),
    (IDE_BENCH, 12, "First attempt and five attempts", "ide_bench_table12_first_attempt.csv"),
    (AGENT_LENS, 6, "Quality of harnesses and models", "agentlens_table6_leaderboard.csv"),
    (CODING_AGENT_EVALUATION, 5, "Six scores", "coding_agent_eval_table5_scoring.csv"),
)


@cache
def tables() -> tuple[PublishedTable, ...]:
    """Every published table, by paper and number. Raises OSError when a file of the project is missing."""
    return tuple(_table(*entry) for entry in _CATALOGUE)


def table(paper: Paper, number: int) -> PublishedTable:
    """One table; KeyError when it is not among those that are kept here."""
    for candidate in tables():
        if candidate.paper == paper and candidate.number == number:
            return candidate
    raise KeyError(f"{paper.title}, table {number}")


def _table(paper: Paper, number: int, caption: str, file: str) -> PublishedTable:
    with (HERE / file).open(encoding="utf-8", newline="") as source:
        header, *rows = csv.reader(source)
    return PublishedTable(paper, number, caption, file, tuple(header), tuple(map(tuple, rows)))
