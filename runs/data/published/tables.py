"""The published tables, read from the CSV files beside this module, with the source of each."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Paper:
    """The source of tables. `source`: its full title, authors and date, as far as the paper has them.

    `address`: the address that the paper gives for its benchmark; '' without one.
    """

    slug: str
    title: str
    note: str
    source: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """One table as it was printed: every cell is text. `note` says how to read it; `anchor` is unique, for links.

    `number`: that of the table, or the name of an appendix and of its list, which have no number.
    """

    paper: Paper
    number: int | str
    caption: str
    file: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def heads(self) -> tuple[tuple[str, bool], ...]:
        """The columns, and whether each holds numbers."""
        return tuple(zip(self.columns, map(_numeric, zip(*self.rows, strict=True)), strict=True))

    @property
    def lines(self) -> list[tuple[tuple[str, str, bool], ...]]:
        """The rows; of each cell its text, its column, and whether that holds numbers."""
        return [tuple((text, *head) for text, head in zip(row, self.heads, strict=True)) for row in self.rows]

    @property
    def label(self) -> str:
        """Where the paper has it: "table 6", or "appendix B, tools"."""
        return self.number if isinstance(self.number, str) else f"table {self.number}"

    @property
    def anchor(self) -> str:
        """The anchor of the table in addresses."""
        return f"{self.paper.slug}-{self.label.lower().replace(',', '').replace(' ', '-')}"


IDE_BENCH = Paper(
    "ide-bench",
    "IDE-Bench (arXiv)",
    "15 models on 80 tasks in 8 repositories, five attempts each.",
    "IDE-Bench: Evaluating Large Language Models as IDE Agents on Real-World Software Engineering Tasks. "
    "Mateega, Yang, Costello, Jadhav, Tian and Garcinuño, without a date; it cites pages seen in January 2026",
    "https://ide-bench.com",
)
AGENT_LENS = Paper(
    "agentlens",
    "AgentLens (arXiv)",
    "Harnesses with models, scored by judges from 0 to 100.",
    "AgentLens: Production-Assessed Trajectory Reviews for Coding Agent Evaluation. "
    "Podivilov, Lomshakov, Savin, Startsev, Pozharskiy, Parshin and Nikolenko, 9 July 2026",
    "https://github.com/agent-lens/agent-lens-bench",
)
CODING_AGENT_EVALUATION = Paper(
    "coding-agent-evaluation-framework",
    "Coding Agent Evaluation Framework",
    "Three models under six ways of scoring.",
    "Coding Agent Evaluation Framework: Multi-Dimensional Metrics for Repository-Level Tasks. 29 December 2025",
)

_CATALOGUE = (
    (IDE_BENCH, 1, "Tasks resolved", "ide_bench_table1_resolution.csv"),
    (IDE_BENCH, 2, "Near misses", "ide_bench_table2_near_misses.csv"),
    (IDE_BENCH, 3, "Tokens per success", "ide_bench_table3_tokens_per_success.csv"),
    (IDE_BENCH, 4, "Success by stack", "ide_bench_table4_stacks.csv"),
    (IDE_BENCH, 5, "Consistency over attempts", "ide_bench_table5_consistency.csv"),
    (IDE_BENCH, 6, "Variance between and within tasks", "ide_bench_table6_variance.csv"),
    (IDE_BENCH, 7, "Similarity of solved tasks", "ide_bench_table7_similarity.csv"),
    (IDE_BENCH, 8, "Iterations and what they were spent on", "ide_bench_table8_iterations.csv"),
    (IDE_BENCH, 9, "Tasks that tell models apart", "ide_bench_table9_discriminative.csv"),
    (IDE_BENCH, 10, "Minutes by repository", "ide_bench_table10_duration_minutes.csv"),
    (IDE_BENCH, 11, "Thousands of tokens by model", "ide_bench_table11_token_distribution.csv"),
    (IDE_BENCH, 12, "First attempt and five attempts", "ide_bench_table12_first_attempt.csv"),
    (AGENT_LENS, 6, "Quality of harnesses and models", "agentlens_table6_leaderboard.csv"),
    (
        AGENT_LENS,
        "appendix B, inference",
        "Cost, time and calls of two runs, with flags",
        "agentlens_appendix_b_inference.csv",
    ),
    (AGENT_LENS, "appendix B, tools", "Tool calls of two runs, with flags", "agentlens_appendix_b_tools.csv"),
    (
        AGENT_LENS,
        "appendix B, judges",
        "Comparisons of two runs by a judge, with flags",
        "agentlens_appendix_b_judges.csv",
    ),
    (CODING_AGENT_EVALUATION, 5, "Six scores", "coding_agent_eval_table5_scoring.csv"),
)
# How to read a table, by its file.
_NOTES = {
    "ide_bench_table1_resolution.csv": (
        "± are half widths of Wilson’s 95 % intervals over 80 tasks. pass@1 is what the first of five attempts did."
    ),
    "ide_bench_table3_tokens_per_success.csv": (
        "Thousands of tokens of the runs that succeeded; ours per success count what failures took, too."
    ),
    "ide_bench_table4_stacks.csv": (
        "The three best models of each stack. The range is from the lowest to the highest mean of a repository; a "
        "single repository has none. Some values are impossible as pass@5 over ten tasks, but possible as pass@1."
    ),
    "ide_bench_table5_consistency.csv": "The paper gives no rule for its levels of variance.",
    "ide_bench_table7_similarity.csv": (
        "Selected pairs of models. Jaccard index: tasks that both solve ÷ tasks that at least one of them solves."
    ),
    "ide_bench_table9_discriminative.csv": "σ over models, and the share of attempts of five of them.",
    "ide_bench_table12_first_attempt.csv": "± are half widths of Wald’s 95 % intervals.",
    "agentlens_table6_leaderboard.csv": (
        "Formal is a pass rate, the other columns are means of judges’ scores. "
        "The last row, says the paper, reflects a fault of the provider."
    ),
    "agentlens_appendix_b_inference.csv": (
        "DeepSeek V4 Pro is run 1, DeepSeek V4 Flash is run 2; 32 conversations each."
    ),
    "agentlens_appendix_b_tools.csv": "The same two runs.",
    "agentlens_appendix_b_judges.csv": (
        "The same two runs; the value is the mean of scores from −5 to 5, divided by 5."
    ),
    "coding_agent_eval_table5_scoring.csv": "More is better in every column.",
}


@cache
def tables() -> tuple[PrintedTable, ...]:
    """Every published table, by paper and number. Raises OSError when a file of the project is missing."""
    return tuple(_table(*entry) for entry in _CATALOGUE)


def table(paper: Paper, number: int | str) -> PrintedTable:
    """One table; KeyError for one that is not stored here."""
    for candidate in tables():
        if candidate.paper == paper and candidate.number == number:
            return candidate
    raise KeyError(f"{paper.title}, {number if isinstance(number, str) else f'table {number}'}")


def _numeric(values: tuple[str, ...]) -> bool:
    """Whether all values are numbers, apart from a few printed marks such as ± and %."""
    return all(value.replace("±", "").replace(".", "").strip("-–*% ").isdigit() for value in values if value)


def _table(paper: Paper, number: int | str, caption: str, file: str) -> PrintedTable:
    with (HERE / file).open(encoding="utf-8", newline="") as source:
        header, *rows = csv.reader(source)
    columns = tuple(header)
    return PrintedTable(paper, number, caption, file, columns, tuple(map(tuple, rows)), _NOTES.get(file, ""))
