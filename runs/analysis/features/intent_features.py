"""Stated intent of a run's calls: measures that are not part of the paper's features."""

from __future__ import annotations

from collections.abc import Callable

from runs.analysis.features.base import Basis, Evidence, Feature
from runs.analysis.trajectories.intents import Intents, intents


def _counted(run: Evidence) -> Intents:
    return intents(run.trace)


def _if_explained(count: Callable[[Intents], int]) -> Callable[[Evidence], float | None]:
    def value(run: Evidence) -> float | None:
        found = run.once(_counted)
        return float(count(found)) if found.explained else None

    return value


_CATEGORY = "beside"
_BESIDE = "Undefined if no call has an explanation. Not one of the 59 features."

MEASURES = (
    Feature(
        "explained_calls",
        _CATEGORY,
        Basis.PROCESS,
        "Tool calls with an `explanation` (IDE-Bench, 3.3). Not one of the 59 features.",
        lambda run: float(run.once(_counted).explained),
    ),
    Feature(
        "targets_named",
        _CATEGORY,
        Basis.PROCESS,
        "Files and symbols that the explanations of edit calls name, each once a call. A symbol counts if it is "
        f"written as code: in backquotes, with (), with an underscore inside, or in camel case. {_BESIDE}",
        _if_explained(lambda found: found.targets),
    ),
    Feature(
        "targets_changed",
        _CATEGORY,
        Basis.PROCESS,
        "Of targets_named, those that the edit changed: the file changed on disk, or the symbol occurs in the diff, "
        f"its context included. {_BESIDE}",
        _if_explained(lambda found: found.hit),
    ),
    Feature(
        "expectations_stated",
        _CATEGORY,
        Basis.PROCESS,
        "Calls with a result whose explanation expects something (expect, expecting, should, will). It expects "
        f"success, unless it has a cue such as 'should fail'. {_BESIDE}",
        _if_explained(lambda found: found.expectations),
    ),
    Feature(
        "expectations_met",
        _CATEGORY,
        Basis.PROCESS,
        "Of expectations_stated, those where the call ended as expected. A call succeeds if its tool reports no error "
        f"and its command, if any, ends with 0. {_BESIDE}",
        _if_explained(lambda found: found.met),
    ),
)
