"""Syntax highlighting with CSS classes. The language is known from the file name, never guessed from the content.

Highlighting never changes the text and is limited in time, whatever a lexer does with hostile input.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String, _TokenType

from runs.views.source_display.spans import Pieces, Span, pieces, plain

MAX_CHARACTERS = 16_000
MAX_LINE_LENGTH = 1_000
SECONDS = 0.05

# Pygments' names of languages, by file extension and by whole file name in lower case.
_ENDINGS = {
    **dict.fromkeys(("py", "pyi", "pyw"), "python"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), "javascript"),
    **dict.fromkeys(("ts", "mts", "cts", "tsx"), "typescript"),
    **dict.fromkeys(("c", "h"), "c"),
    **dict.fromkeys(("cc", "cpp", "cxx", "hh", "hpp", "hxx"), "cpp"),
    **dict.fromkeys(("sh", "bash", "zsh"), "bash"),
    **dict.fromkeys(("html", "htm", "xhtml"), "html"),
    **dict.fromkeys(("yml", "yaml"), "yaml"),
    **dict.fromkeys(("xml", "svg", "xsd", "csproj", "pom"), "xml"),
    **dict.fromkeys(("ini", "cfg", "properties"), "ini"),
    **dict.fromkeys(("md", "markdown"), "markdown"),
    **dict.fromkeys(("diff", "patch"), "diff"),
    "java": "java", "kt": "kotlin", "kts": "kotlin", "scala": "scala", "groovy": "groovy", "gradle": "groovy",
    "go": "go", "rs": "rust", "rb": "ruby", "php": "php", "cs": "csharp", "swift": "swift", "dart": "dart",
    "m": "objective-c", "lua": "lua", "pl": "perl", "pm": "perl", "r": "r", "jl": "julia", "hs": "haskell",
    "ex": "elixir", "exs": "elixir", "erl": "erlang", "clj": "clojure", "ml": "ocaml", "zig": "zig",
    "sql": "sql", "css": "css", "scss": "scss", "less": "less", "vue": "html", "svelte": "html",
    "json": "json", "ipynb": "json", "toml": "toml", "proto": "protobuf", "graphql": "graphql", "tf": "terraform",
    "cmake": "cmake", "mk": "make", "dockerfile": "docker", "ps1": "powershell", "bat": "batch", "vim": "vim",
}  # fmt: skip
_NAMES = {
    "dockerfile": "docker",
    "makefile": "make",
    "gnumakefile": "make",
    "cmakelists.txt": "cmake",
    "gemfile": "ruby",
    "rakefile": "ruby",
    "jenkinsfile": "groovy",
    "pipfile": "toml",
}
# Lexers that would load other lexers by names in the text.
_OPTIONS = {"markdown": {"handlecodeblocks": False}}

# The most specific first.
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment.Preproc, "t-key"),
    (Comment, "t-com"),
    (String, "t-str"),
    (Number, "t-num"),
    (Literal, "t-str"),
    (Keyword.Constant, "t-num"),
    (Keyword, "t-key"),
    (Operator.Word, "t-key"),
    (Name.Function, "t-fun"),
    (Name.Class, "t-fun"),
    (Name.Decorator, "t-fun"),
    (Name.Tag, "t-key"),
    (Name.Attribute, "t-fun"),
    (Name.Builtin, "t-nam"),
    (Name.Exception, "t-nam"),
    (Generic.Heading, "t-key"),
    (Generic.Subheading, "t-key"),
    (Generic.Inserted, "t-str"),
    (Generic.Deleted, "t-num"),
)


def language_of(path: str) -> str:
    """The language of a file by its name; '' if unknown."""
    name = path.rpartition("/")[2].lower()
    return _NAMES.get(name) or _ENDINGS.get(name.rpartition(".")[2], "") if name else ""


class Painter:
    """Highlights the texts of one page, up to MAX_CHARACTERS and SECONDS of CPU time. The rest stays plain."""

    def __init__(self, most: int = MAX_CHARACTERS, seconds: float = SECONDS) -> None:
        self._left = most
        self._seconds = seconds

    def code(self, text: str, language: str) -> Pieces:
        """The highlighted text in pieces."""
        return pieces(self.spans(text, language)) if language else plain(text)

    def spans(self, text: str, language: str) -> list[Span]:
        """The highlighted text as spans, which may contain line ends."""
        border = len(text) if len(text) <= self._left else text.rfind("\n", 0, self._left) + 1
        if not language or border == 0 or max(map(len, text.split("\n"))) > MAX_LINE_LENGTH:
            return [("", text)]
        self._left -= border
        lexer = _lexer(language)  # made once a process, in up to 0.25 s, which is no time of this page
        began = time.thread_time()
        found = list(_until(began + self._seconds, text[:border], lexer))
        self._seconds -= time.thread_time() - began
        done = sum(len(part) for _, part in found)
        return [*found, ("", text[done:])] if done < len(text) else found


def _until(deadline: float, text: str, lexer: Lexer) -> Iterator[Span]:
    try:
        for _, kind, part in lexer.get_tokens_unprocessed(text):
            yield _class_of(kind), part
            if time.thread_time() > deadline:
                return
    except Exception:  # lexers may fail on hostile text; the rest of it stays plain
        return


@cache
def _lexer(language: str) -> Lexer:
    return get_lexer_by_name(language, **_OPTIONS.get(language, {}))


@cache
def _class_of(kind: _TokenType) -> str:
    return next((name for family, name in _CLASSES if kind[: len(family)] == family), "")
