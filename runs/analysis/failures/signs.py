"""The failure modes of one run."""

from __future__ import annotations

from runs.analysis.facts import Signs
from runs.analysis.failures import framework, ide
from runs.analysis.failures.finding import Case
from runs.analysis.failures.modes import MODES
from runs.analysis.method import Section, method
from runs.analysis.trajectories.trace import Exercise, Trace
from runs.analysis.trajectories.verdict import RunVerdict

DETECTORS = {**ide.DETECTORS, **framework.DETECTORS}


@method(
    "failure-signs",
    "Failure modes of one run",
    Section.FAILURE_MODES,
    1,
    short="Signs of trouble: patterns in the steps of a run that often come with failure.",
    example="The same command again and again, without any change between.",
)
def signs(trace: Trace, exercise: Exercise, verdict: RunVerdict) -> Signs:
    """Which failure modes one run shows, in which steps, and which cannot be decided and why.

    Every mode is checked in every run, including resolved ones: a mode that they show as often does not explain
    failures. `failures.modes.MODES` has the exact criteria. A run may show several modes.

    Formula: see each criterion. Where the papers are ambiguous, these definitions apply.

    An *edit attempt* is a call of an editing tool, or a step in which something else (a shell) changed text files of
    the workspace; `apply_patch` in a shell counts as an editing tool. It failed if nothing changed, whatever the tool
    reported. Changes are found by comparing the workspace; the size of an edit is the larger of added and removed
    lines, so that a replaced line counts once. Creating a directory, files from builds and tests, and a call without a
    result are not attempts.

    A *file read* is a file in the workspace that a reading tool or a shell command showed successfully; listing and
    searching do not count. "Re-reads more than 5 times" is taken literally: the first read is not a re-read, so a file
    counts from its seventh read. Reading the next part of a long file is not a re-read; reading it after a change is.

    *Consecutive failed edits with syntax errors* are attempts after which a target file does not parse, whatever was
    read between them; Python files are parsed, others are checked only if the editing tool reports it.

    *Completion* is reported by a run that ended by itself. Assertion errors are recognised by the messages of test
    runners and their libraries; whether they concern "edge cases", or the implementation is otherwise "correct", is
    not checked. The *iteration limit* is that of the run (100 in the paper); if it is unknown, the ending of the run
    decides.

    *Keywords* are those of the description; identifiers are split, stop words removed. *Nearly equal* calls use the
    same tool with equal arguments, except arguments that explain the call. *Wrong file modified* means that no file of
    the patch is in the reference patch: additional tests and documents are no error. Agents here have no *submit*
    tool: a run that ended by itself with a patch has submitted.

    Source: IDE-Bench, appendix C.1.1, for the twelve; Coding Agent Evaluation Framework, appendix A.7, Table 7, for the
    seven. That paper's section 3.1 lists five of the seven, and its section 5.3 and Tables 16 and 18 count two more,
    "gave up early" and "missed relevant file", without a criterion. Table 7 is used; those two have a criterion of
    ours, marked as such.

    Units: steps are the trajectory's step ids. Edits, files, iterations and calls are counts.

    Small n: in a run without steps, modes that need steps are absent; exploration, context and keywords are undecided.
    Missing facts (files of the workspace, reference patch, tests, their messages) leave the modes that depend on them
    undecided, with the reason.
    """
    case = Case.of(trace, exercise, verdict)
    findings = {mode.slug: DETECTORS[mode.slug](case) for mode in MODES}
    return Signs(
        found={slug: finding.steps for slug, finding in findings.items() if finding.present},
        undecided={slug: finding.reason for slug, finding in findings.items() if finding.present is None},
    )
