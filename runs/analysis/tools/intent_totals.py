"""The stated intent of tool calls against their effects, by outcome of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, VERDICT, Need, RunFacts, sensible, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import all_and_by_agent, ratio

NAMES = ("explained_calls", "targets_named", "targets_changed", "expectations_stated", "expectations_met")


def _counts(run: RunFacts) -> list[float]:
    """The valid ones of the counts in NAMES."""
    found = [run.behaviour.features.get(name) for name in NAMES] if run.behaviour else []
    return [count for count in found if count is not None and sensible(count)]


EXPLAINED = Need("no explanation is recorded", lambda run: len(_counts(run)) == len(NAMES))


@dataclass(frozen=True, slots=True)
class IntentShares:
    """Runs of one outcome: the share of named targets that were changed, and of expectations that were met."""

    runs: int
    targets: Estimate
    expectations: Estimate


@dataclass(frozen=True, slots=True)
class IntentRow:
    """The runs of one agent; `agent` None: of all agents together. `explained`: calls with an explanation."""

    agent: str | None
    runs: int
    explained: int
    resolved: IntentShares
    failed: IntentShares


@dataclass(frozen=True, slots=True)
class IntentTotals:
    """All agents together, then each agent in alphabetical order; empty without a run. And the excluded runs."""

    rows: tuple[IntentRow, ...]
    excluded: tuple[Exclusion, ...]


@method("intent", "Stated intent and its effect", Section.TOOLS, 11)
def intent_totals(runs: Iterable[RunFacts]) -> IntentTotals:
    """How often edits change what their explanation names, and calls end as their explanation expects, by outcome.

    The targets and expectations are recognized by form and by English cues: compare agents and outcomes, not single
    calls. A difference between outcomes is an association, not an effect.

    Formula: over the runs of one outcome, `targets = Σ targets_changed ÷ Σ targets_named` and
    `expectations = Σ expectations_met ÷ Σ expectations_stated`; see these features.

    Source: IDE-Bench, abstract and section 3.3 ("correlate agent-reported intent with successful project-level
    modifications"), which defines no measure. Defined here.

    Units: shares from 0 to 1; n counts targets, and calls with an expectation.

    Small n: undefined without a named target, or without an expectation. Runs without any explanation are excluded.
    """
    sifted = sift(runs, *TRAJECTORY, VERDICT, EXPLAINED)
    groups = all_and_by_agent(sifted.usable) if sifted.usable else []
    return IntentTotals(tuple(_row(agent, theirs) for agent, theirs in groups), sifted.excluded)


def _row(agent: str | None, runs: Sequence[RunFacts]) -> IntentRow:
    return IntentRow(
        agent,
        len(runs),
        int(sum(_counts(run)[0] for run in runs)),
        _shares([run for run in runs if run.resolved]),
        _shares([run for run in runs if not run.resolved]),
    )


def _shares(runs: Sequence[RunFacts]) -> IntentShares:
    counts = [_counts(run) for run in runs]
    named, changed, stated, met = (
        int(sum(count[place] for count in counts)) for place in range(1, len(NAMES))
    )
    return IntentShares(
        len(runs),
        ratio(changed, named, named, "no explanation of an edit names a target"),
        ratio(met, stated, stated, "no explanation states an expectation"),
    )
