"""Finding lines and files.

Python always decides what matches. In a large tree ripgrep, if installed, first selects the files that may match, for
patterns that mean the same to both. Results are therefore the same with and without ripgrep.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import warnings
from typing import Iterable, Iterator

from .keywords import Ranking
from .text import BYTE_ORDER_MARK, ToolError, clip, count, is_binary, shown_name
from .tree import IGNORED, Globs, is_glob, walk
from .workspace import Workspace

SHOWN_MATCHES = 500
SHOWN_PATHS = 100
FILE_LIMIT = 16 * 1024 * 1024
# A search by words counts every word, which takes longer than to look for a text.
RANKED_FILE_LIMIT = 1024 * 1024
RANKED_LIMIT = 64 * 1024 * 1024  # all files together
SHOWN_FILES = 10
_LINES_OF_FILE = 5
# With fewer files, starting ripgrep takes as long as reading them; see benchmarks/search.py.
RIPGREP_FROM = 200
_EXCERPT = 400
_MAX_NAMED = 10
# Syntax of other dialects that Python does not have, and what to write instead.
_DIALECTS = (
    (re.compile(r"\[:\^?[a-z]+:\]"), r"Python has no [:alpha:] and the like; write \w, \d, \s or [A-Za-z]"),
    (
        re.compile(r"\\[pPhHRXK]"),
        r"Python has no \p{L}, \h, \R or \K; write \w, [ \t] or a range of characters",
    ),
    (re.compile(r"\(\?<[A-Za-z_]"), "a named group is written (?P<name>...)"),
    (re.compile(r".\(\?[aiLmsux]+\)"), "flags such as (?i) stand at the very start"),
)
# Syntax that can be translated for ripgrep. For any other pattern Python searches alone.
_COMMON = re.compile(
    r"(?:[\w ,;:'\"!@#%=/<>`~^$.*+?|)-]|\((?!\?)|\(\?:|\\[wdsWDSb.()|*+?$^/{}\[\]-])+", re.ASCII
)
# Python's classes for ripgrep: the same in ASCII. Everything else may match: the two differ there, and Python sees
# bytes that are not UTF-8 as replacement characters.
_CLASSES = {
    "\\w": "0-9A-Za-z_",
    "\\W": r"^0-9A-Za-z_\n\x80-\xFF",
    "\\d": "0-9",
    "\\D": r"^0-9\n\x80-\xFF",
    "\\s": r"\t\x0B\x0C\r\x1C-\x1F ",
    "\\S": r"^\t\n\x0B\x0C\r\x1C-\x1F\x20\x80-\xFF",
    ".": r"^\n\x80-\xFF",
}


def codebase_search(  # noqa: PLR0917
    workspace: Workspace,
    query: str,
    mode: str | None = None,
    directories: list[str] | None = None,
    case_sensitive: bool = False,
    context_lines: int = 0,
    file_types: list[str] | None = None,
) -> str:
    """Lines that contain `query` (mode literal), or the files and lines with the most of its words (mode keywords).

    Without a mode, the words of a query count if no line contains it as a whole.
    """
    endings = tuple("." + ending.lstrip("*").lstrip(".") for ending in file_types or ())
    roots = [_directory(workspace, name) for name in directories or ["."]]
    found = dict.fromkeys(path for root in roots for path in walk(workspace.root, False, root))
    paths = [path for path in found if not endings or path.endswith(endings)]
    if mode == "keywords":
        return _ranked(workspace, query, paths, context_lines)
    search = _Search(query, literal=True, case_sensitive=case_sensitive, multiline="\n" in query)
    result = search.report(workspace, workspace.root, paths, context_lines, roots)
    if search.found or mode is not None or len(query.split()) < 2 or not Ranking(query).words:
        return result
    return "\n".join([f"no line contains {query!r}", _ranked(workspace, query, paths, context_lines)])


def _directory(workspace: Workspace, name: str) -> str:
    """A directory below the workdir as the beginning of paths: "" or "src/". Raises ToolError for anything else."""
    located = workspace.locate(name)
    if not os.path.isdir(located):
        raise ToolError(f"directories: there is no directory {name!r}")
    shown = workspace.name(located)
    if os.path.isabs(shown):
        raise ToolError(f"directories: {name!r} is not below {workspace.root}; grep_search takes it as path")
    return "" if shown == "." else shown + "/"


def _ranked(workspace: Workspace, query: str, paths: list[str], context: int) -> str:
    """The files that hold most of the words of `query`, best first, each with its best lines."""
    ranking = Ranking(query)
    if not ranking.words:
        raise ToolError(f"{query!r} holds no word to look for; mode literal finds any text")
    files = _TextFiles(workspace, workspace.root, RANKED_FILE_LIMIT)
    room = RANKED_LIMIT
    left = 0
    for path in paths:
        if room < 0:
            left += 1
            continue
        text = files.read(path)
        if text is not None:
            room -= len(text)
            ranking.add(path, text)
    best = ranking.best()
    notes = files.notes("rank")
    if left:
        notes.append(f"[{count(left, 'file')} not ranked: too much text; narrow the search with directories]")
    words = ", ".join(ranking.words.values())
    if not best:
        return "\n".join([f"no file holds any of: {words}", *notes])
    output = []
    for path in best[:SHOWN_FILES]:
        lines = (files.read(path) or "").rstrip("\n").split("\n")
        hits = dict.fromkeys(ranking.lines(lines, _LINES_OF_FILE), 0)
        output.append(f"{shown_name(path)} [{', '.join(ranking.found(path))}]")
        output += _passages(shown_name(path), lines, hits, context)
    more = f", the best {SHOWN_FILES} shown" if len(best) > SHOWN_FILES else ""
    heading = f"{count(len(best), 'file')} with any of: {words}; best first{more}"
    return clip("\n".join([heading, *notes, *output]), "narrow the search")


def grep_search(  # noqa: PLR0917
    workspace: Workspace,
    pattern: str,
    path: str = ".",
    include: list[str] | None = None,
    exclude: list[str] | None = None,
    case_sensitive: bool = True,
    multiline: bool = False,
) -> str:
    """Lines that match a regular expression."""
    search = _Search(pattern, literal=False, case_sensitive=case_sensitive, multiline=multiline)
    located = workspace.locate(path)
    if os.path.isfile(located):
        return search.report(workspace, os.path.dirname(located), [os.path.basename(located)], 0)
    if not os.path.isdir(located):
        raise ToolError(f"there is no file or directory {path!r}")
    prefix = "" if located == workspace.root else workspace.name(located) + "/"
    wanted, unwanted = Globs(include or ["**"]), Globs(exclude or ())
    paths = [
        found
        for found in walk(located, links=False)
        if (wanted.match(found) or wanted.match(prefix + found))
        and not (unwanted.match(found) or unwanted.match(prefix + found))
    ]
    return search.report(workspace, located, paths, 0)


def search_code(workspace: Workspace, pattern: str, path: str = ".", regex: bool = False) -> str:
    """Lines that contain a text, or match a regular expression."""
    return grep_search(workspace, pattern if regex else re.escape(pattern), path)


def file_search(workspace: Workspace, query: str) -> str:
    """Paths that match a glob, or contain the letters of the query in order, best matches first."""
    if is_glob(query):
        globs = Globs([query])
        found = [path for path in walk(workspace.root) if globs.match(path)]
    else:
        found = _fuzzy(query, walk(workspace.root))
    if not found:
        return f"no file matches {query!r}"
    lines = [shown_name(path) for path in found[:SHOWN_PATHS]]
    if len(found) > len(lines):
        lines.append(f"[{len(found) - len(lines):,} more; use a longer query]")
    return "\n".join(lines)


def web_search(_workspace: Workspace, query: str) -> str:
    """Refuses: the container has no network."""
    raise ToolError(
        f"this evaluation has no web: {query!r} was not searched, and no other query will be. Everything that the task "
        "needs is in the workspace or installed: search the code base, read the sources of installed packages, or ask "
        "the programs themselves in the terminal (--help, man, pydoc)"
    )


def _fuzzy(query: str, paths: Iterable[str]) -> list[str]:
    wanted = query.lower().lstrip("./")
    letters = re.compile(".*?".join(map(re.escape, wanted.replace(" ", ""))), re.DOTALL)
    ranked = []
    for path in paths:
        low = path.lower()
        name = low.rpartition("/")[2]
        tests = (
            wanted in (name, low),
            name.startswith(wanted),
            wanted in name,
            wanted in low,
            letters.search(name),
            letters.search(low),
        )
        rank = next((place for place, test in enumerate(tests) if test), None)
        if rank is not None:
            ranked.append((rank, len(path), path))
    ranked.sort()
    # Scattered letters count only if no path contains the query in one piece.
    whole = ranked and ranked[0][0] < 4
    return [path for rank, _, path in ranked if rank < 4 or not whole]


class _TextFiles:
    """Reads text files below `base`, and remembers those that it leaves out. `most`: bytes of one file."""

    def __init__(self, workspace: Workspace, base: str, most: int) -> None:
        self._workspace = workspace
        self._base = base
        self._most = most
        self._too_large: list[str] = []
        self._unread: list[str] = []
        self._binary: list[str] = []

    def read(self, path: str) -> str | None:
        """The text without byte order mark and carriage returns at ends of lines; None: left out."""
        located = os.path.join(self._base, path)
        try:
            if not os.path.isfile(located):
                return None
            if os.path.getsize(located) > self._most:
                self._too_large.append(self._workspace.name(located))
                return None
            with open(located, "rb") as file:
                data = file.read()
        except OSError:
            self._unread.append(self._workspace.name(located))
            return None
        if is_binary(data):
            self._binary.append(self._workspace.name(located))
            return None
        text = data.decode("utf-8", "replace")
        return text[text.startswith(BYTE_ORDER_MARK) :].replace("\r\n", "\n")

    def notes(self, verb: str, alone: bool = False) -> list[str]:
        """Sentences about the files that were left out; about binary ones only if a file was asked for `alone`."""
        return [
            *_named(f"too large to {verb}, use run_terminal_cmd with grep", self._too_large),
            *_named("may not be read", self._unread),
            *(_named("binary, not searched", self._binary) if alone else []),
        ]


class _Search:
    """Searches many files for one pattern."""

    def __init__(self, pattern: str, *, literal: bool, case_sensitive: bool, multiline: bool) -> None:
        self._source = pattern
        self._literal = literal
        self._case_sensitive = case_sensitive
        self._multiline = multiline
        flags = 0 if case_sensitive else re.IGNORECASE
        if multiline:
            flags |= re.MULTILINE | re.DOTALL
        self._regex = re.compile(re.escape(pattern), flags) if literal else _compiled(pattern, flags)
        self._lines = 0
        self._files = 0
        self._output: list[str] = []

    @property
    def found(self) -> bool:
        """Whether any line matched."""
        return self._lines > 0

    def report(
        self, workspace: Workspace, base: str, paths: list[str], context: int, roots: Iterable[str] = ("",)
    ) -> str:
        """Every match below `base`, in the order of the paths, which lie in the directories `roots` of it."""
        files = _TextFiles(workspace, base, FILE_LIMIT)
        for path in self._worth_opening(base, paths, roots):
            text = files.read(path)
            if text is not None:
                self._search(shown_name(workspace.name(os.path.join(base, path))), text, context)
        notes = files.notes("search", alone=len(paths) == 1)
        if not self._lines:
            if not self._literal and r"\|" in self._source:
                notes.append(r"[`\|` is a bar as it stands; for one or the other write `|`]")
            return "\n".join([f"no match for {self._source!r} in {count(len(paths), 'file')}", *notes])
        heading = f"{count(self._lines, 'matching line')} in {count(self._files, 'file')}"
        if self._lines > SHOWN_MATCHES:
            heading += f", the first {SHOWN_MATCHES} shown"
        return clip("\n".join([heading, *notes, *self._output]), "narrow the search")

    def _search(self, name: str, text: str, context: int) -> None:
        if self._literal and not self._regex.search(text):
            return
        lines = text.split("\n")
        hits = dict(self._spans(text) if self._multiline else self._hits(lines))
        if not hits:
            return
        self._files += 1
        room = SHOWN_MATCHES - self._lines
        self._lines += len(hits)
        shown = {number: hits[number] for number in sorted(hits)[: max(room, 0)]}
        if context and self._output and shown:
            self._output.append("--")
        self._output += _passages(name, lines, shown, context)

    def _hits(self, lines: list[str]) -> Iterator[tuple[int, int]]:
        """(line from 0, column) of every line that matches."""
        search = self._regex.search
        end = len(lines) - 1 if not lines[-1] else len(lines)
        for number in range(end):
            match = search(lines[number])
            if match:
                yield number, match.start()

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """The same for every line that a match touches."""
        position, number = 0, 0
        for match in self._regex.finditer(text):
            number += text.count("\n", position, match.start())
            position = match.start()
            column = position - (text.rfind("\n", 0, position) + 1)
            yield number, column
            for more in range(text.count("\n", position, max(match.end() - 1, position))):
                yield number + more + 1, 0

    def _worth_opening(self, base: str, paths: list[str], roots: Iterable[str]) -> list[str]:
        ripgrep = shutil.which("rg") if len(paths) >= RIPGREP_FROM else None
        common = self._source.isascii() and self._source.isprintable()
        if not self._literal:
            common = common and _COMMON.fullmatch(self._source) is not None
        if ripgrep is None or self._multiline or not common:
            return paths
        command = [ripgrep, "--no-config", "--no-ignore", "--hidden", "--text", "--no-messages"]
        command += ["--encoding=none", "--files-with-matches", "--null"]
        command += [f"--glob=!{name}/" for name in sorted(IGNORED)]
        command += ["--case-sensitive" if self._case_sensitive else "--ignore-case"]
        command += ["--regexp", self._for_ripgrep(), *(f"./{root}" for root in roots)]
        try:
            done = subprocess.run(
                command,
                check=False,
                cwd=base,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return paths
        if done.returncode not in (0, 1):
            return paths
        found = {os.fsdecode(name[2:]) for name in done.stdout.split(b"\0")}
        return [path for path in paths if path in found or _is_too_large(os.path.join(base, path))]

    def _for_ripgrep(self) -> str:
        """An expression for ripgrep that matches in at least every line in which the pattern matches."""
        source = re.sub(r"\W", r"\\\g<0>", self._source) if self._literal else self._source
        return "".join(map(self._widened, re.findall(r"\\.|.", source)))

    def _widened(self, piece: str) -> str:
        if piece in _CLASSES:
            return r"(?-u:[%s]|[\x80-\xFF]{1,4})" % _CLASSES[piece]
        if piece == "$":
            return r"(?:\r?$)"  # Python searches lines without their ends
        if piece == "^":
            return r"(?:^\x{FEFF}?)"  # and without a byte order mark
        if piece == r"\b":
            return "(?:)"
        if piece in ("i", "I") and not self._case_sensitive:
            return r"[iI\x{130}\x{131}]"  # Python ignores case for these, too
        return piece if piece[0] != "\\" or piece[1] in r"\.+*?()|[]{}^$#&-~" else piece[1]


def _passages(name: str, lines: list[str], hits: dict[int, int], context: int) -> list[str]:
    """The lines `hits` (line from 0 → column) with as many lines of `context` around them, groups apart."""
    output: list[str] = []
    last = -1
    for number in sorted(hits):
        first = max(number - context, last + 1)
        if context and last >= 0 and first > last + 1:
            output.append("--")
        for around in range(first, min(number + context + 1, len(lines))):
            if around in hits:
                output.append(f"{name}:{around + 1}: {_excerpt(lines[around], hits[around])}")
            else:
                output.append(f"{name}-{around + 1}- {_excerpt(lines[around], 0)}")
            last = around
    return output


def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    advice = next((text for sign, text in _DIALECTS if sign.search(pattern)), "")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about syntax that a later Python may change
            regex = re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError) as error:
        reason = f"{error}; {advice}" if advice else str(error)
        raise ToolError(f"the pattern {pattern!r} is no regular expression for Python: {reason}") from None
    if _DIALECTS[0][0].search(pattern):
        raise ToolError(f"the pattern {pattern!r} would not match what it seems to: {advice}")
    return regex


def _named(what: str, names: list[str]) -> list[str]:
    """A note that names some files, or no note when there are none."""
    if not names:
        return []
    more = f" and {len(names) - _MAX_NAMED:,} more" if len(names) > _MAX_NAMED else ""
    return [f"[{what}: {', '.join(map(shown_name, names[:_MAX_NAMED]))}{more}]"]


def _is_too_large(located: str) -> bool:
    try:
        return os.path.getsize(located) > FILE_LIMIT
    except OSError:
        return False


def _excerpt(line: str, column: int) -> str:
    """The line, or the part around `column` of a very long one."""
    if len(line) <= _EXCERPT:
        return line
    start = max(0, min(column - _EXCERPT // 4, len(line) - _EXCERPT))
    cut = line[start : start + _EXCERPT]
    before = "[...] " if start else ""
    after = " [...]" if start + _EXCERPT < len(line) else ""
    return f"{before}{cut}{after}"
