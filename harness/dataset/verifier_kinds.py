"""The verifiers of a workflow task: what is checked after the conversation.

`verifiers.toml` has one table `[[verifiers]]` for each, with `kind`, `name` and the parameters of its kind. `name` is
the id of its result. docs/datasets.md has a table of all kinds and parameters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar

from harness.dataset.globs import matches_everything
from harness.searching.search import count_matches

PATTERN_SECONDS = 2.0
# What may try a part of a pattern more than twice: a group that is repeated, or a pattern with comments, where such a
# repetition is hard to see.
_TRIED_OFTEN = re.compile(r"\)\s*[*+{]|\(\?[a-zA-Z]*x")
_CHOICE = re.compile(r"\||\)\s*\?")
_FEW_CHOICES = 10


@dataclass(frozen=True, slots=True)
class Verifier:
    """One check of a workflow task. `name`: a unique short sentence, the id of its result."""

    kind: ClassVar[str] = ""
    name: str


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How often a regular expression of Python's `re` must match: at least `expected` times, or exactly if `strict`."""

    pattern: str
    expected: int = 1
    strict: bool = False

    def suffices(self, count: int) -> bool:
        """Whether so many matches are right."""
        return count == self.expected if self.strict else count >= self.expected


@dataclass(frozen=True, slots=True)
class NoChanges(Verifier):
    """Files stay as they are. A changed path fails if it matches `forbidden`, or if it does not match `allowed`.

    Without `allowed` but with `forbidden`, only the forbidden paths are checked. Without both, nothing may change.
    """

    kind = "no_changes"
    allowed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class YesChanges(Verifier):
    """Each of the `targets` (paths and globs) matches a path that was added, changed or deleted."""

    kind = "yes_changes"
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePair:
    """`path` in the workspace has the content of `reference`, a file in the task's `tests/`."""

    path: str
    reference: str


@dataclass(frozen=True, slots=True)
class ExactFiles(Verifier):
    """Files of the workspace are equal to hidden reference files.

    `ignore_empty_lines`: lines without visible characters do not count. `trim`: white space at the ends of lines and
    line ends at the end of the file do not count. `others_unchanged`: no other file may change. The reference files
    are not copied into a container.
    """

    kind = "exact_files"
    pairs: tuple[FilePair, ...]
    ignore_empty_lines: bool = False
    trim: bool = False
    others_unchanged: bool = True


@dataclass(frozen=True, slots=True)
class ChatRegexp(Verifier):
    """A pattern occurs in the agent's messages."""

    kind = "chat_regexp"
    wanted: Occurrences


@dataclass(frozen=True, slots=True)
class ChatOrToolRegexp(Verifier):
    """A pattern occurs in the agent's messages, its tool calls (name and arguments), or their results."""

    kind = "chat_or_tool_regexp"
    wanted: Occurrences


@dataclass(frozen=True, slots=True)
class SourceRegexp(Verifier):
    """A pattern occurs in the files that match `path` (path or glob), at the end of the run.

    `uncommented_only`: comments do not count. Fails if no file matches `path`.
    """

    kind = "source_regexp"
    path: str
    wanted: Occurrences
    uncommented_only: bool = False


@dataclass(frozen=True, slots=True)
class NewFileRegexp(Verifier):
    """There is a new file whose whole path matches a regular expression."""

    kind = "new_file_regexp"
    pattern: str


@dataclass(frozen=True, slots=True)
class RunTests(Verifier):
    """Tests run in the grading container, with the files in the task's `tests/`: at least one passes, and none fails.

    `command`: a line for bash; '' stands for the repository's `run_tests.sh`. `report`: the format of the results,
    one of REPORT_NAMES; '' stands for the task's.
    """

    kind = "run_tests"
    command: str = ""
    report: str = ""


class Unit(StrEnum):
    """What a minimum of coverage is required of."""

    ALL = "all"
    PACKAGE = "package"
    CLASS = "class"
    FILE = "file"


class Metric(StrEnum):
    """What coverage counts."""

    LINE = "line"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class Coverage(Verifier):
    """A command measures coverage, and each unit reaches `minimum` (percent).

    The command writes a report in the format of Cobertura or JaCoCo to `$RESULTS_DIR/<report>`. `target`: a glob for
    the names of the units that are required; '' stands for all. Fails if the report has no such unit.
    """

    kind = "coverage"
    command: str
    minimum: float
    unit: Unit = Unit.ALL
    metric: Metric = Metric.LINE
    target: str = ""
    report: str = "coverage.xml"


@dataclass(frozen=True, slots=True)
class BuildTask(Verifier):
    """A command ends with exit code 0 and, where `wanted` is set, a pattern occurs in its output."""

    kind = "build_task"
    command: str
    wanted: Occurrences | None = None


class Tool(StrEnum):
    """A program that finds errors in files. SARIF stands for any program that writes reports in this format."""

    RUFF = "ruff"
    MYPY = "mypy"
    TSC = "tsc"
    JAVAC = "javac"
    GCC = "gcc"
    CLANG_TIDY = "clang-tidy"
    SARIF = "sarif"


@dataclass(frozen=True, slots=True)
class NoFileErrors(Verifier):
    """A tool finds no error, and with `include_warnings` no warning, in the files that match `paths` (globs).

    `arguments` are passed to the tool before the files. `command`: only for SARIF, a line for bash that writes
    `*.sarif` into $RESULTS_DIR and gets the files as its arguments. Fails if no file matches.
    """

    kind = "no_file_errors"
    paths: tuple[str, ...]
    tool: Tool
    arguments: tuple[str, ...] = ()
    command: str = ""
    include_warnings: bool = False


# Kinds that run a command in the grading container.
COMMAND_KINDS = (RunTests, Coverage, BuildTask, NoFileErrors)
_IDLE_COMMANDS = {"true", ":", "exit", "exit 0", "/bin/true"}


def vacuous(verifier: Verifier) -> str:
    """Why a verifier cannot fail, whatever an agent does; '' if it can, as far as its parameters say.

    Whether a command can fail is seen only when it runs: `harness.grading.verifiers.probing` has the rule for that.
    """
    wanted, reason = None, ""
    match verifier:
        case NoChanges():
            if any(map(matches_everything, verifier.allowed)) and not verifier.forbidden:
                reason = "`allowed` matches every path and nothing is forbidden"
        case YesChanges():
            reason = "" if verifier.targets else "it has no targets"
        case ExactFiles():
            reason = "" if verifier.pairs or verifier.others_unchanged else "it has no pairs"
        case ChatRegexp() | ChatOrToolRegexp() | SourceRegexp():
            wanted = verifier.wanted
        case Coverage():
            reason = "" if verifier.minimum > 0 else "`minimum` is 0, and no coverage is lower"
        case BuildTask():
            wanted = verifier.wanted
            if wanted is None and verifier.command.strip() in _IDLE_COMMANDS:
                reason = "its command always ends with exit code 0"
        case NoFileErrors():
            reason = "" if verifier.paths else "it has no paths"
    return reason or (_always_suffices(wanted) if wanted else "")


def _always_suffices(wanted: Occurrences) -> str:
    if wanted.expected == 0 and not wanted.strict:
        return "`expected` is 0 and `strict` is not set, so that any number of matches suffices"
    if matches_empty_text(wanted.pattern):
        return "`pattern` matches the empty text, so that it matches everywhere"
    return ""


@lru_cache(maxsize=1024)
def matches_empty_text(pattern: str) -> bool:
    """Whether a valid pattern matches the empty text. Raises SearchStopped if it takes too long to find out."""
    if not _TRIED_OFTEN.search(pattern) and len(_CHOICE.findall(pattern)) <= _FEW_CHOICES:
        return bool(re.search(pattern, ""))  # at most 2 ** _FEW_CHOICES ways to match no character
    return count_matches(pattern, [("", "")], seconds=PATTERN_SECONDS).count > 0


def reference_files(verifiers: Sequence[Verifier]) -> frozenset[str]:
    """The files in `tests/` that verifiers compare with the workspace."""
    return frozenset(
        pair.reference
        for verifier in verifiers
        if isinstance(verifier, ExactFiles)
        for pair in verifier.pairs
    )
