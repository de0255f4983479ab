"""Simulated nights: an anchor set of runs and a candidate set of the same agent, or of one with a planted drop.

A scenario's difficulty counts for all its runs, so that its two personas are not independent; the pair of scenario and
persona has a part of its own. What is left varies from run to run, and quantities of one run are correlated. All
latent values are normal with variance 1: difficulty has half of it, the pair 0.1, the run 0.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from benchmarks.simulation import Floats
from runs.analysis.judging.review_scores import DIMENSIONS
from runs.analysis.regression.paper_flags import (
    PAIR_SCALE,
    PaperFlags,
    ToolSuccess,
    formal_flags,
    judged_flags,
    ratio_flags,
    termination_flags,
    tool_flags,
    unpaired_p,
)
from runs.analysis.regression.run_sets import RunSet, ScenarioRun

PERSONAS = ("default", "toxic")
SHARES = ("formal", *DIMENSIONS)
AMOUNTS = ("cost_usd", "seconds", "tokens", "calls", "completion_tokens")
_SCENARIO, _PAIR, _RUN = 0.5**0.5, 0.1**0.5, 0.4**0.5
_COMMON = 0.6  # of the run's own variation: shared by its quantities
_FORMAL = np.array([-0.674])  # three of four pass
_JUDGED = np.array([-0.674, 0.0])  # a mean of 0.625
_SPREAD = 0.8  # standard deviation of the logarithm of an amount
_TYPICAL = (0.6, 450.0, 400_000.0, 40.0, 15_000.0)
_TOOLS = {
    "read_file": 0.4,
    "run_command": 0.2,
    "edit_file": 0.15,
    "search": 0.15,
    "list_dir": 0.07,
    "fetch": 0.03,
}
_SUCCESS = {
    "read_file": 0.98,
    "run_command": 0.93,
    "edit_file": 0.9,
    "search": 0.99,
    "list_dir": 1.0,
    "fetch": 0.8,
}
_POPULATION = 200_000


@dataclass(frozen=True, slots=True)
class SimulatedSet:
    """One set of runs as arrays, scenarios × personas, by name. `tools`: succeeded and all calls."""

    latent: Mapping[str, Floats]
    shares: Mapping[str, Floats]
    amounts: Mapping[str, Floats]
    tools: Mapping[str, tuple[Floats, Floats]]

    def as_run_set(self, name: str) -> RunSet:
        """The set as the check takes it."""
        return RunSet(name, "simulated", "standard", "simulated", "panel", tuple(self._runs()))

    def _runs(self) -> Iterator[ScenarioRun]:
        for place, _ in np.ndenumerate(self.shares["formal"]):
            values = {quantity: float(column[place]) for quantity, column in self.shares.items()}
            values |= {quantity: float(self.amounts[quantity][place]) for quantity in AMOUNTS[:3]}
            tools = {
                tool: ToolSuccess(int(succeeded[place]), int(calls[place]))
                for tool, (succeeded, calls) in self.tools.items()
            }
            yield ScenarioRun(f"scenario-{place[0]}", PERSONAS[place[1]], values, tools)


@dataclass(frozen=True, slots=True)
class Night:
    """The sets of one night. `points`: quantity → by how much the true mean of the candidate is lower, 0 to 1."""

    anchor: SimulatedSet
    candidate: SimulatedSet
    points: Mapping[str, float] = field(default_factory=dict)


def latent_drop(quantity: str, points: float) -> float:
    """The shift of the latent value that lowers the mean of a share by `points`."""
    from scipy.optimize import brentq  # noqa: PLC0415
    from scipy.special import ndtr  # noqa: PLC0415

    limits = _FORMAL if quantity == "formal" else _JUDGED

    def lost(shift: float) -> float:
        return float((ndtr(limits + shift) - ndtr(limits)).mean()) - points

    return float(brentq(lost, 0, 10)) if points else 0.0


def night(generator: np.random.Generator, scenarios: int, points: Mapping[str, float] | None = None) -> Night:
    """One night, with drops planted in some shares."""
    shape = (scenarios, len(PERSONAS))
    names = (*SHARES, *AMOUNTS)
    common = _normal(generator, (scenarios, 1)), _normal(generator, shape)
    shared = {
        name: _SCENARIO * _mixed(common[0], generator) + _PAIR * _mixed(common[1], generator)
        for name in names
    }
    drops = {name: latent_drop(name, drop) for name, drop in (points or {}).items()}
    return Night(_drawn(generator, shared, {}), _drawn(generator, shared, drops), points or {})


def paper_flags_of(one: Night) -> Mapping[str, tuple[PaperFlags, ...]]:
    """The paper's flags of a night by part. The judge's own alert is never given in "dimensions", and always in
    "dimensions, alarmed judge".
    """
    ours, theirs = one.anchor, one.candidate
    rows = [
        ("price", ours.amounts["cost_usd"], theirs.amounts["cost_usd"]),
        ("seconds", ours.amounts["seconds"], theirs.amounts["seconds"]),
        ("completion_tokens", ours.amounts["completion_tokens"], theirs.amounts["completion_tokens"]),
        ("tool_calls", ours.amounts["calls"], theirs.amounts["calls"]),
    ]
    inference = [ratio_flags(name, float(a.sum()), float(b.sum()), _unpaired(a, b)) for name, a, b in rows]
    speeds = [each.amounts["completion_tokens"] / each.amounts["seconds"] for each in (ours, theirs)]
    means = [
        float(each.amounts["completion_tokens"].sum() / each.amounts["seconds"].sum())
        for each in (ours, theirs)
    ]
    inference.append(ratio_flags("tokens_per_second", means[0], means[1], _unpaired(*speeds)))
    formal = [int(each.shares["formal"].sum()) for each in (ours, theirs)]
    scores = [_pair_scores(ours.latent[name], theirs.latent[name]) for name in DIMENSIONS]
    return {
        "inference": tuple(inference),
        "formal": (formal_flags(formal[0], formal[1], ours.shares["formal"].size)[0],),
        "tools": tuple(
            tool_flags(*(ToolSuccess(int(n.sum()), int(calls.sum())) for n, calls in pair))
            for pair in zip(ours.tools.values(), theirs.tools.values(), strict=True)
        ),
        "termination": (termination_flags(_endings(ours), _endings(theirs)),),
        "dimensions": tuple(judged_flags(each, judge_alert=False).flags for each in scores),
        "dimensions, alarmed judge": tuple(judged_flags(each, judge_alert=True).flags for each in scores),
    }


def _drawn(
    generator: np.random.Generator, shared: Mapping[str, Floats], drops: Mapping[str, float]
) -> SimulatedSet:
    shape = shared["formal"].shape
    own = _normal(generator, shape)
    latent = {
        name: part - drops.get(name, 0.0) + _RUN * _mixed(own, generator) for name, part in shared.items()
    }
    shares = {
        name: (latent[name][..., None] > (_FORMAL if name == "formal" else _JUDGED)).mean(axis=-1)
        for name in SHARES
    }
    amounts = {
        name: typical * np.exp(_SPREAD * latent[name])
        for name, typical in zip(AMOUNTS, _TYPICAL, strict=True)
    }
    tools = {}
    for tool, part in _TOOLS.items():
        calls = generator.poisson(part * amounts["calls"])
        # The success rate of a tool varies from run to run.
        rate = generator.beta(20 * _SUCCESS[tool] + 1e-9, 20 * (1 - _SUCCESS[tool]) + 1e-9, shape)
        tools[tool] = (generator.binomial(calls, rate).astype(float), calls.astype(float))
    return SimulatedSet(latent, shares, amounts, tools)


def _normal(generator: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return generator.standard_normal(shape)


def _mixed(common: Floats, generator: np.random.Generator) -> Floats:
    """Normal values that are correlated with the common ones."""
    own = generator.standard_normal(common.shape)
    mixed: Floats = _COMMON**0.5 * common + (1 - _COMMON) ** 0.5 * own
    return mixed


def _unpaired(ours: Floats, theirs: Floats) -> float | None:
    return unpaired_p(ours.ravel().tolist(), theirs.ravel().tolist()).value


def _pair_scores(ours: Floats, theirs: Floats) -> list[int]:
    scores: list[int] = (
        np.clip(np.rint(2 * (theirs - ours)), -PAIR_SCALE, PAIR_SCALE).astype(int).ravel().tolist()
    )
    return scores


def _endings(one: SimulatedSet) -> Mapping[str, int]:
    """Conversations end with a time-out if they take long, with the user's decision else."""
    slow = one.amounts["seconds"] > 900
    stuck = ~slow & (one.latent["pleasantness"] < -2)
    return Counter(
        np.where(slow, "response timed out", np.where(stuck, "message limit", "finished")).ravel().tolist()
    )
