"""Merged changes, as all sources give them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from harness.dataset import Origin
from harness.patches import FileState

# The words with which hosts of repositories close an issue when a change is merged.
_CLOSES = re.compile(
    r"\b(?:clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed)):?\s{1,3}"
    r"(?:#|gh-|https?://[\w.-]{1,100}/[\w.-]{1,100}/[\w.-]{1,100}/issues/)(\d{1,9})\b",
    re.IGNORECASE,
)

# Titles that only say that something was merged, or name a number or a file.
_EMPTY_TITLE = re.compile(
    r"(?:merge (?:commit|pull request|branch|remote)\b.{0,200}|(?:fix(?:es|ed)?(?: for)?:? )?CVE-\d{4}-\d{4,7}"
    r"|changes from \S{1,100} to \S{1,100}|\S{0,200}\.(?:patch|diff)|)",
    re.IGNORECASE,
)

Files = Mapping[str, FileState]


class Reason(StrEnum):
    """Why a change makes no task. The value is what the yield shows."""

    NOT_MERGED = "not merged"
    NO_ISSUE = "no linked issue"
    NO_DESCRIPTION = "no description"
    NO_TESTS = "no test changed"
    NO_SOURCE = "no source changed"
    TOO_FEW_FILES = "too few files"
    TOO_MANY_FILES = "too many files"
    TOO_FEW_LINES = "too few lines"
    TOO_MANY_LINES = "too many lines"
    UNREADABLE = "not readable"
    NOT_APPLYING = "the patch does not apply"
    EMPTY = "no test fails before and passes after"
    MISSING_TESTS = "tests are missing before the change"
    BROKEN_TESTS = "tests do not pass after the change"
    NOT_CARRIED = "it changes files that grading does not take over"
    FLAKY = "flaky tests"


@dataclass(frozen=True, slots=True)
class Issue:
    """What a change fixes. `number` 0: it has another kind of name, which is in `url`."""

    number: int
    title: str = ""
    text: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class MergedChange:
    """One change. `files` reads the tree before it, to which `diff` applies; it may take a while.

    `identifier` is unique in its source, and says with `base` which change it is. `number` is that of the pull request,
    0 if there is none. `title` and `text` are what the author wrote about the change, without a patch.
    """

    identifier: str
    title: str
    diff: bytes
    base: str
    files: Callable[[], Files]
    text: str = ""
    number: int = 0
    issue: Issue | None = None
    author: str = ""
    date: str = ""
    url: str = ""
    origin: Origin = Origin.PULL_REQUEST
    merged: bool = True


@dataclass(frozen=True, slots=True)
class Refusal:
    """A change that makes no task, and why."""

    identifier: str
    title: str
    reason: Reason
    detail: str = ""


def closed_issue(text: str) -> int | None:
    """The number of the first issue that a message closes with "Fixes #n" and the like; None if there is none."""
    found = _CLOSES.search(text)
    return int(found[1]) if found else None


def described(found: MergedChange | Refusal, texts: Mapping[str, str]) -> MergedChange | Refusal:
    """The change with the description that an operator wrote for it: a title and a text below, by identifier."""
    if isinstance(found, Refusal) or found.identifier not in texts:
        return found
    title, _, text = texts[found.identifier].strip().partition("\n")
    issue = None if found.issue is None else replace(found.issue, title="", text="")
    return replace(found, title=title.strip(), text=text.strip(), issue=issue)


def says_nothing(title: str) -> bool:
    """Whether a title does not say what was changed, such as "Merge commit from fork" or "CVE-2024-1234"."""
    return _EMPTY_TITLE.fullmatch(title.strip()) is not None
