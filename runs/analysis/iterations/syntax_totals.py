"""Python syntax errors of agents: introduced, blocked and fixed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, Need, RunFacts, by_agent, known_counts, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import ratio

NAMES = INTRODUCED, BLOCKED, FIXED = (
    "syntax_errors_introduced",
    "syntax_errors_blocked",
    "syntax_errors_fixed",
)


_COUNTED = Need("its syntax errors are not counted", lambda run: len(known_counts(run, NAMES)) == len(NAMES))


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
    agents = []
    for agent, theirs in by_agent(sifted.usable).items():
        counts = [known_counts(run, NAMES) for run in theirs]
        introduced, blocked, fixed = (int(sum(column)) for column in zip(*counts, strict=True))
        affected = sum(count[0] + count[1] > 0 for count in counts)
        errors = introduced + blocked
        share_affected = ratio(affected, len(counts), len(counts), "no run")
        share_fixed = ratio(fixed, errors, errors, "no syntax error")
        agents.append(
            AgentSyntax(agent, len(counts), introduced, blocked, fixed, share_affected, share_fixed)
        )
    return SyntaxTotals(tuple(agents), sifted.excluded)
