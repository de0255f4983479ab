"""The hidden tests that use a function, as a model gets them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from harness.dataset import Tree
from harness.functions import UnreadableSource, functions_in, source_of

MAX_TESTS = 5
MAX_CHARACTERS = 6000


def relevant_tests(hidden: Tree, name: str, ids: Collection[str] = ()) -> str:
    """The source of some tests: those with these ids, else those that name the function; shorter ones first.

    `name`: the qualified name of the function. '' if there is no such test, or the tests are not Python.
    """
    wanted = {test.rpartition("::")[2].partition("[")[0] for test in ids}
    word = re.compile(rf"\b{re.escape(_word(name))}\b")
    found = [
        text
        for test, text in _tests(hidden)
        if (test.rpartition(".")[2] in wanted if wanted else word.search(text))
    ]
    chosen: list[str] = []
    for text in sorted(dict.fromkeys(found), key=len)[:MAX_TESTS]:
        if sum(map(len, chosen)) + len(text) <= MAX_CHARACTERS:
            chosen.append(text.rstrip())
    return "\n\n".join(chosen)


def _word(name: str) -> str:
    """What a test writes to use a function: its last name, or the class whose special method it is."""
    *outer, last = name.split(".")
    return outer[-1] if outer and last.startswith("__") else last


def _tests(hidden: Tree) -> Iterator[tuple[str, str]]:
    """The name and the source of each test function."""
    for file in hidden.files():
        if not file.path.endswith(".py") or file.content is None or file.link:
            continue
        try:
            text = file.content.decode("utf-8")
            functions = functions_in(file.path, text)
        except (UnicodeDecodeError, UnreadableSource):
            continue
        for function in functions:
            if function.kind == "function" and function.name.rpartition(".")[2].startswith("test"):
                yield function.name, source_of(text, function)
