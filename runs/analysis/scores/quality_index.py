"""The quality index of AgentLens: one number from the means of five judges and of formal verification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.statistics.summaries import mean_of

COMPONENTS = (
    "end_result",
    "formal",
    "instruction_compliance",
    "pitfalls",
    "pleasantness",
    "tool_calls",
)


@dataclass(frozen=True, slots=True)
class QualityIndex:
    """The index of one agent, 0 to 100; each n counts the components used.

    `value` is undefined if a component is missing; `of_present` is the mean of the present ones, `missing` lists the
    others. `of_present` of two agents is comparable only if they lack the same components.
    """

    value: Estimate
    of_present: Estimate
    missing: tuple[str, ...]


def quality_index(components: Mapping[str, float | None]) -> QualityIndex:
    """The unweighted mean of an agent's six component scores; None or an absent one is missing.

    No page shows it: agents have no such scores yet. It reproduces the index of the published leaderboard. ValueError
    for an unknown component and for a score outside 0 to 100.

    Formula: `Q = (Σ sₘ) ÷ 6` over end result, formal verification, instruction compliance, pitfalls, pleasantness and
    tool calls.

    Source: AgentLens, section 3.3, equation 1. The paper does not say how to treat missing components: here
    the index is undefined, and the mean of the others is separate.

    Units: components and index from 0 to 100.

    Small n: without a component both are undefined; with one, `of_present` is that one.
    """
    if unknown := sorted(components.keys() - set(COMPONENTS)):
        raise ValueError(f"no such component: {', '.join(unknown)}; expected {', '.join(COMPONENTS)}")
    present: list[float] = []
    missing: list[str] = []
    for name in COMPONENTS:
        score = components.get(name)
        if score is None:
            missing.append(name)
        elif 0 <= score <= 100:
            present.append(score)
        else:
            raise ValueError(f"{name} is {score}, expected a score from 0 to 100")
    mean = mean_of(present, "no component is known")
    value = Estimate.unknown(f"missing: {', '.join(missing)}", mean.n) if missing else mean
    return QualityIndex(value, mean, tuple(missing))
