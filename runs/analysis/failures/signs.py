"""Signs of trouble in one run."""

from __future__ import annotations

from runs.analysis.facts import Signs
from runs.analysis.failures import framework, ide
from runs.analysis.failures.finding import Case
from runs.analysis.failures.modes import MODES
from runs.analysis.method import Method
from runs.analysis.trajectories.trace import Exercise, Trace
from runs.analysis.trajectories.verdict import RunVerdict

DETECTORS = {**ide.DETECTORS, **framework.DETECTORS}


def signs(trace: Trace, exercise: Exercise, verdict: RunVerdict) -> Signs:
    """Which failure modes show in one run, in which steps, and which cannot be decided and why.

    Every mode is looked for in every run, resolved ones too: what resolved runs show as often explains no failure.
    `failures.modes.MODES` has each with its exact criterion. Several at once are usual.

    Formula: see each criterion. Where the papers' words leave a choice, this is taken.

    An *edit attempt* is a call of a tool that edits, or a step in which something else (a shell) changed text files of
    the workspace; `apply_patch` by shell is a tool that edits. It failed when nothing changed, whatever the tool said.
    What it changed is told by a comparison of the workspace, an edit's size by the larger of added and removed lines,
    so that replacing a line counts once. Making a directory, what builds and tests leave behind, and a call that was
    never answered are no attempts.

    A *file read* is one that a reading tool or a shell command showed, successfully, inside the workspace; listing and
    searching read none. "Re-reads more than 5 times" is taken by the letter: the first reading is none, so a file
    counts from its seventh reading on. Reading on in a long file is not reading it again; reading it after a change is.

    *Consecutive failed edits with syntax errors* are attempts after which a file that they aimed at does not parse,
    whatever was read between them; Python's files are parsed, others only where the tool that edits them says so.

    *Completion* is reported by a run that ended by itself. Assertion errors are told by the words of the test runners
    and their libraries; that they concern "edge cases", and that the implementation is otherwise "correct", nobody can
    tell, and it is not asked. The *iteration limit* is the run's own, where the paper's was 100; where it is not known,
    the ending says whether it was reached.

    *Keywords* are those of the description; identifiers are taken apart, stop words left out. *Nearly equal* calls are
    of one tool with the same arguments but for those that say why it is made. *Wrong file modified* means that none of
    the patch's files is one of the reference patch's: tests and documents beside the right file are no mistake. For the
    *submit* tool, which agents here do not have, stands a run that ended by itself and left a patch.

    Source: IDE-Bench, appendix C.1.1, for the twelve; Coding Agent Evaluation Framework, appendix A.7, Table 7, for the
    seven. That paper's section 3.1 lists five of the seven, and its section 5.3 and Tables 16 and 18 count two more,
    "gave up early" and "missed relevant file", without a criterion. Table 7 is taken; those two are offered with a
    criterion of ours, marked as such.

    Units: steps are the trajectory's step ids. Edits, files, iterations and calls are counts.

    Small n: a run without any step shows none of what steps would have to show; exploration, context and keywords are
    undecided then. Facts that lack (files of the workspace, reference patch, tests, why they failed) make those modes
    undecided that depend on them, with the reason.
    """
    case = Case.of(trace, exercise, verdict)
    findings = {mode.slug: DETECTORS[mode.slug](case) for mode in MODES}
    return Signs(
        found={slug: finding.steps for slug, finding in findings.items() if finding.present},
        undecided={slug: finding.reason for slug, finding in findings.items() if finding.present is None},
    )


METHODS = (Method("failure-signs", "Signs of trouble in one run", signs),)
