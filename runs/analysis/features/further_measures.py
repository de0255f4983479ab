"""Measures of a run beside the paper's features: its first correct edit, syntax errors, stated intent, last check."""

from __future__ import annotations

from collections.abc import Callable

from runs.analysis.features.base import Category, Evidence, Measure, flag
from runs.analysis.features.errors import failed
from runs.analysis.features.tool_features import runs_tests
from runs.analysis.trajectories.intents import Intents, intents
from runs.analysis.trajectories.syntax_errors import SyntaxErrors, syntax_errors


def _first_correct_edit(run: Evidence) -> float | None:
    if run.reference_files is None:
        return None
    for iteration in run.trace.iterations:
        if any(edit.path in run.reference_files for edit in iteration.edits):
            return float(iteration.number)
    return None


def _syntax(run: Evidence) -> SyntaxErrors:
    return syntax_errors(run.trace)


def _intent(run: Evidence) -> Intents:
    return intents(run.trace)


def _if_explained(count: Callable[[Intents], int]) -> Measure:
    def value(run: Evidence) -> float | None:
        counted = run.once(_intent)
        return float(count(counted)) if counted.explained else None

    return value


def _last_check_passed(run: Evidence) -> float | None:
    passed: float | None = None
    for iteration in run.trace.iterations:
        for call in iteration.calls:
            if call.phase == "verification" or runs_tests(call):
                passed = flag(not failed(call)) if call.returned else None
            elif iteration.changes and call.phase == "implementation":
                passed = None
    return passed


_CATEGORY = Category("beside")
_UNEXPLAINED = "Undefined if no call has an explanation. Not one of the 59 features."
_ONLY_PYTHON = "Only .py files are checked. Not one of the 59 features."

FIRST_CORRECT_EDIT = _CATEGORY.reference(
    "first_correct_edit",
    "The iteration, counted from 1, that first changed a file of the reference patch on disk (section "
    "4.2.2). Not one of the 59 features. Undefined if no iteration did, or without a reference patch.",
    _first_correct_edit,
)
SYNTAX_MEASURES = (
    _CATEGORY.process(
        "syntax_errors_introduced",
        "How often a file that parsed did not parse after an edit, whatever made the edit (IDE-Bench, F.3.3). "
        f"A file counts as parsing when the run begins. {_ONLY_PYTHON}",
        lambda run: float(run.once(_syntax).introduced),
    ),
    _CATEGORY.process(
        "syntax_errors_blocked",
        "Edits that the tool refused because they would have added a syntax error (IDE-Bench, F.3.3); 0 unless the "
        f"agent has the setting reject_syntax_errors. {_ONLY_PYTHON}",
        lambda run: float(run.once(_syntax).blocked),
    ),
    _CATEGORY.process(
        "syntax_errors_fixed",
        "How often a file with an introduced or blocked error was later edited so that it parses, or deleted "
        f"(IDE-Bench, F.3.3). {_ONLY_PYTHON}",
        lambda run: float(run.once(_syntax).fixed),
    ),
    _CATEGORY.process(
        "iterations_left_broken",
        "Iterations whose changes are all in files that do not parse afterwards: they would be non-productive if "
        f"such edits were rejected (IDE-Bench, B.1). {_ONLY_PYTHON}",
        lambda run: float(run.once(_syntax).left_broken),
    ),
)
INTENT_MEASURES = (
    _CATEGORY.process(
        "explained_calls",
        "Tool calls with an `explanation` (IDE-Bench, 3.3). Not one of the 59 features.",
        lambda run: float(run.once(_intent).explained),
    ),
    _CATEGORY.process(
        "targets_named",
        "Files and symbols that the explanations of edit calls name, each once a call. A symbol counts if it is "
        f"written as code: in backquotes, with (), with an underscore inside, or in camel case. {_UNEXPLAINED}",
        _if_explained(lambda counted: counted.targets),
    ),
    _CATEGORY.process(
        "targets_changed",
        "Of targets_named, those that the edit changed: the file changed on disk, or the symbol occurs in the diff, "
        f"its context included. {_UNEXPLAINED}",
        _if_explained(lambda counted: counted.hit),
    ),
    _CATEGORY.process(
        "expectations_stated",
        "Calls with a result whose explanation expects something (expect, expecting, should, will). It expects "
        f"success, unless it has a cue such as 'should fail'. {_UNEXPLAINED}",
        _if_explained(lambda counted: counted.expectations),
    ),
    _CATEGORY.process(
        "expectations_met",
        "Of expectations_stated, those where the call ended as expected. A call succeeds if its tool reports no error "
        f"and its command, if any, ends with 0. {_UNEXPLAINED}",
        _if_explained(lambda counted: counted.met),
    ),
)
LAST_CHECK_PASSED = _CATEGORY.process(
    "last_check_passed",
    "Whether the last call that verifies or runs tests after the last change of the workspace ended without an "
    "error. Undefined without such a call, and without its result. Not one of the 59 features.",
    _last_check_passed,
)
FURTHER_MEASURES = (FIRST_CORRECT_EDIT, *SYNTAX_MEASURES, *INTENT_MEASURES, LAST_CHECK_PASSED)
