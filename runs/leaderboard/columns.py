"""The columns of the leaderboard: what each says, sorts by and exports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runs.formatting.text import one_line
from runs.leaderboard import column_text
from runs.leaderboard.board_rows import BoardRow, Kind, Said

RETRIED = frozenset({"passk", "retry"})


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """One column. `value` sorts, None last; `names` are its fields in CSV and JSON, as
    `runs.leaderboard.board_figures.record` has them.

    `under` stands below its label. `descending`: what a first click means. `method`: the anchor of how it is made.
    `essential`: it is shown whether or not all columns are asked for.
    """

    key: str
    label: str
    value: Callable[[BoardRow], Any]
    said: Callable[[BoardRow], Said]
    names: tuple[str, ...]
    kind: Kind = "number"
    descending: bool = True
    under: str = ""
    hint: str = ""
    method: str = ""
    essential: bool = True

    @property
    def numeric(self) -> bool:
        """Whether its cells stand to the right."""
        return self.kind in {"number", "place"}


def columns_for(k: int | None) -> tuple[BoardColumn, ...]:
    """All columns in order; pass@k and what retries gain are left out when k is 1, where they would repeat pass@1."""
    return tuple(column for column in _all(k or 1) if (k and k > 1) or column.key not in RETRIED)


def keys() -> list[str]:
    """Everything that can be sorted by. A link with pass@k stays good where a filter leaves single attempts."""
    return [column.key for column in _all(1) if column.kind != "strip"]


def _all(k: int) -> tuple[BoardColumn, ...]:
    return (
        *(PLACE, AGENT, PASS_1, _pass_k(k), _retry_gain(k), TESTS, TOKENS, COST, ATTEMPT_COST, TIME, SIGMA),
        *(N, LOST, STRIP),
    )


def _priced(row: BoardRow, value: float | None) -> float | None:
    """What an agent without a model spends is no achievement."""
    return value if row.agent.model else None


def _ends(name: str) -> tuple[str, ...]:
    return name, f"{name}_low", f"{name}_high"


def _pass_k(k: int) -> BoardColumn:
    return BoardColumn(
        "passk",
        f"pass@{k}",
        lambda row: row.standing.pass_k and row.standing.pass_k.value,
        lambda row: column_text.pass_k(row, k),
        ("k", *_ends("pass_at_k")),
        kind="rate",
        under="95 % interval",
        hint=f"Chance that one of {k} attempts resolves a task",
        method="pass-rate",
    )


def _retry_gain(k: int) -> BoardColumn:
    return BoardColumn(
        "retry",
        "Retry gain",
        lambda row: row.standing.retry_benefit.value,
        column_text.retry_gain,
        _ends("retry_benefit"),
        under="in points",
        hint=f"pass@{k} less pass@1, in percentage points",
        method="retry-benefit",
        essential=False,
    )


PLACE = BoardColumn(
    "place",
    "Place",
    lambda row: (row.standing.place.first, row.standing.place.last),
    column_text.place,
    ("place_first", "place_last", "group_first", "group_last"),
    kind="place",
    descending=False,
    hint="The places that the agent can have, as far as the data tell agents apart",
    method="groups",
)
AGENT = BoardColumn(
    "name",
    "Agent",
    lambda row: row.agent.name.casefold(),
    lambda row: Said(one_line(row.agent.name), one_line(row.agent.under)),
    ("agent", "name", "kind", "calibration", "model"),
    kind="agent",
    descending=False,
)
PASS_1 = BoardColumn(
    "pass1",
    "pass@1",
    lambda row: row.standing.pass_1.value,
    column_text.pass_1,
    _ends("pass_at_1"),
    kind="rate",
    under="95 % interval",
    hint="Chance that one attempt resolves a task",
    method="pass-rate",
)
TESTS = BoardColumn(
    "tests",
    "Tests",
    lambda row: row.standing.tests.value,
    column_text.tests,
    _ends("tests_passed"),
    under="passed",
    hint="Mean share of the hidden tests passed",
    method="test-pass-rate",
)
TOKENS = BoardColumn(
    "tokens",
    "Tokens",
    lambda row: _priced(row, row.standing.tokens_per_success),
    column_text.tokens,
    ("tokens_per_success", "tokens"),
    descending=False,
    under="per success",
    hint="All tokens, failures' included, for each success",
    method="per-success",
)
COST = BoardColumn(
    "cost",
    "Cost",
    lambda row: _priced(row, row.standing.cost_per_success),
    column_text.cost_of_success,
    ("cost_usd_per_success", "cost_usd"),
    descending=False,
    under="per success",
    hint="US dollars, failures' included, for each success",
    method="per-success",
)
ATTEMPT_COST = BoardColumn(
    "attemptcost",
    "Cost",
    lambda row: _priced(row, row.standing.cost_per_attempt),
    column_text.cost_of_attempt,
    ("cost_usd_per_attempt",),
    descending=False,
    under="per attempt",
    hint="US dollars for one attempt",
    method="cost-per-attempt",
    essential=False,
)
TIME = BoardColumn(
    "time",
    "Time",
    lambda row: row.standing.seconds_per_attempt,
    column_text.time,
    ("seconds_per_attempt",),
    descending=False,
    under="per attempt",
    hint="How long the agent acts in one attempt",
    method="seconds-per-attempt",
)
SIGMA = BoardColumn(
    "sigma",
    "σ",
    lambda row: row.standing.sigma.value,
    column_text.sigma,
    _ends("sigma"),
    descending=False,
    under="of attempts",
    hint="How far attempts at the same task lie apart in tests passed: 0 is steady",
    method="sigma",
)
N = BoardColumn(
    "n",
    "n",
    lambda row: (row.standing.tasks, row.standing.attempts),
    column_text.n,
    (
        *("tasks", "attempts", "resolved", "infrastructure_failed"),
        *("pass_at_1_with_infrastructure_failures", "odd_records"),
    ),
    under="tasks × attempts",
    hint="Tasks × attempts at each; failures of the infrastructure are excluded",
    method="row",
)
LOST = BoardColumn(
    "excluded",
    "Excluded",
    lambda row: row.standing.infrastructure_failed,
    column_text.lost,
    (),
    under="infrastructure",
    hint="Attempts lost to the infrastructure, counted in no other column",
    method="excluded",
    essential=False,
)
STRIP = BoardColumn(
    "strip",
    "By repository",
    lambda _: None,
    lambda _: Said(""),
    (),
    kind="strip",
    under="pass@1, %",
    method="pass-rate",
)
