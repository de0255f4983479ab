"""The quality index of AgentLens: one number from the means of five judges and of formal verification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.statistics.summaries import mean_figure

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
    """The index of one agent, 0 to 100; the n of its figures says how many components they rest on.

    `value` is undefined as soon as a component is missing; `of_present` is the mean of those that are there.
    `missing` names the others. Two agents' `of_present` compare only where they miss the same.
    """

    value: Estimate
    of_present: Estimate
    missing: tuple[str, ...]


def quality_index(components: Mapping[str, float | None]) -> QualityIndex:
    """The unweighted mean of an agent's six component scores; one that is absent or None is missing.

    ValueError for a component that is none of COMPONENTS, and for a score outside 0 to 100.

    Formula: `Q = (Σ sₘ) ÷ 6` over end result, formal verification, instruction compliance, pitfalls, pleasantness and
    tool calls.

    Source: AgentLens, section 3.3, equation 1. What to do with missing components the paper leaves open: here
    they leave the index undefined, and the mean of the others stands apart.

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
    mean = mean_figure(present, "no component is known")
    value = Estimate.unknown(f"missing: {', '.join(missing)}", mean.n) if missing else mean
    return QualityIndex(value, mean, tuple(missing))
