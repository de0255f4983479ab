"""Two agents side by side: every test of their difference, over the tasks that both tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, sift
from runs.analysis.method import Method
from runs.analysis.outcomes.paired import (
    McNemar,
    PairedBootstrap,
    SignFlip,
    difference_of,
    mcnemar,
    paired_bootstrap,
    sign_flip,
)
from runs.analysis.outcomes.solved import scores_of, solved_within


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first agent against the second. Differences are the first's rate minus the second's.

    `difference` is that of the mean pass@1, with its interval. `first_attempts` and `within_k` are McNemar's tests of
    what the first graded attempt solved, and what any of the first k did. `only_first` and `only_second`: tasks that
    one alone tried, in no test. `short`: tasks that both tried and one of them less than k times; they are missing
    from `within_k` alone.
    """

    first: str
    second: str
    k: int
    tasks: tuple[str, ...]
    difference: Estimate
    sign_flip: SignFlip
    bootstrap: PairedBootstrap
    first_attempts: McNemar
    within_k: McNemar
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    short: tuple[str, ...]
    excluded: tuple[Exclusion, ...]


def compare(runs: Sequence[RunFacts], first: str, second: str, k: int = 5, *, seed: int = 0) -> Comparison:
    """Whether two agents differ, asked in four ways; none of them is corrected for other pairs.

    Attempts are in the order of their numbers, equal numbers (of different evaluations) in that of the runs. The
    first graded attempt is the first that the infrastructure did not fail. ValueError for k < 1.

    Formula: see intervals of differences, the sign-flip test and the bootstrap (all of pass@1, by task) and McNemar's
    test. Below some 80 tasks the bootstrap's interval is too narrow; that of `difference` is not.

    Source: as there.

    Units: p-values are chances, differences are of shares.

    Small n: without a common task all four are unknown.
    """
    sifted = sift([run for run in runs if run.agent in {first, second}])
    scores = scores_of(sifted.kept)
    ours, theirs = scores.get(first, {}), scores.get(second, {})
    tasks = sorted(ours.keys() & theirs.keys())
    often = [task for task in tasks if min(ours[task].attempts, theirs[task].attempts) >= k]
    made = [ours[task] for task in tasks], [theirs[task] for task in tasks]
    rates = [[float(score.rate) for score in scores] for scores in made]
    first_try, within_k = solved_within(sifted.kept, 1), solved_within(sifted.kept, k)
    return Comparison(
        first=first,
        second=second,
        k=k,
        tasks=tuple(tasks),
        difference=difference_of(*made),
        sign_flip=sign_flip(*made, seed=seed),
        bootstrap=paired_bootstrap(*rates, seed=seed),
        first_attempts=mcnemar(first_try.verdicts(first, tasks), first_try.verdicts(second, tasks)),
        within_k=mcnemar(within_k.verdicts(first, often), within_k.verdicts(second, often)),
        only_first=tuple(sorted(ours.keys() - theirs.keys())),
        only_second=tuple(sorted(theirs.keys() - ours.keys())),
        short=tuple(task for task in tasks if task not in often),
        excluded=sifted.excluded,
    )


METHODS = (Method("comparison", "Two agents compared", compare),)
