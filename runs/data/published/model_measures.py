"""Measures of models in the published tables, under names that do not depend on a table's spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from runs.data.published.tables import AGENT_LENS, CODING_AGENT_EVALUATION, IDE_BENCH, Paper, table

_REMARK = re.compile(r"\([^)]*\)")
_SEPARATOR = re.compile(r"[^a-z0-9.]+")
_MAKERS = ("openai", "anthropic", "google", "xai", "alibaba", "deepseek-ai", "meta", "cohere", "claude")
_EMPTY_WORDS = ("preview", "latest")
# IDE-Bench's table 8 shortens two of its fifteen models.
_SHORTENED = {"command r": "command r 08 2024", "gpt 5.1 codex": "gpt 5.1 codex max"}


@dataclass(frozen=True, slots=True)
class PublishedMeasure:
    """One measure of one published table. `better` 1: more is better; −1: less is; 0: neither.

    `values`: the model (`model_key`) → the printed value; that of the first row if a model has several.
    """

    paper: Paper
    number: int
    measure: str
    title: str
    better: int
    values: dict[str, float]

    @property
    def name(self) -> str:
        """Paper, table and measure in words."""
        return f"{self.paper.title}, table {self.number}: {self.title}"


_MEASURES = (
    (IDE_BENCH, 1, "pass_at_1_pct", "pass@1", 1),
    (IDE_BENCH, 1, "pass_at_5_pct", "pass@5", 1),
    (IDE_BENCH, 3, "avg_tokens_k_per_success", "tokens of a success", -1),
    (IDE_BENCH, 3, "efficiency_score", "efficiency score", 1),
    (IDE_BENCH, 5, "std_dev", "σ over attempts", -1),
    (IDE_BENCH, 6, "icc", "ICC", 0),
    (IDE_BENCH, 8, "mean_total_iterations", "iterations", 0),
    (IDE_BENCH, 8, "productive_pct", "productive iterations", 0),
    (IDE_BENCH, 11, "mean_k", "tokens of a run", -1),
    (AGENT_LENS, 6, "quality_index", "quality index", 1),
    (CODING_AGENT_EVALUATION, 5, "weighted", "weighted score", 1),
    (CODING_AGENT_EVALUATION, 5, "hierarchical", "hierarchical score", 1),
)


def model_key(name: str) -> str:
    """A model's name without its maker, remarks in brackets, and words without meaning: `gpt 5.2`."""
    words = _SEPARATOR.split(_REMARK.sub(" ", name.rpartition("/")[2].lower()))
    left = [word for word in words if word and word not in _EMPTY_WORDS]
    key = " ".join(left[1:] if len(left) > 1 and left[0] in _MAKERS else left)
    return _SHORTENED.get(key, key)


@cache
def boards() -> tuple[PublishedMeasure, ...]:
    """Every measure of models in the tables."""
    return tuple(
        PublishedMeasure(paper, number, column, title, better, _values(paper, number, column))
        for paper, number, column, title, better in _MEASURES
    )


def _values(paper: Paper, number: int, column: str) -> dict[str, float]:
    printed = table(paper, number)
    model, value = printed.columns.index("model"), printed.columns.index(column)
    values: dict[str, float] = {}
    for row in printed.rows:
        if row[value]:
            values.setdefault(model_key(row[model]), float(row[value].partition("±")[0]))
    return values
