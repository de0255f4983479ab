"""What tests of the readers ask: which values of a test can be altered, and how well."""

from __future__ import annotations

from harness.grading.traps.grammars import read_tests
from harness.grading.traps.source import Kind, TestCode, TestFile


def read(path: str, text: str) -> TestFile:
    """The file's tests; it has to be readable."""
    file = read_tests(path, text)
    assert file is not None
    return file


def only_test(path: str, text: str) -> tuple[TestFile, TestCode]:
    """The file and its only test."""
    file = read(path, text)
    (test,) = file.tests
    return file, test


def alterable(path: str, text: str) -> list[tuple[str, ...]]:
    """For each alteration of the only test: its rank, and the texts that change; with `→ new` where that is fixed."""
    file, test = only_test(path, text)
    return [
        (
            one.rank.name,
            *(
                file.text[spot.start : spot.end].decode()
                + (f"→{spot.replacement.decode()}" if spot.kind is Kind.FIXED else "")
                for spot in one.spots
            ),
        )
        for one in test.alterations
    ]
