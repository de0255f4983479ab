"""The input of the check for regressions: two sets of runs, their quantities, and what makes them comparable."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from runs.analysis.facts import sensible
from runs.analysis.judging.review_scores import DIMENSIONS
from runs.analysis.regression.paper_flags import ToolSuccess

Scale = Literal["share", "amount"]


class Quantity(NamedTuple):
    """A quantity of a run. `better` 1: more is better; −1: less is.

    `scale` "share": from 0 to 1, compared by difference; "amount": positive, compared by ratio. `judged`: by judges.
    """

    name: str
    title: str
    better: int
    scale: Scale
    judged: bool = False


QUANTITIES = (
    Quantity("formal", "Formal verification", 1, "share"),
    *(Quantity(name, name.replace("_", " ").capitalize(), 1, "share", judged=True) for name in DIMENSIONS),
    Quantity("cost_usd", "Cost", -1, "amount"),
    Quantity("seconds", "Time", -1, "amount"),
    Quantity("tokens", "Tokens", -1, "amount"),
    Quantity("calls", "Tool calls", -1, "amount"),
    Quantity("tool_success", "Successful tool calls", 1, "share"),
)
_BY_NAME = {quantity.name: quantity for quantity in QUANTITIES}


@dataclass(frozen=True, slots=True)
class ScenarioRun:
    """One run of a set. `values`: quantity → value; one that is None or absent is unknown. `tools`: its calls by tool.

    `calls` and `tool_success` follow from `tools` and are not given. ValueError for an unknown quantity, for a value
    outside its scale, and for more successes than calls.
    """

    scenario: str
    persona: str
    values: Mapping[str, float | None] = field(default_factory=dict)
    tools: Mapping[str, ToolSuccess] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for tool, (succeeded, calls) in self.tools.items():
            if not 0 <= succeeded <= calls:
                raise ValueError(f"{self.scenario}: {succeeded} of {calls} calls of {tool} succeeded")
        for name, value in self.values.items():
            if name not in _BY_NAME or name in {"calls", "tool_success"}:
                expected = ", ".join(quantity.name for quantity in QUANTITIES[:-2])
                raise ValueError(f"{self.scenario}: no such quantity: {name}; expected {expected}")
            most = 1 if _BY_NAME[name].scale == "share" else math.inf
            if value is not None and not (sensible(value) and value <= most):
                raise ValueError(f"{self.scenario}: {name} is {value}, expected a number from 0 to {most:g}")

    def value(self, name: str) -> float | None:
        """The value of a quantity; None if it is unknown."""
        calls = sum(tool.calls for tool in self.tools.values())
        if name == "calls":
            return calls or None
        if name == "tool_success":
            return sum(tool.succeeded for tool in self.tools.values()) / calls if calls else None
        return self.values.get(name)


@dataclass(frozen=True, slots=True)
class RunSet:
    """The runs of one agent on one version of a dataset. Two sets can be compared if all but name and runs are equal.

    `dataset`: name and version. `limits`: what the runs were limited to, in words or as a digest. `user`: the simulated
    user. `panel`: the judges with their prompts; '' without judges. Several runs of one scenario with one persona are
    averaged.
    """

    name: str
    dataset: str
    limits: str
    user: str
    panel: str
    runs: tuple[ScenarioRun, ...]

    def cells(self) -> Mapping[tuple[str, str], list[ScenarioRun]]:
        """The runs by scenario and persona."""
        cells: dict[tuple[str, str], list[ScenarioRun]] = defaultdict(list)
        for run in self.runs:
            cells[run.scenario, run.persona].append(run)
        return dict(sorted(cells.items()))


def obstacles(anchor: RunSet, candidate: RunSet) -> Iterator[str]:
    """Why two sets cannot be compared at all."""
    for what, own, other in (
        ("dataset versions", anchor.dataset, candidate.dataset),
        ("limits", anchor.limits, candidate.limits),
        ("simulated users", anchor.user, candidate.user),
    ):
        if own != other:
            yield f"the {what} differ: {own or 'none'} and {other or 'none'}"
    if not anchor.cells().keys() & candidate.cells().keys():
        yield "no scenario was run with the same persona in both sets"
