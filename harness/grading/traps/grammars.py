"""The languages whose tests can be altered: a suffix, and the reader of its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from harness.grading.traps.java_tests import read_java
from harness.grading.traps.javascript_tests import read_javascript, read_tsx, read_typescript
from harness.grading.traps.python_tests import read_python
from harness.grading.traps.source import TestFile
from harness.patches import FileState

Reader = Callable[[bytes], TestFile | None]

READERS: Mapping[str, Reader] = {
    ".py": read_python,
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), read_javascript),
    **dict.fromkeys((".ts", ".mts", ".cts"), read_typescript),
    ".tsx": read_tsx,
    ".java": read_java,
}


def text_of_file(file: FileState) -> str | None:
    """The file's text; None for a link, for a file that does not exist, and for one that is not UTF-8."""
    if file.link or file.content is None:
        return None
    try:
        return file.content.decode("utf-8")
    except UnicodeDecodeError:
        return None


@lru_cache(maxsize=16)  # a file is asked for its twins, for names and for its new text
def read_tests(path: str, text: str) -> TestFile | None:
    """The tests of a file; None for an unknown language and for a text that cannot be parsed."""
    reader = READERS.get(PurePosixPath(path).suffix.lower())
    try:
        return reader(text.encode("utf-8")) if reader else None
    except UnicodeEncodeError:  # half a character
        return None
