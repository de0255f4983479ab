"""Price, time and tools of two agents on paired runs."""

from __future__ import annotations

from typing import Any

import pytest

from runs.analysis.facts import Behaviour, RunFacts, ToolTotals, ToolUse
from runs.analysis.regression.paired_use import PairedRun, UseRow, paired_quantities, paired_tools


def run(cost: float | None = 1.0, tool: tuple[int, int] = (0, 0), **more: Any) -> RunFacts:
    """A run with so many calls of `grep`, and how many of them failed."""
    totals = {"grep": ToolTotals(tool[0], tool[1], 1.0)} if tool[0] else {}
    behaviour = Behaviour(tools=ToolUse(totals=totals, parallel={1: 2, 3: 2}))
    values: dict[str, Any] = {
        "prompt_tokens": 1000,
        "cached_tokens": 500,
        "completion_tokens": 100,
        "seconds": 50.0,
        "tool_calls": 8,
        **more,
    }
    return RunFacts(1, "a", "r/t", "r", 1, "resolved", cost_usd=cost, behaviour=behaviour, **values)


def rows(pairs: list[PairedRun]) -> dict[str, UseRow]:
    return {row.name: row for row in paired_quantities(pairs)}


def test_quantities_are_compared_by_scenario() -> None:
    found = rows([PairedRun(str(number), run(1.0), run(2.0)) for number in range(10)])

    price = found["price"]
    assert (price.first.value, price.second.value, price.pairs) == (1.0, 2.0, 10)
    assert price.p.value == 2 / 2**10
    assert price.corrected.value == pytest.approx(7 * 2 / 2**10)
    assert price.significant
    assert price.paper is not None
    assert price.paper.alert
    assert (found["tokens_per_second"].first.value, found["cache_hits"].first.value) == (2.0, 0.5)
    assert found["parallel_calls"].first.value == 2.0
    assert found["seconds"].paper is not None
    assert not found["seconds"].paper.warning


def test_a_pair_without_one_of_the_values_is_left_out() -> None:
    found = rows([PairedRun("a", run(None), run(2.0)), PairedRun("b", run(seconds=float("nan")), run())])
    assert (found["price"].pairs, found["seconds"].pairs, found["tool_calls"].pairs) == (1, 1, 2)
    assert rows([])["price"].p.value is None
    assert rows([])["price"].paper is None


def test_tools_have_rates_of_all_calls_and_the_papers_flags() -> None:
    pairs = [PairedRun(str(number), run(tool=(5, 0)), run(tool=(5, 4))) for number in range(6)]

    (found,) = paired_tools(pairs)

    assert (found.name, found.calls, found.pairs) == ("grep", (30, 30), 6)
    assert (found.first.value, found.second.value) == (1.0, pytest.approx(0.2))
    assert found.corrected.value == 2 / 2**6
    assert found.paper is not None
    assert found.paper.alert


def test_a_tool_of_one_agent_only_has_no_p() -> None:
    (found,) = paired_tools([PairedRun("a", run(tool=(5, 0)), run())])
    assert (found.second.value, found.p.value, found.corrected.value) == (None, None, None)
    assert found.calls == (5, 0)
