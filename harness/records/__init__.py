"""The run directory: what one execution of one run leaves behind, written step by step.

| file                | what                                                                              |
| ------------------- | --------------------------------------------------------------------------------- |
| `run_summary.json`  | identity, settings, outcome, ending, counts, tokens, cost, timings; written last  |
| `trajectory.jsonl`  | line 1: header; then one ATIF v1.8 step a line                                    |
| `edits.jsonl`       | one line for each step that changed the workspace: files, lines, diffs            |
| `patch.diff`        | what the workspace differs in from the pristine one, in git's format              |
| `tests.json`        | every test id with status, seconds, message                                       |
| `grading.log`       | raw output of the test run                                                        |
| `artifacts/`        | pictures that tools took on the way; the results of steps name them               |

Lines are appended and flushed before the next model call, so a crash leaves a readable prefix. A last line without its
newline is the mark of a crash: readers leave it out.

ATIF is the Agent Trajectory Interchange Format; a step object here is a valid step object there, so that an export is
a concatenation. What ATIF has no field for is under `extra`.
"""

from harness.records.reader import ARTIFACT_NAME, ARTIFACTS, RunRecord
from harness.records.recorder import MAX_ARTIFACTS, MOST_BYTES, RecordsFull, RunRecorder
from harness.records.steps import (
    ATIF_VERSION,
    FileEdit,
    Metrics,
    Source,
    Step,
    StepEdits,
    ToolCall,
    ToolResult,
    now,
)
from harness.records.summary import (
    SUMMARY_SCHEMA,
    Flag,
    Grade,
    Identity,
    Outcome,
    RunSummary,
    TestResult,
    TestStatus,
)

__all__ = [
    "ARTIFACTS",
    "ARTIFACT_NAME",
    "ATIF_VERSION",
    "MAX_ARTIFACTS",
    "MOST_BYTES",
    "SUMMARY_SCHEMA",
    "FileEdit",
    "Flag",
    "Grade",
    "Identity",
    "Metrics",
    "Outcome",
    "RecordsFull",
    "RunRecord",
    "RunRecorder",
    "RunSummary",
    "Source",
    "Step",
    "StepEdits",
    "TestResult",
    "TestStatus",
    "ToolCall",
    "ToolResult",
    "now",
]
