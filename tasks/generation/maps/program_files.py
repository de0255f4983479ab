"""Which files of a repository are code of its program."""

from __future__ import annotations

import re

from harness.functions import is_source

# Tests, documentation and examples: nothing of the program calls them.
_NO_PROGRAM = re.compile(
    r"(^|/)(tests?|__tests__|docs?|examples?|benchmarks?)/"
    r"|(^|/)(test_[^/]*|[^/]*_test|conftest|setup|noxfile)\.py$"
    r"|\.(test|spec|d)\.[cm]?[jt]sx?$|\.min\.js$|\.pyi$"
)


def is_program(path: str) -> bool:
    """Whether a file's language is known, and it is no test, document, example or benchmark."""
    return is_source(path) and not _NO_PROGRAM.search(path)
