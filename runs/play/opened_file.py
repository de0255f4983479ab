"""The text of a file as the person has it on the screen: rebuilt from what tools returned and changed, nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from harness.records import FileEdit, ToolCall
from harness.tools.inside.text import count
from runs.data.replay.file_history import CannotApply, apply_edit
from runs.play.played_record import PlayedRecord, plain_path

_LINE = re.compile(r" *(\d+)\t(.*)", re.DOTALL)
_CLIPPED = re.compile(r"\[\.\.\. [\d,]+ characters left out here")
_CUT_LINE = re.compile(r" \[\.\.\. [\d,]+ more characters in this line\]$")
_OF = re.compile(r"^lines \d+-\d+ of (\d+)$")
_PART = re.compile(r"^lines \d")
_FUNCTION = re.compile(r" *(\d{1,7})-(\d{1,7}) +((?:class )?)(\S.{0,300}?)(?:  \[occurrence (\d{1,6})\])?")
EMPTY = " is empty]"
OPEN_ENDED = "no newline at the end of the file"
CRLF = "lines end in CRLF"
BYTE_ORDER_MARK = "begins with a byte order mark"
NO_TEXT = "bytes that are not UTF-8"
READ_AT_ONCE = 20_000  # characters; a result has 30,000
MAX_READS = 20  # calls of one request
MAX_LINES = 20_000  # of a file that the editor shows
MAX_COMPARED = 3_000  # lines; longer parts are replaced whole
_EDITS = frozenset({"write_file", "edit_file", "str_replace", "search_replace"})
# Calls that change no file, or one that they name.
_UNDERSTOOD = _EDITS | {
    *("read_file", "list_dir", "list_directory", "list_file_functions", "read_function"),
    *("search_code", "grep_search", "file_search", "codebase_search"),
}


@dataclass(frozen=True, slots=True)
class ListedFunction:
    """A function or class in a list of a tool, with its first and last line."""

    name: str
    occurrence: int
    first: int
    last: int
    is_class: bool


@dataclass(frozen=True, slots=True)
class ReadFunction:
    """A function as a tool showed it in a step. `code`: its lines; '' if the result did not have all of them."""

    step: int
    path: str
    name: str
    occurrence: int
    code: str

    def value(self, argument: str) -> str:
        """What a form has for this argument of a tool that submits a function."""
        values = {
            "path": self.path,
            "name": self.name,
            "occurrence": str(self.occurrence or ""),
            "code": self.code,
        }
        return values.get(argument, "")


@dataclass(slots=True)
class OpenedFile:
    """What is known of a file: its numbered lines, and remarks of the tool that read it.

    `total`: how many lines it has; None if that is unknown. `step`: where this text was read or written. `changed_in`:
    a later step that changed the file in another way, so that the text is old; 0 if there is none. `functions`: as a
    tool listed them. `is_long`: read_file listed them, since the lines did not fit into a result. `only`: the function
    whose lines these are, if the file was not read; '' otherwise.
    """

    path: str
    lines: dict[int, str] = field(default_factory=dict)
    total: int | None = None
    notes: frozenset[str] = frozenset()
    step: int = 0
    changed_in: int = 0
    functions: tuple[ListedFunction, ...] = ()
    is_long: bool = False
    only: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether every line is known."""
        return self.total is not None and len(self.lines) == self.total

    @property
    def text(self) -> str:
        """The known lines, with the last newline if the file has one."""
        known = [self.lines[number] for number in sorted(self.lines)]
        return "\n".join(known) + ("" if self.has(OPEN_ENDED) or not known else "\n")

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The first and the last number of each unbroken part that is known, in order."""
        return _unbroken(sorted(self.lines))

    @property
    def extent(self) -> str:
        """How many lines it has, or which of them are known."""
        if self.is_whole:
            return count(len(self.lines), "line")
        known = ", ".join(f"{first:,}–{last:,}" for first, last in self.spans)
        return f"lines {known}" + (f" of {self.total:,}" if self.total else "")

    @property
    def problem(self) -> str:
        """Why it cannot be edited as a whole, as a sentence; '' if it can."""
        unshown = any("\r" in line or _CUT_LINE.search(line) for line in self.lines.values())
        reasons = (
            (self.changed_in, f"Step {self.changed_in} changed this file: read it again."),
            (self.only, f"These are the lines of {self.only}: the file was not read."),
            (self.functions and not self.lines, "Its functions were listed, its lines were not read."),
            (
                (self.total or 0) > MAX_LINES,
                "It is too long for the editor: change it with the tools below.",
            ),
            (not self.is_whole, "Not all of its lines were read."),
            (
                unshown,
                "It has lines that the editor cannot show whole: change it with the tools below.",
            ),
        )
        return next((reason for holds, reason in reasons if holds), "")

    def has(self, note: str) -> bool:
        """Whether a remark begins so."""
        return any(remark.startswith(note) for remark in self.notes)

    def missing(self) -> list[tuple[int, int]]:
        """First line and number of lines of the parts that are still to be read, few enough for one request."""
        if self.total is None or not self.lines or self.total > MAX_LINES:
            return []
        average = max(1, sum(map(len, self.lines.values())) // len(self.lines) + 8)
        most = max(1, READ_AT_ONCE // average)
        absent = (number for number in range(1, self.total + 1) if number not in self.lines)
        return [(first, last - first + 1) for first, last in _unbroken(absent, most)[:MAX_READS]]

    def read(self, content: str, step: int) -> None:
        """Adds a result of read_file."""
        if self.changed_in:
            self._forget()
        if content.startswith("[") and content.endswith(EMPTY):
            self.write("", step)
            return
        lines, notes, total = _parsed(content)
        if not lines:
            self.list_functions(content, step)
            self.is_long = True
            return
        if self.only:
            self.lines, self.only = {}, ""
        self.lines.update(lines)
        self.total = total if total is not None else self.total
        self.notes |= notes
        self.step, self.changed_in = step, 0

    def list_functions(self, content: str, step: int) -> None:
        """Takes a list of the file's functions."""
        if self.changed_in:
            self._forget()
        self.functions = tuple(_listed(content))
        self.step, self.changed_in = step, 0

    def read_function(self, name: str, content: str, step: int) -> None:
        """Takes the lines of one function, unless lines of the file were read."""
        if self.changed_in:
            functions, is_long = self.functions, self.is_long  # their names are still of use
            self._forget()
            self.functions, self.is_long = functions, is_long
        if self.only or not self.lines:
            self.lines, self.only = _parsed(content)[0], name
            self.step, self.changed_in = step, 0

    def write(self, text: str, step: int) -> None:
        """Takes this as the whole text."""
        kept = {OPEN_ENDED} if text and not text.endswith("\n") else set()
        lines = text.removesuffix("\n").split("\n") if text else []
        self.lines = dict(enumerate((line.removesuffix("\r") for line in lines), 1))
        self.total, self.step, self.changed_in = len(lines), step, 0
        self.functions, self.is_long, self.only = (), False, ""
        crlf = {CRLF} if "\r\n" in text else set()
        self.notes = frozenset(kept | crlf)

    def edit(self, call: ToolCall, recorded: FileEdit, step: int) -> bool:
        """Does what a call of an editing tool did. Returns False if that is unknown."""
        if call.name == "write_file" and isinstance(text := call.arguments.get("content"), str):
            self.write(text, step)
            return True
        if not self.is_whole or self.changed_in or call.name not in _EDITS:
            return False
        # The lines on the screen are without carriage returns, and without a byte order mark.
        shown = recorded.diff.replace("\r\n", "\n").replace("\ufeff", "")
        try:
            text = apply_edit(self.text, replace(recorded, diff=shown)) or ""
        except CannotApply:
            return False
        lines = text.removesuffix("\n").split("\n") if text else []
        self.lines, self.total, self.step = dict(enumerate(lines, 1)), len(lines), step
        self.notes = (self.notes - {OPEN_ENDED}) | ({OPEN_ENDED} if lines and text[-1] != "\n" else set())
        return True

    def _forget(self) -> None:
        self.lines, self.total, self.notes, self.functions = {}, None, frozenset(), ()
        self.is_long, self.only = False, ""


def _unbroken(numbers: Iterable[int], most: int | None = None) -> list[tuple[int, int]]:
    """The first and the last number of each unbroken part of rising numbers, in which there are at most so many."""
    parts: list[tuple[int, int]] = []
    for number in numbers:
        first, last = parts[-1] if parts else (0, -1)
        if number == last + 1 and (most is None or number - first < most):
            parts[-1] = (first, number)
        else:
            parts.append((number, number))
    return parts


def opened_file(record: PlayedRecord, path: str) -> OpenedFile:
    """The file at a path after the last step; without lines if it was never read."""
    path = plain_path(path)
    file = OpenedFile(path)
    changed = {
        number: edit for number, edits in record.edits for edit in edits if plain_path(edit.path) == path
    }
    for step in record.steps:
        known = step.step_id not in changed
        for call in step.calls:
            result = step.result(call)
            if result is None or not result.ok or plain_path(call.arguments.get("path")) != path:
                continue
            if call.name == "read_file":
                file.read(result.content, step.step_id)
                known = True
            elif call.name == "list_file_functions":
                file.list_functions(result.content, step.step_id)
            elif call.name == "read_function":
                file.read_function(str(call.arguments.get("name", "")), result.content, step.step_id)
            elif step.step_id in changed:
                known = file.edit(call, changed[step.step_id], step.step_id)
        if step.step_id in changed and not (known and all(call.name in _UNDERSTOOD for call in step.calls)):
            file.changed_in = step.step_id
    return file


def last_read(record: PlayedRecord) -> ReadFunction | None:
    """The function that was read last, which is what is to be changed where code is submitted as whole functions."""
    read: ReadFunction | None = None
    for step, call, result in record.made_calls():
        path, name, occurrence = (call.arguments.get(key) for key in ("path", "name", "occurrence"))
        if call.name == "read_function" and result.ok and isinstance(path, str) and isinstance(name, str):
            rows = result.content.split("\n")
            is_cut = any(_CLIPPED.match(row) or _CUT_LINE.search(row) for row in rows)
            lines = {} if is_cut else _parsed(result.content)[0]
            code = "".join(f"{lines[number]}\n" for number in sorted(lines))
            number = occurrence if isinstance(occurrence, int) else 0
            read = ReadFunction(step.step_id, path, name, number, code)
    return read


def _parsed(content: str) -> tuple[dict[int, str], frozenset[str], int | None]:
    """The lines of a result of read_file, its remarks, and how many lines the file has; None if that is unknown."""
    lines: dict[int, str] = {}
    notes: list[str] = []
    rows = content.split("\n")
    for place, row in enumerate(rows):
        if line := _LINE.fullmatch(row):
            # Next to a gap, a line may be cut.
            before_gap = place + 1 < len(rows) and _CLIPPED.match(rows[place + 1])
            after_gap = place > 1 and _CLIPPED.match(rows[place - 2])
            if not (before_gap or after_gap):
                lines[int(line[1])] = line[2]
        elif place == len(rows) - 1 and row.startswith("[") and row.endswith("]"):
            notes = row[1:-1].split("; ")
    parts = [note for note in notes if _PART.match(note)]
    totals = [int(match[1]) for note in parts if (match := _OF.match(note))]
    total = next(iter(totals), None) if parts else max(lines, default=None)
    return lines, frozenset(notes) - set(parts), total


def _listed(content: str) -> Iterator[ListedFunction]:
    """The functions in a list of a tool."""
    for row in content.split("\n"):
        if function := _FUNCTION.fullmatch(row):
            first, last, kind, name, occurrence = function.groups()
            yield ListedFunction(name, int(occurrence or 0), int(first), int(last), bool(kind))


def saving_call(file: OpenedFile, text: str, tools: Collection[str]) -> dict[str, Any] | None:
    """The call of an editing tool that makes this the text of the file; None if nothing differs.

    By line numbers where `edit_file` is there, so that bytes which the editor cannot show stay as they are. Raises
    ValueError with a sentence for the person.
    """
    text = text.replace("\r\n", "\n")
    if file.problem:
        raise ValueError(file.problem)
    old = [file.lines[number] for number in sorted(file.lines)]
    new = text.removesuffix("\n").split("\n") if text else []
    # With edit_file, a newline at the end can be added, but not removed.
    may_open = file.has(OPEN_ENDED) or "edit_file" not in tools
    is_open = may_open and bool(text) and not text.endswith("\n")
    if old == new and is_open == file.has(OPEN_ENDED):
        return None
    if "edit_file" in tools:
        operations = _operations(old, new, is_open, file.has(OPEN_ENDED))
        return {"name": "edit_file", "arguments": {"path": file.path, "operations": operations}}
    if "write_file" not in tools:
        raise ValueError("This mode has no tool that writes a whole file.")
    if file.has(NO_TEXT):
        raise ValueError("It is no text in UTF-8: change it with the tools below.")
    newline = "\r\n" if file.has(CRLF) else "\n"
    mark = "\ufeff" if file.has(BYTE_ORDER_MARK) else ""
    content = mark + newline.join(new) + ("" if is_open or not new else newline)
    return {"name": "write_file", "arguments": {"path": file.path, "content": content}}


def _operations(old: list[str], new: list[str], is_open: bool, was_open: bool) -> list[dict[str, Any]]:
    """The differences as operations of edit_file, at least one."""
    # A zero is in no line: with it, the last lines differ where only one of them has a newline.
    compared = [*old[:-1], old[-1] + "\0"] if old and is_open != was_open else old
    shorter = min(len(old), len(new))
    begin = next((at for at in range(shorter) if compared[at] != new[at]), shorter)
    left = range(shorter - begin)
    behind = next((at for at in left if compared[-1 - at] != new[-1 - at]), len(left))
    made: list[dict[str, Any]] = []
    for first, last, lines in _blocks(compared[begin : len(old) - behind], new[begin : len(new) - behind]):
        start, end = first + begin, last + begin
        stays_open = is_open and end == len(old) and lines != [""]
        content = "\n".join(lines) + ("" if stays_open else "\n")
        if start == end:
            made.append({"type": "INSERT", "start_line": start + 1, "content": content})
        elif lines:
            made.append({"type": "REPLACE", "start_line": start + 1, "end_line": end, "content": content})
        else:
            made.append({"type": "DELETE", "start_line": start + 1, "end_line": end})
    return made


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, list[str]]]:
    """First and last old line (half-open, from 0) of each difference, and the lines in their place."""
    if len(old) + len(new) > MAX_COMPARED:
        return [(0, len(old), list(new))]
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(i1, i2, list(new[j1:j2])) for tag, i1, i2, j1, j2 in codes if tag != "equal"]
