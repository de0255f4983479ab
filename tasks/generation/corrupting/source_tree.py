"""The source of a repository as the generator reads it, and the functions that can be changed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from harness.dataset import Tree
from harness.functions import Function, UnreadableSource, contents, functions_in, source_of
from tasks.generation.corrupting.clues import known_names
from tasks.generation.maps.program_files import is_program

MAX_FILE_BYTES = 1 << 20
# Beside what is no program: helpers for tests and releases, and copies of other packages.
_NO_TARGETS = re.compile(r"(^|/)(testing|scripts?|_?vendor)/|(^|/)(tasks|fabfile|__main__)\.py$")
PYTHON = (".py", ".pyw")


def rank(*parts: object) -> str:
    """A number in hexadecimal that depends on these values alone: it orders what is drawn at random.

    Each function has numbers of its own, so that a function more or less changes no draw for another one.
    """
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Place:
    """A function and the file that it is in. `digest`: of its code, without layout and comments."""

    path: str
    function: Function
    digest: str

    @property
    def is_python(self) -> bool:
        """Whether operators and models can change it."""
        return self.path.endswith(PYTHON)

    def draw(self, *parts: object) -> str:
        """The rank of something that is drawn for this function."""
        return rank(self.path, self.function.name, self.function.occurrence, self.digest, *parts)


@dataclass(frozen=True)
class SourceTree:
    """The texts of a repository's source files by path. `names`: the identifiers in all its texts.

    `places`: the functions that can be targets, by path and line.
    """

    digest: str
    texts: Mapping[str, str] = field(repr=False)
    names: frozenset[str] = field(repr=False)
    places: tuple[Place, ...] = field(repr=False)

    @classmethod
    def read(cls, source: Tree, hidden: Tree) -> Self:
        """The tree. What the `hidden` tests overwrite, is no UTF-8 or cannot be parsed holds no targets."""
        texts = dict(_texts(source))
        overwritten = set(hidden.names())
        places = tuple(
            place
            for path, text in texts.items()
            if path not in overwritten and is_target_file(path)
            for place in _places(path, text)
        )
        return cls(source.digest(), texts, known_names(texts.values()), places)

    def source_of(self, place: Place) -> str:
        """The lines of a function."""
        return source_of(self.texts[place.path], place.function)


def is_target_file(path: str) -> bool:
    """Whether a file, by its name, is code of the package itself."""
    return is_program(path) and not _NO_TARGETS.search(path)


def _texts(source: Tree) -> Iterator[tuple[str, str]]:
    for file in source.files():
        if file.content is None or file.link or len(file.content) > MAX_FILE_BYTES:
            continue
        try:
            yield file.path, file.content.decode("utf-8")
        except UnicodeDecodeError:
            continue


def _places(path: str, text: str) -> Iterator[Place]:
    try:
        functions, digests = functions_in(path, text), contents(path, text)
    except UnreadableSource:
        return
    for function in functions:
        if function.kind == "function":
            yield Place(path, function, digests[function.key])
