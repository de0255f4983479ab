"""The stated intent of tool calls against their effects, by outcome of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, VERDICT, Need, RunFacts, known_counts, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import all_and_by_agent, ratio

NAMES = ("explained_calls", "targets_named", "targets_changed", "expectations_stated", "expectations_met")


EXPLAINED = Need("no explanation is recorded", lambda run: len(known_counts(run, NAMES)) == len(NAMES))


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
    rows = (
        IntentRow(
            agent,
            len(theirs),
            int(sum(known_counts(run, NAMES)[0] for run in theirs)),
            _shares([run for run in theirs if run.resolved]),
            _shares([run for run in theirs if not run.resolved]),
        )
        for agent, theirs in groups
    )
    return IntentTotals(tuple(rows), sifted.excluded)


def _shares(runs: Sequence[RunFacts]) -> IntentShares:
    counts = [known_counts(run, NAMES) for run in runs]
    named, changed, stated, met = (
        int(sum(count[place] for count in counts)) for place in range(1, len(NAMES))
    )
    return IntentShares(
        len(runs),
        ratio(changed, named, named, "no explanation of an edit names a target"),
        ratio(met, stated, stated, "no explanation states an expectation"),
    )
