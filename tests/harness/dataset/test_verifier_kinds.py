"""What verifiers are, and which of them cannot fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from harness.dataset import verifier_kinds
from harness.dataset.verifier_kinds import (
    BuildTask,
    ChatOrToolRegexp,
    ChatRegexp,
    Coverage,
    ExactFiles,
    FilePair,
    NewFileRegexp,
    NoChanges,
    NoFileErrors,
    Occurrences,
    RunTests,
    SourceRegexp,
    Tool,
    Verifier,
    YesChanges,
    matches_empty_text,
    reference_files,
    vacuous,
)
from harness.searching.search import SearchStopped

KINDS: tuple[type[Verifier], ...] = (
    NoChanges, YesChanges, ExactFiles, ChatRegexp, ChatOrToolRegexp, SourceRegexp, NewFileRegexp, RunTests, Coverage,
    BuildTask, NoFileErrors,
)  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "counts"),
    [
        (Occurrences("a"), {0: False, 1: True, 5: True}),
        (Occurrences("a", 2), {1: False, 2: True, 3: True}),
        (Occurrences("a", 2, strict=True), {1: False, 2: True, 3: False}),
        (Occurrences("a", 0, strict=True), {0: True, 1: False}),
    ],
)
def test_a_pattern_occurs_at_least_or_exactly_as_often_as_expected(
    wanted: Occurrences, counts: dict[int, bool]
) -> None:
    assert {count: wanted.suffices(count) for count in counts} == counts


@pytest.mark.parametrize(
    ("verifier", "reason"),
    [
        (NoChanges("n", allowed=("**",)), "`allowed` matches every path and nothing is forbidden"),
        (YesChanges("n", ()), "it has no targets"),
        (ExactFiles("n", (), others_unchanged=False), "it has no pairs"),
        (
            ChatRegexp("n", Occurrences("a", 0)),
            "`expected` is 0 and `strict` is not set, so that any number of matches suffices",
        ),
        (
            SourceRegexp("n", "a.py", Occurrences("x*", strict=True)),
            "`pattern` matches the empty text, so that it matches everywhere",
        ),
        (Coverage("n", "make", 0.0), "`minimum` is 0, and no coverage is lower"),
        (BuildTask("n", " true "), "its command always ends with exit code 0"),
        (NoFileErrors("n", (), Tool.RUFF), "it has no paths"),
    ],
)
def test_a_verifier_that_cannot_fail_is_explained(verifier: Verifier, reason: str) -> None:
    assert vacuous(verifier) == reason


@pytest.mark.parametrize(
    "verifier",
    [
        NoChanges("nothing may change"),
        NoChanges("n", allowed=("**",), forbidden=("tests/**",)),
        ExactFiles("n", (), others_unchanged=True),
        ChatRegexp("n", Occurrences("a", 0, strict=True)),
        RunTests("n"),
        BuildTask("n", "make"),
    ],
)
def test_a_verifier_that_can_fail_is_accepted(verifier: Verifier) -> None:
    assert vacuous(verifier) == ""


def test_reference_files_are_those_of_all_pairs() -> None:
    pairs = (FilePair("a.py", "expected/a.py"), FilePair("b.py", "b.py"))
    assert reference_files([ExactFiles("n", pairs), NoChanges("m")]) == {"expected/a.py", "b.py"}


def test_the_documentation_has_every_kind_with_its_parameters() -> None:
    text = (Path(__file__).parents[3] / "docs/datasets.md").read_text()
    rows = {row.split("`")[1]: row for row in text.splitlines() if row.startswith("| `")}
    missing = [
        f"{kind.kind}.{parameter}"
        for kind in KINDS
        for parameter in _parameters(kind)
        if f"`{parameter}`" not in rows[kind.kind].replace(" = [", "` ")
    ]
    assert missing == []


def _parameters(kind: type[Verifier]) -> Iterator[str]:
    for field in fields(kind):
        if field.name == "wanted":
            yield from ("pattern", "expected", "strict")
        elif field.name != "name":
            yield field.name


@pytest.mark.parametrize(
    "pattern",
    ["(?:|x?)" * 40 + "(?=y)", "(|x?){60}(?=y)", "(?x)(|x?) {60}(?=y)", "(?x)(|x?)#\n{60}(?=y)"],
)
def test_a_pattern_that_can_be_tried_without_end_is_stopped(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier_kinds, "PATTERN_SECONDS", 0.2)
    with pytest.raises(SearchStopped, match="more than 0 s"):
        matches_empty_text(pattern)


def test_a_pattern_with_few_choices_is_searched_without_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(verifier_kinds, "count_matches")
    assert matches_empty_text("^(a|b?)?(?:c|d|)$")
    assert not matches_empty_text("(?mi)^(HIGH|LOW) in (src|tests)/[a-z]+(:\\d+)?$")
