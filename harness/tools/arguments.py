"""The arguments of the tools of every task. Models read the descriptions in their function definitions."""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

_PATH = "Path, absolute or relative to the working directory."


Kind = Literal["read", "search", "edit", "run", "other"]


class Arguments(BaseModel):
    """What every tool takes: the reason for the call. Unknown arguments are refused.

    Each subclass defines one tool. Its docstring is the description that models read, its name in snake case is the
    tool's name. An `optional` tool is offered only by tasks that name it, and one `only_in_sets` only to agents whose
    tools name it. The order of definition is the order of tools.
    """

    KIND: ClassVar[Kind]
    OPTIONAL: ClassVar[bool]
    ONLY_IN_SETS: ClassVar[bool]

    model_config = ConfigDict(extra="forbid")

    explanation: str = Field(
        description="One sentence: why you call this tool now, and what you expect of it.", min_length=1
    )

    def __init_subclass__(
        cls, *, kind: Kind = "other", optional: bool = False, only_in_sets: bool = False
    ) -> None:
        super().__init_subclass__()
        cls.KIND, cls.OPTIONAL, cls.ONLY_IN_SETS = kind, optional, only_in_sets


class ReadFile(Arguments, kind="read"):
    """Shows a text file with line numbers, whole or from `offset` on. Of a very long text you get head and tail; read
    the middle with offset and limit.
    """

    path: str = Field(description=_PATH, min_length=1)
    offset: int = Field(default=1, description="First line to show, counted from 1.", ge=1)
    limit: int | None = Field(
        default=None, description="How many lines to show; all of them if left out.", ge=1
    )


class ListDir(Arguments, kind="read"):
    """Lists a directory: directories end in a slash, files carry their size in bytes. Leaves out directories such as
    .git, node_modules, venv, vendor, dist, build, target and caches; to list one of them, name it as path.
    """

    path: str = Field(default=".", description="Directory, absolute or relative to the working directory.")
    recursive: bool = Field(default=False, description="Also list everything below its directories.")


class CodebaseSearch(Arguments, kind="search"):
    """Finds code by a text or by words, in every text file below the working directory (directories such as .git,
    node_modules, venv, vendor, dist, build, target and caches are left out). Mode literal lists the lines that contain
    the query. Mode keywords ranks files by the words of the query, such as "parse packet header", and shows the best
    lines of the best ones; names like parsePacket and parse_packet count as their words, and forms of a word as one.
    """

    query: str = Field(description="Text or words to find.", min_length=1)
    mode: Literal["literal", "keywords"] | None = Field(
        default=None,
        description="If left out: literal, or keywords when no line contains a query of several words.",
    )
    directories: list[str] = Field(
        default_factory=list,
        description='Search only below these directories, such as ["src"]; everywhere if left out.',
    )
    case_sensitive: bool = Field(
        default=False, description="Distinguish upper and lower case; not with mode keywords."
    )
    context_lines: int = Field(
        default=0, description="Lines to show before and after each match.", ge=0, le=20
    )
    file_types: list[str] = Field(
        default_factory=list,
        description='Endings of the files to search, such as ["py", "toml"]; all text files if left out.',
    )

    @model_validator(mode="after")
    def _fits_mode(self) -> CodebaseSearch:
        if self.mode == "keywords" and self.case_sensitive:
            raise ValueError("case_sensitive goes with mode literal, not with keywords")
        return self


class GrepSearch(Arguments, kind="search"):
    """Finds lines that match a regular expression, in one file or in every text file below a directory (directories
    such as .git, node_modules, venv, vendor, dist, build, target and caches are left out, unless path names one).
    """

    pattern: str = Field(description="Regular expression in Python's syntax.", min_length=1)
    path: str = Field(default=".", description="File or directory to search.")
    include: list[str] = Field(
        default_factory=list, description='Search only files that match one of these globs: ["src/**/*.c"].'
    )
    exclude: list[str] = Field(
        default_factory=list, description="Leave out files that match one of these globs."
    )
    case_sensitive: bool = Field(default=True, description="Distinguish upper and lower case.")
    multiline: bool = Field(
        default=False, description="Let a match span lines; `.` then matches a newline as well."
    )


class FileSearch(Arguments, kind="search"):
    """Finds files by name: by a part of the path, best matches first, or by a glob (directories such as .git,
    node_modules, venv, vendor, dist, build, target and caches are left out).
    """

    query: str = Field(
        description="Part of a path (its letters in order are enough), or a glob such as `**/test_*.py`.",
        min_length=1,
    )


def upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


class Operation(BaseModel):
    """One change of edit_file."""

    model_config = ConfigDict(extra="forbid")

    type: Annotated[Literal["REPLACE", "INSERT", "DELETE"], BeforeValidator(upper)] = Field(
        description="What to do."
    )
    start_line: int = Field(
        description=(
            "First line to replace or delete, or the line before which to insert "
            "(one more than the file has: append). Counted from 1, in the file as it is now."
        ),
        ge=1,
    )
    end_line: int | None = Field(
        default=None, description="Last line to replace or delete; start_line if left out.", ge=1
    )
    content: str | None = Field(
        default=None, description="The new lines, for REPLACE and INSERT, with their indentation."
    )

    @model_validator(mode="after")
    def _fits_type(self) -> Operation:
        if self.type == "DELETE" and self.content:
            raise ValueError("DELETE takes no content; use REPLACE to put something in its place")
        if self.type != "DELETE" and self.content is None:
            raise ValueError(f"{self.type} needs content")
        if self.type == "INSERT" and self.end_line not in (None, self.start_line):
            raise ValueError("INSERT takes no end_line")
        if self.end_line is not None and self.end_line < self.start_line:
            raise ValueError(f"end_line {self.end_line} is before start_line {self.start_line}")
        return self


def unpacked(value: Any) -> Any:
    """Some models send a list as a JSON string; it is parsed."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


class EditFile(Arguments, kind="edit"):
    """Changes a file by line numbers: replaces, inserts and deletes lines. Read the file first. All operations refer
    to the numbers that you read, and all are made or none. Operations that would change nothing are refused. A Python
    file is parsed afterwards and a syntax error reported.
    """

    path: str = Field(description=_PATH, min_length=1)
    operations: Annotated[list[Operation], BeforeValidator(unpacked)] = Field(
        description=(
            "Changes that must not overlap. Every line number means the file before any of them; "
            "all are made, or none."
        ),
        min_length=1,
    )


class SearchReplace(Arguments, kind="edit"):
    """Replaces an exact text in a file. Refused when the text is not there, or is there more than once without
    replace_all.
    """

    path: str = Field(description=_PATH, min_length=1)
    old: str = Field(
        description="The exact text to replace, with its white space; may span lines.", min_length=1
    )
    new: str = Field(description="What takes its place.")
    replace_all: bool = Field(
        default=False, description="Replace every occurrence; otherwise there has to be exactly one."
    )


class WriteFile(Arguments, kind="edit"):
    """Creates a file, with the directories on its way, or overwrites it."""

    path: str = Field(description=_PATH, min_length=1)
    content: str = Field(description="The whole content, with its last newline.")


class DeleteFile(Arguments, kind="edit"):
    """Deletes one file or link, not a directory."""

    path: str = Field(description=_PATH, min_length=1)


class CreateDirectory(Arguments, kind="edit"):
    """Creates a directory with those above it. Having it already is no error."""

    path: str = Field(description=_PATH, min_length=1)


class EditNotebook(Arguments, kind="edit"):
    """Inserts, replaces or deletes one cell of a Jupyter notebook (.ipynb, format 4), and lists the cells as they then
    are. Every other cell stays unchanged; the outputs of a replaced code cell are cleared.
    """

    path: str = Field(description=_PATH, min_length=1)
    action: Literal["insert", "replace", "delete"] = Field(description="What to do.")
    index: int | None = Field(
        default=None,
        description=(
            "Which cell, counted from 0. With insert: where the new cell will be, and those from there on move down; "
            "without index and cell_id it comes last."
        ),
        ge=0,
    )
    cell_id: str | None = Field(
        default=None, description="Instead of index: the cell's id, where cells have one.", min_length=1
    )
    cell_type: Literal["code", "markdown", "raw"] | None = Field(
        default=None,
        description="Type of the new cell (code if left out), or the type that a replaced cell gets.",
    )
    content: str | None = Field(
        default=None, description="The whole source of the cell, for insert and replace."
    )

    @model_validator(mode="after")
    def _fits_action(self) -> EditNotebook:
        if self.index is not None and self.cell_id is not None:
            raise ValueError("give index or cell_id, not both")
        if self.action == "delete" and (self.content is not None or self.cell_type is not None):
            raise ValueError("delete takes no content and no cell_type")
        if self.action == "insert" and self.content is None:
            raise ValueError("insert needs content")
        if self.action == "replace" and self.content is None and self.cell_type is None:
            raise ValueError("replace needs content, cell_type or both")
        if self.action != "insert" and self.index is None and self.cell_id is None:
            raise ValueError(f"{self.action} needs index or cell_id")
        return self


class CreateDiagram(Arguments):
    """Checks a Mermaid diagram for common mistakes and returns it, or says in which line it is wrong and what is
    expected there. Writes a file only when a path is given.
    """

    diagram: str = Field(
        description="The diagram in Mermaid syntax, from the line that says its kind, without a ``` fence.",
        min_length=1,
    )
    path: str | None = Field(
        default=None,
        description="Also write it to this file: .mmd or .mermaid as it is, a new .md in a fence. Left out: no file.",
        min_length=1,
    )


class WebSearch(Arguments, kind="search"):
    """Searches the web. This evaluation has no web access: a call returns what to do instead."""

    query: str = Field(description="What to search for.", min_length=1)


class RunTerminalCmd(Arguments, kind="run"):
    """Runs a shell command (bash) in the working directory, without input, and returns exit code, duration and what it
    wrote to both streams. Each call is a new shell: `cd` and variables do not last. At its time-out it is killed
    with everything it started. With background it returns a handle; a later call with that handle shows the state
    and the output since the last look, or stops it.
    """

    command: str | None = Field(
        default=None, description="Shell command to start, in the working directory.", min_length=1
    )
    timeout: float | None = Field(
        default=None,
        description=(
            "Seconds after which a foreground command is killed (120 if left out). "
            "With handle: how long to wait for the end of that command (0 if left out)."
        ),
        gt=0,
        le=600,
    )
    background: bool = Field(
        default=False, description="Start it, and return a handle at once: for servers and other long work."
    )
    separate_streams: bool = Field(
        default=False,
        description="Show stdout and stderr one after the other. Otherwise they come together, in their order.",
    )
    handle: str | None = Field(
        default=None,
        description="Instead of command: the background command whose state and new output to show.",
        min_length=1,
    )
    stop: bool = Field(default=False, description="With handle: kill that command and everything it started.")

    @model_validator(mode="after")
    def _one_purpose(self) -> RunTerminalCmd:
        if (self.command is None) == (self.handle is None):
            raise ValueError(
                "give either command, to start one, or handle, to see or stop a background command"
            )
        if self.stop and self.handle is None:
            raise ValueError("stop needs the handle of a background command")
        if self.separate_streams and self.handle is not None:
            raise ValueError("separate_streams goes with command, not with handle")
        if self.background and self.handle is not None:
            raise ValueError("background goes with command, not with handle")
        if self.background and self.timeout is not None:
            raise ValueError("a background command has no timeout; end it with handle and stop")
        return self
