"""The run directory: the files of one execution of one run, written step by step.

| file                | content                                                                           |
| ------------------- | --------------------------------------------------------------------------------- |
| `run_summary.json`  | identity, settings, outcome, ending, counts, tokens, cost, timings; written last  |
| `trajectory.jsonl`  | line 1: header; then one ATIF v1.8 step a line                                    |
| `edits.jsonl`       | one line for each step that changed the workspace: files, lines, diffs            |
| `user.jsonl`        | of a workflow: one line for each answer of the simulated user, with its cost      |
| `submissions.jsonl` | one line for each submission during the run: its tests, the first failure, seconds |
| `patch.diff`        | the changes to the original workspace, in git's format                            |
| `tests.json`        | every test id with status, seconds, message                                       |
| `grading.log`       | raw output of the test run                                                        |
| `artifacts/`        | pictures that tools took; the results of steps contain their names                |
| `terminal.cast`     | of reported runs: what a terminal showed, in asciinema's form                     |
| `reviews/`          | what judges say of this run, written later; see `harness.judges`                  |
| `comparisons/`      | comparisons with other runs by judges, written later                              |

A run that several processes execute one after the other has more files until it has its verdict, with what the next
process needs: a person's `progress.json` and one `draft-*.json` (see `progress`), a model's `conversation.jsonl` (see
`conversation`). They are no records.

Lines are appended and flushed before the next model call, so the files are readable after a crash. A last line without
a newline was cut off by a crash; readers skip it.

ATIF is the Agent Trajectory Interchange Format. Each step is a valid ATIF step object, so an export only concatenates
them. Data without an ATIF field is under `extra`.
"""

from harness.records.conversation import CONVERSATION, SavedConversation, Used, can_go_on, forget
from harness.records.progress import Progress, draft_of, drafted, packed
from harness.records.reader import (
    ARTIFACT_NAME,
    ARTIFACTS,
    EDITS,
    LOG,
    PATCH,
    SUBMISSIONS,
    SUMMARY,
    TERMINAL,
    TESTS,
    TRAJECTORY,
    USER,
    RunRecord,
)
from harness.records.recorder import MAX_ARTIFACTS, MAX_BYTES, RunRecorder
from harness.records.steps import (
    ATIF_FILE,
    ATIF_VERSION,
    NOT_COMPARED,
    FileEdit,
    Metrics,
    Source,
    Step,
    StepEdits,
    Submission,
    ToolCall,
    ToolResult,
    UserTurn,
    now,
)
from harness.records.summary import (
    Flag,
    Grade,
    Identity,
    Outcome,
    Repair,
    RunSummary,
    TestResult,
    TestStatus,
    UserEnding,
    UserSummary,
)
from harness.records.whole_file import NO_SPACE, write_json

__all__ = [
    "ARTIFACTS",
    "ARTIFACT_NAME",
    "ATIF_FILE",
    "ATIF_VERSION",
    "CONVERSATION",
    "EDITS",
    "LOG",
    "MAX_ARTIFACTS",
    "MAX_BYTES",
    "NOT_COMPARED",
    "NO_SPACE",
    "PATCH",
    "SUBMISSIONS",
    "SUMMARY",
    "TERMINAL",
    "TESTS",
    "TRAJECTORY",
    "USER",
    "FileEdit",
    "Flag",
    "Grade",
    "Identity",
    "Metrics",
    "Outcome",
    "Progress",
    "Repair",
    "RunRecord",
    "RunRecorder",
    "RunSummary",
    "SavedConversation",
    "Source",
    "Step",
    "StepEdits",
    "Submission",
    "TestResult",
    "TestStatus",
    "ToolCall",
    "ToolResult",
    "Used",
    "UserEnding",
    "UserSummary",
    "UserTurn",
    "can_go_on",
    "draft_of",
    "drafted",
    "forget",
    "now",
    "packed",
    "write_json",
]
