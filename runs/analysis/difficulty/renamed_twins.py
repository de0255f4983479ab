"""Success at tasks and at their twins, the same change of the same code with other names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.difficulty.task_shares import one_origin
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import Need, RunFacts, by_agent, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.paired import McNemar, mcnemar


@dataclass(frozen=True, slots=True)
class TwinSuccess:
    """One agent at both tasks of each pair that it tried. `original` and `twin`: shares solved, n counts pairs.

    In `test` the originals are first: `only_first` pairs are solved with the original names alone.
    """

    agent: str
    original: Estimate
    twin: Estimate
    test: McNemar
    repositories: int


@dataclass(frozen=True, slots=True)
class TwinComparison:
    """Every agent with a pair, in alphabetical order."""

    agents: tuple[TwinSuccess, ...]
    excluded: tuple[Exclusion, ...]


@method("twin-success", "Success at twins with other names", Section.GENERATED_TASKS, 11)
def twin_success(runs: Iterable[RunFacts], twins: Mapping[str, str]) -> TwinComparison:
    """Whether an agent solves tasks more often than their twins with other names. ValueError for several origins.

    `twins`: twin → original. A difference in favour of the originals says that names help, as they do if code is
    recalled. No difference with few pairs says nothing.

    Formula: a task is solved if the first graded attempt resolved it. `mcnemar` over the pairs of which the agent tried
    both: the exact binomial test of the pairs that only one side solved. It treats pairs as independent: if renaming
    changes nothing, each of these pairs is as likely to be of either kind, whatever the repository. It says nothing
    about repositories that have no twin.

    Source: ours. McNemar 1947, as for `mcnemar`.

    Units: shares from 0 to 1; n counts pairs.

    Small n: an agent without a pair has no row. Fewer than six pairs that only one side solved never give p < 0.05,
    however many pairs there are. An original with several twins is in several pairs.
    """
    given = list(runs)
    one_origin(given)
    paired = set(twins) | set(twins.values())
    sifted = sift(given, Need("its task has no twin", lambda run: run.task in paired))
    rows = (_agent(agent, theirs, twins) for agent, theirs in by_agent(sifted.usable).items())
    return TwinComparison(tuple(row for row in rows if row is not None), sifted.excluded)


def _agent(agent: str, runs: Sequence[RunFacts], twins: Mapping[str, str]) -> TwinSuccess | None:
    first: dict[str, RunFacts] = {}
    for run in sorted(runs, key=lambda run: (run.attempt, run.run), reverse=True):
        first[run.task] = run
    pairs = [
        (first[original], first[twin])
        for twin, original in sorted(twins.items())
        if twin in first and original in first
    ]
    if not pairs:
        return None
    ours, theirs = [run.resolved for run, _ in pairs], [twin.resolved for _, twin in pairs]
    return TwinSuccess(
        agent,
        Estimate(sum(ours) / len(pairs), len(pairs)),
        Estimate(sum(theirs) / len(pairs), len(pairs)),
        mcnemar(ours, theirs),
        len({run.repository for run, _ in pairs}),
    )
