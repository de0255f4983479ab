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

from .text import BYTE_ORDER_MARK, ToolError, clip, count, is_binary, shown_name
from .tree import IGNORED, Globs, is_glob, walk
from .workspace import Workspace

SHOWN_MATCHES = 500
SHOWN_PATHS = 100
FILE_LIMIT = 16 * 1024 * 1024
# With fewer files, starting ripgrep takes as long as reading them; see benchmarks/search.py.
RIPGREP_FROM = 200
_EXCERPT = 400
_MOST_NAMED = 10
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


def codebase_search(
    workspace: Workspace,
    query: str,
    case_sensitive: bool = False,
    context_lines: int = 0,
    file_types: list[str] | None = None,
) -> str:
    """Lines that contain `query`, taken literally."""
    endings = tuple("." + ending.lstrip("*").lstrip(".") for ending in file_types or ())
    search = _Search(query, literal=True, case_sensitive=case_sensitive, multiline="\n" in query)
    paths = (path for path in walk(workspace.root, links=False) if not endings or path.endswith(endings))
    return search.report(workspace, workspace.root, list(paths), context_lines)


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

    def report(self, workspace: Workspace, base: str, paths: list[str], context: int) -> str:
        """Every match below `base`, in the order of the paths."""
        too_large, unread, binary = [], [], []
        for path in self._worth_opening(base, paths):
            located = os.path.join(base, path)
            try:
                if not os.path.isfile(located):
                    continue
                if os.path.getsize(located) > FILE_LIMIT:
                    too_large.append(workspace.name(located))
                    continue
                with open(located, "rb") as file:
                    data = file.read()
            except OSError:
                unread.append(workspace.name(located))
                continue
            if is_binary(data):
                binary.append(workspace.name(located))
            else:
                self._search(shown_name(workspace.name(located)), data.decode("utf-8", "replace"), context)
        notes = _named("too large to search, use run_terminal_cmd with grep", too_large)
        notes += _named("may not be read", unread)
        notes += _named("binary, not searched", binary) if len(paths) == 1 else []
        if not self._lines:
            if not self._literal and r"\|" in self._source:
                notes.append(r"[`\|` is a bar as it stands; for one or the other write `|`]")
            return "\n".join([f"no match for {self._source!r} in {count(len(paths), 'file')}", *notes])
        heading = f"{count(self._lines, 'matching line')} in {count(self._files, 'file')}"
        if self._lines > SHOWN_MATCHES:
            heading += f", the first {SHOWN_MATCHES} shown"
        return clip("\n".join([heading, *notes, *self._output]), "narrow the search")

    def _search(self, name: str, text: str, context: int) -> None:
        text = text[text.startswith(BYTE_ORDER_MARK) :].replace("\r\n", "\n")
        if self._literal and not self._regex.search(text):
            return
        lines = text.split("\n")
        hits = dict(self._spans(text) if self._multiline else self._hits(lines))
        if not hits:
            return
        self._files += 1
        room = SHOWN_MATCHES - self._lines
        self._lines += len(hits)
        shown = dict.fromkeys(sorted(hits)[: max(room, 0)])
        last = -1
        for number in shown:
            first = max(number - context, last + 1)
            if context and self._output and (last < 0 or first > last + 1):
                self._output.append("--")
            for around in range(first, min(number + context + 1, len(lines))):
                if around in shown:
                    self._output.append(f"{name}:{around + 1}: {_excerpt(lines[around], hits[around])}")
                else:
                    self._output.append(f"{name}-{around + 1}- {_excerpt(lines[around], 0)}")
                last = around

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

    def _worth_opening(self, base: str, paths: list[str]) -> list[str]:
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
        command += ["--regexp", self._for_ripgrep(), "."]
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
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return [f"[{what}: {', '.join(map(shown_name, names[:_MOST_NAMED]))}{more}]"]


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
