"""How the ids of results name tests, and which of these names are unique."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Set
from pathlib import PurePosixPath

from harness.dataset import Trap
from harness.grading.parsers.surefire import is_class
from harness.grading.traps.grammars import read_tests, text_of_file
from harness.patches import FileState


def has_name(test: str, name: str) -> bool:
    """Whether the id of a test contains this name, as a whole."""
    return name in test and _whole(name).search(test) is not None


def before_name(test: str, name: str) -> Iterator[str]:
    """What stands in the id of a test before each place of this name, as a whole."""
    for found in _whole(name).finditer(test):
        yield test[: found.start()]


def stands_behind(test: str, name: str, places: Set[str]) -> bool:
    """Whether the id of a test contains this name, as a whole, behind one of these texts; anywhere without any.

    Looks at these places only: code under test can report a name of many megabytes that holds this one everywhere.
    """
    if not places:
        return has_name(test, name)
    whole = _whole(name)
    return any(test.startswith(place) and whole.match(test, len(place)) for place in places)


def may_report(test: str, name: str) -> bool:
    """Whether a result with this id has the test of this name in it."""
    return is_class(test) or has_name(test, name)


def reported(names: Iterable[str], tests: Collection[str]) -> list[str]:
    """Those of these names that ids of tests contain; all of them if an id stands for a class.

    Looks words up in a set: for 3,000 tests, trying each name with each id took 3 s in each grading.
    """
    if any(map(is_class, tests)):
        return list(names)
    text = "\n".join(tests)
    words = set(re.findall(r"\w+", text))
    return [name for name in names if name in words or (re.search(r"\W", name) and has_name(text, name))]


def renamed(test: str, name: str, other: str) -> str:
    """The id of a test with another name in place of this one."""
    return _whole(name).sub(lambda _: other, test)


def test_of(key: str) -> str:
    """The test of which the trap of this key is a copy: its name behind those of the classes or suites around it."""
    return key.rpartition("/")[0]


def original_of(trap: Trap) -> str:
    """The name of a trap's original, without those of the classes or suites around it."""
    separator = "." if trap.file.endswith((".java", ".py")) else " > "
    return test_of(trap.key).rpartition(separator)[2]


def holder_of(path: str, key: str) -> str:
    """What ids of tests contain of their file: its name, or the name of its class in Java."""
    name = test_of(key).rpartition(".")[0].rpartition(".")[2] if path.endswith(".java") else ""
    return name or PurePosixPath(path).stem


def every_name(files: Iterable[FileState]) -> list[str]:
    """The names of all tests in hidden files, and the words of those files' paths, which ids of tests contain."""
    names: list[str] = []
    for file in files:
        text = text_of_file(file)
        found = None if text is None else read_tests(file.path, text)
        if found:
            names += [*re.findall(r"\w+", file.path), *(test.name for test in found.tests)]
    return names


def is_unique(name: str, every: Iterable[str]) -> bool:
    """Whether this name is one of these names, and stands in no other one of them."""
    return sum(has_name(one, name) for one in every) == 1


def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
