"""Python syntax errors of agents: introduced, blocked and fixed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, Need, RunFacts, by_agent, sensible, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import ratio

NAMES = INTRODUCED, BLOCKED, FIXED = (
    "syntax_errors_introduced",
    "syntax_errors_blocked",
    "syntax_errors_fixed",
)


def _counts(run: RunFacts) -> list[float]:
    """The valid ones of the counts in NAMES."""
    found = [run.behaviour.features.get(name) for name in NAMES] if run.behaviour else []
    return [count for count in found if count is not None and sensible(count)]


_COUNTED = Need("its syntax errors are not counted", lambda run: len(_counts(run)) == len(NAMES))


@dataclass(frozen=True, slots=True)
class AgentSyntax:
    """The syntax errors in all runs of one agent. `affected`: the share of runs that introduced an error or had one
    blocked; `fixed_share`: of the introduced and blocked errors, those that were fixed.
    """

    agent: str
    runs: int
    introduced: int
    blocked: int
    fixed: int
    affected: Estimate
    fixed_share: Estimate


@dataclass(frozen=True, slots=True)
class SyntaxTotals:
    """Each agent, in alphabetical order, and the excluded runs."""

    agents: tuple[AgentSyntax, ...]
    excluded: tuple[Exclusion, ...]


@method("syntax-errors", "Python syntax errors", Section.ITERATIONS, 3)
def syntax_totals(runs: Iterable[RunFacts]) -> SyntaxTotals:
    """The Python syntax errors that agents introduced, that editing tools blocked, and that were fixed later.

    Formula: sums over runs of the features `syntax_errors_introduced`, `syntax_errors_blocked` and
    `syntax_errors_fixed`. `affected = runs with an introduced or blocked error ÷ runs`; `fixed share = fixed ÷
    (introduced + blocked)`. A file that is refused several times before it is fixed has several blocked errors and one
    that is fixed.

    Source: IDE-Bench, appendix F.3.3 ("blocked and successfully fixed"), which does not define them. Defined here.

    Units: files at one moment; shares from 0 to 1.

    Small n: without a run, `affected` is undefined; without an error, so is the fixed share.
    """
    sifted = sift(runs, *TRAJECTORY, _COUNTED)
    return SyntaxTotals(
        tuple(_total(agent, theirs) for agent, theirs in by_agent(sifted.usable).items()), sifted.excluded
    )


def _total(agent: str, runs: Sequence[RunFacts]) -> AgentSyntax:
    counts = [_counts(run) for run in runs]
    introduced, blocked, fixed = (int(sum(column)) for column in zip(*counts, strict=True))
    affected = sum(count[0] + count[1] > 0 for count in counts)
    errors = introduced + blocked
    return AgentSyntax(
        agent=agent,
        runs=len(counts),
        introduced=introduced,
        blocked=blocked,
        fixed=fixed,
        affected=ratio(affected, len(counts), len(counts), "no run"),
        fixed_share=ratio(fixed, errors, errors, "no syntax error"),
    )
