"""The failure modes: title, exact criterion, and a description for readers.

A mode is a sign, not a cause: resolved runs show many of them as well (`failure_report`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Taxonomy = Literal["ide-bench", "framework", "framework-text"]

IDE_BENCH, FRAMEWORK = "IDE-Bench, appendix C.1.1", "Coding Agent Evaluation Framework, appendix A.7, Table 7"
FRAMEWORK_TEXT = (
    "Coding Agent Evaluation Framework, section 5.3 and Table 18: a name, no criterion; the criterion is ours"
)
SOURCES: Mapping[Taxonomy, str] = {
    "ide-bench": "IDE-Bench",
    "framework": "Evaluation Framework",
    "framework-text": "ours",
}
"""Whose criteria a taxonomy has. The Evaluation Framework has only the names of those with criteria of ours."""


@dataclass(frozen=True, slots=True)
class FailureMode:
    """One mode. `criterion` is exact; `description` explains it for readers.

    `only_unresolved`: the criterion requires failed tests, so a comparison with resolved runs has no meaning.
    """

    slug: str
    title: str
    criterion: str
    description: str
    taxonomy: Taxonomy
    source: str
    only_unresolved: bool = False


INFRASTRUCTURE = "infrastructure_errors"

_ONLY_UNRESOLVED = {"test_misinterpretation"}

IDE_MODES = tuple(
    FailureMode(*texts, "ide-bench", IDE_BENCH, only_unresolved=texts[0] in _ONLY_UNRESOLVED)
    for texts in (
        (
            "premature_editing",
            "Premature editing",
            "Fewer than 3 different files were read before the first edit attempt.",
            "The agent begins to change code before it has read the code that causes the behaviour. The first change "
            "is often in the wrong place, and later steps have to repair it.",
        ),
        (
            "syntax_error_loop",
            "Syntax error loop",
            "At least 3 consecutive edit attempts, whatever other calls are between them, after each of which a target "
            "file does not parse.",
            "The agent breaks the syntax of a file, and its next edits do not repair it.",
        ),
        (
            "wrong_file_targeting",
            "Wrong file targeting",
            "More than 50 % of the edit attempts changed nothing, and less than 30 % of the workspace's files were "
            "read.",
            "The agent repeatedly tries to edit code that differs from what it expects, and that it has hardly read.",
        ),
        (
            "infinite_exploration",
            "Infinite exploration",
            "More than 15 consecutive iterations without an edit attempt.",
            "The agent reads, searches and runs commands for a long time, and does not decide on a change.",
        ),
        (
            "large_risky_edits",
            "Large risky edits",
            "One edit of more than 50 lines: the larger of lines added and lines removed, summed over its files.",
            "The agent rewrites much code at once, or writes a long file in one step. Such a change is hard to check, "
            "and easily breaks working code.",
        ),
        (
            "iteration_exhaustion",
            "Timeout, iterations exhausted",
            "The run used all iterations that it was allowed (100 in the paper), or ended at the iteration limit.",
            "The agent was still working when its iterations were used up.",
        ),
        (
            INFRASTRUCTURE,
            "Infrastructure errors",
            "The run's outcome is that the infrastructure failed.",
            "The engine, the disk or the model's provider failed. This says nothing about the agent, and is not "
            "counted among its failures.",
        ),
        (
            "no_successful_edits",
            "No successful edits",
            "At least one edit attempt, but the workspace never changed.",
            "The agent tried to change code, but none of its edits had an effect.",
        ),
        (
            "tool_call_failures",
            "Tool call failures",
            "At least 5 tool calls were refused or failed. A command that ends with an error code did not fail.",
            "The agent uses its tools wrongly: paths that do not exist, invalid arguments, or texts to replace that "
            "are not in the file.",
        ),
        (
            "thrashing",
            "Thrashing, backtracking",
            "More than 4 edits changed the same file.",
            "The agent changes the same file again and again, and rewrites its own code.",
        ),
        (
            "context_loss",
            "Context loss",
            "One file was read again more than 5 times after its first read. Reading the next part of a long file is "
            "not a re-read.",
            "The agent reads again what it has already seen, as if it had forgotten it.",
        ),
        (
            "test_misinterpretation",
            "Test misinterpretation",
            "The agent ended by itself after an edit that landed, an assertion failed, and the tests that it gained "
            "are at least half of those that fail on the untouched code.",
            "The agent believes that it is done, and most of its implementation is correct, but a part does something "
            "other than what was required: often an edge case, or the exact form of the output.",
        ),
    )
)

FRAMEWORK_MODES = tuple(
    FailureMode(*texts, "framework", FRAMEWORK)
    for texts in (
        (
            "excessive_exploration",
            "Excessive exploration",
            "More than 70 % of the tool calls explore: they read, list or search.",
            "Most of the work is exploration, and little of it is changing or checking code.",
        ),
        (
            "insufficient_context",
            "Insufficient context",
            "Fewer than 2 files were read.",
            "The agent works on assumptions: it has read one file, or none.",
        ),
        (
            "misunderstood_issue",
            "Misunderstood issue",
            "Less than 20 % of the description's keywords occur in what the agent wrote: messages, reasoning, and the "
            "arguments of its calls with their paths.",
            "The agent's texts and actions have little to do with the task.",
        ),
        (
            "wrong_location",
            "Wrong location",
            "The patch changes files, and none of them is one that the reference patch changes.",
            "The agent changed something, but not where a known solution is.",
        ),
        (
            "incomplete_fix",
            "Incomplete fix",
            "The similarity of the lines of patch and reference patch is above 0.3 and below 0.7.",
            "The change contains a part of a known solution.",
        ),
        (
            "stuck_in_loop",
            "Stuck in a loop",
            "At least 3 consecutive tool calls that are equal, apart from arguments that only explain the call.",
            "The agent repeats the same call, as if the result could be different next time.",
        ),
        (
            "no_submission",
            "No submission",
            "The run was ended by a limit or an error, or the agent left no patch.",
            "The agent did not submit a solution.",
        ),
    )
)

TEXT_MODES = tuple(
    FailureMode(*texts, "framework-text", FRAMEWORK_TEXT)
    for texts in (
        (
            "gave_up_early",
            "Gave up early",
            "The agent ended by itself without an edit attempt, and left no patch.",
            "The agent stops before it has tried a change.",
        ),
        (
            "missed_relevant_file",
            "Missed relevant file",
            "Of the files that the reference patch changes and that existed at the start, none was read or changed.",
            "The agent never found the relevant files.",
        ),
    )
)

MODES = (*IDE_MODES, *FRAMEWORK_MODES, *TEXT_MODES)
