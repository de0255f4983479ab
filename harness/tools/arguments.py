"""The arguments of each tool. Models read the descriptions; pydantic turns them into function definitions."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

_PATH = "Path, absolute or relative to the working directory."


class Arguments(BaseModel):
    """What every tool takes: the reason for the call. Unknown arguments are refused."""

    model_config = ConfigDict(extra="forbid")

    explanation: str = Field(
        description="One sentence: why you call this tool now, and what you expect of it.", min_length=1
    )


class ReadFile(Arguments):
    """read_file"""

    path: str = Field(description=_PATH, min_length=1)
    offset: int = Field(default=1, description="First line to show, counted from 1.", ge=1)
    limit: int | None = Field(
        default=None, description="How many lines to show; all of them if left out.", ge=1
    )


class ListDir(Arguments):
    """list_dir"""

    path: str = Field(default=".", description="Directory, absolute or relative to the working directory.")
    recursive: bool = Field(default=False, description="Also list everything below its directories.")


class CodebaseSearch(Arguments):
    """codebase_search"""

    query: str = Field(description="Text to find, taken literally.", min_length=1)
    case_sensitive: bool = Field(default=False, description="Distinguish upper and lower case.")
    context_lines: int = Field(
        default=0, description="Lines to show before and after each match.", ge=0, le=20
    )
    file_types: list[str] = Field(
        default_factory=list,
        description='Endings of the files to search, such as ["py", "toml"]; all text files if left out.',
    )


class GrepSearch(Arguments):
    """grep_search"""

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


class FileSearch(Arguments):
    """file_search"""

    query: str = Field(
        description="Part of a path (its letters in order are enough), or a glob such as `**/test_*.py`.",
        min_length=1,
    )


def _upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


class Operation(BaseModel):
    """One change of edit_file."""

    model_config = ConfigDict(extra="forbid")

    type: Annotated[Literal["REPLACE", "INSERT", "DELETE"], BeforeValidator(_upper)] = Field(
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


def _unpacked(value: Any) -> Any:
    """Some models send a list as a JSON string; it is parsed."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


class EditFile(Arguments):
    """edit_file"""

    path: str = Field(description=_PATH, min_length=1)
    operations: Annotated[list[Operation], BeforeValidator(_unpacked)] = Field(
        description=(
            "Changes that must not overlap. Every line number means the file before any of them; "
            "all are made, or none."
        ),
        min_length=1,
    )


class SearchReplace(Arguments):
    """search_replace"""

    path: str = Field(description=_PATH, min_length=1)
    old: str = Field(
        description="The exact text to replace, with its white space; may span lines.", min_length=1
    )
    new: str = Field(description="What takes its place.")
    replace_all: bool = Field(
        default=False, description="Replace every occurrence; otherwise there has to be exactly one."
    )


class WriteFile(Arguments):
    """write_file"""

    path: str = Field(description=_PATH, min_length=1)
    content: str = Field(description="The whole content, with its last newline.")


class DeleteFile(Arguments):
    """delete_file"""

    path: str = Field(description=_PATH, min_length=1)


class CreateDirectory(Arguments):
    """create_directory"""

    path: str = Field(description=_PATH, min_length=1)


class EditNotebook(Arguments):
    """edit_notebook"""

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
    """create_diagram"""

    diagram: str = Field(
        description="The diagram in Mermaid syntax, from the line that says its kind, without a ``` fence.",
        min_length=1,
    )
    path: str | None = Field(
        default=None,
        description="Also write it to this file: .mmd or .mermaid as it is, a new .md in a fence. Left out: no file.",
        min_length=1,
    )


class WebSearch(Arguments):
    """web_search"""

    query: str = Field(description="What to search for.", min_length=1)


class RunTerminalCmd(Arguments):
    """run_terminal_cmd"""

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


def _as_text(value: Any) -> Any:
    """A number or boolean where HTTP takes only text, written as in JSON."""
    return json.dumps(value) if isinstance(value, (bool, int, float)) else value


def _as_message(value: Any) -> Any:
    """A string alone is the data of a message."""
    return {"data": value} if isinstance(value, str) else value


def _listed(value: Any) -> Any:
    """One document where a list is expected."""
    return [value] if isinstance(value, dict) else value


_Text = Annotated[str, BeforeValidator(_as_text)]
_Json = Annotated[Any, BeforeValidator(_unpacked)]
_Document = Annotated[dict[str, Any], BeforeValidator(_unpacked)]
_Documents = Annotated[list[dict[str, Any]], BeforeValidator(_listed), BeforeValidator(_unpacked)]
_TIMEOUT = "Seconds that the whole call may take."


class ApiCall(Arguments):
    """api_call"""

    method: Annotated[
        Literal["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"], BeforeValidator(_upper)
    ] = Field(default="GET", description="The HTTP method.")
    url: str = Field(description="Whole URL, such as `http://localhost:3000/api/users`.", min_length=1)
    headers: dict[str, _Text] | None = Field(default=None, description="Headers to send.")
    query: dict[str, _Text] | None = Field(default=None, description="Query parameters to add to the URL.")
    json_body: _Json = Field(default=None, description="Any JSON value to send as the body.")
    form: dict[str, _Text] | None = Field(default=None, description="Form fields to send as the body.")
    body: str | None = Field(default=None, description="Text to send as the body, as it is.")
    username: str | None = Field(default=None, description="User name for basic authentication.")
    password: str | None = Field(default=None, description="Password for basic authentication.")
    bearer_token: str | None = Field(
        default=None, description="Token for bearer authentication.", min_length=1
    )
    follow_redirects: bool = Field(default=True, description="Go where redirects point, and show the way.")
    forget_cookies: bool = Field(default=False, description="Drop the cookies of earlier calls first.")
    timeout: float = Field(default=30.0, description=_TIMEOUT, gt=0, le=300)

    @model_validator(mode="after")
    def _one_body(self) -> ApiCall:
        given = [name for name in ("json_body", "form", "body") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"give one body, not {' and '.join(given)}")
        if self.username is not None and self.bearer_token is not None:
            raise ValueError("give username and password or bearer_token, not both")
        return self


class DatabaseQuery(Arguments):
    """database_query"""

    operation: Literal["find", "findOne", "insert", "update", "delete", "aggregate"] = Field(
        description="What to do."
    )
    collection: str = Field(description="Name of the collection.", min_length=1)
    database: str | None = Field(
        default=None,
        description="Name of the database; the one in the connection string, or `test`, if left out.",
        min_length=1,
    )
    uri: str = Field(default="mongodb://localhost:27017", description="Connection string.", min_length=1)
    filter: _Document | None = Field(
        default=None,
        description=(
            "Which documents (find, findOne, update, delete), in extended JSON, such as "
            '{"_id": {"$oid": "…"}}. Everything matches if left out; delete needs one.'
        ),
    )
    projection: _Document | None = Field(default=None, description="Which fields to show (find, findOne).")
    sort: _Document | None = Field(default=None, description='Order (find, findOne), such as {"age": -1}.')
    skip: int = Field(default=0, description="How many documents to pass over first (find).", ge=0)
    limit: int = Field(default=20, description="How many documents to show (find, aggregate).", ge=1, le=1000)
    documents: _Documents | None = Field(default=None, description="What to insert.", min_length=1)
    update: _Document | None = Field(
        default=None, description='What to change, such as {"$set": {"name": "value"}}.'
    )
    upsert: bool = Field(default=False, description="Insert when nothing matches (update).")
    many: bool = Field(
        default=False, description="Update or delete every document that matches, not only the first."
    )
    pipeline: _Documents | None = Field(default=None, description="Stages to aggregate with.")
    timeout: float = Field(default=30.0, description=_TIMEOUT, gt=0, le=300)

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> DatabaseQuery:
        needs = {"insert": "documents", "update": "update", "delete": "filter", "aggregate": "pipeline"}
        need = needs.get(self.operation)
        if need and getattr(self, need) is None:
            raise ValueError(f"{self.operation} needs {need}")
        return self


class SocketMessage(BaseModel):
    """One message of websocket_test."""

    model_config = ConfigDict(extra="forbid")

    data: _Json = Field(
        default=None,
        description="What to send: a text, or any JSON value. A plain WebSocket sends it as text.",
    )
    event: str = Field(default="message", description="Name of the event (Socket.IO).", min_length=1)
    acknowledge: bool = Field(
        default=False, description="Wait until the server acknowledges it, and show with what (Socket.IO)."
    )


class WebsocketTest(Arguments):
    """websocket_test"""

    url: str = Field(
        description=(
            "`http://localhost:3000` for Socket.IO (a path names the namespace), `ws://localhost:3000/path` for a "
            "plain WebSocket. The scheme decides."
        ),
        min_length=1,
    )
    messages: Annotated[
        list[Annotated[SocketMessage, BeforeValidator(_as_message)]], BeforeValidator(_unpacked)
    ] = Field(default_factory=list, description="What to send after connecting, in order.", max_length=100)
    wait_for: str | None = Field(
        default=None,
        description="Wait until this event comes (Socket.IO), or a message that contains this text (WebSocket).",
        min_length=1,
    )
    wait_messages: int | None = Field(
        default=None,
        description="Wait until so many messages came. Without this and wait_for it listens for a second.",
        ge=1,
        le=1000,
    )
    namespace: str = Field(default="/", description="Namespace (Socket.IO), if not in the URL.", pattern="^/")
    path: str = Field(default="socket.io", description="Path of the endpoint (Socket.IO).", min_length=1)
    auth: _Document | None = Field(default=None, description="What to authenticate with (Socket.IO).")
    subprotocols: list[str] = Field(default_factory=list, description="Subprotocols to offer (WebSocket).")
    headers: dict[str, _Text] | None = Field(default=None, description="Headers to send when connecting.")
    timeout: float = Field(default=10.0, description=_TIMEOUT, gt=0, le=300)


class UiAction(BaseModel):
    """One action of ui_test."""

    model_config = ConfigDict(extra="forbid")

    action: Literal["navigate", "click", "type", "press", "wait_for", "screenshot", "read"] = Field(
        description="What to do."
    )
    url: str | None = Field(default=None, description="Where to (navigate).", min_length=1)
    selector: str | None = Field(
        default=None,
        description=(
            "Which element: CSS, or `text=Save`. Needed by click and type; narrows wait_for, press, read, screenshot."
        ),
        min_length=1,
    )
    text: str | None = Field(
        default=None,
        description="What to type in place of what is there, which option to choose, or which text to wait for.",
    )
    key: str | None = Field(
        default=None, description="Which key (press): `Enter`, `Control+A`.", min_length=1
    )
    hidden: bool = Field(default=False, description="Wait until it is gone (wait_for).")
    format: Literal["text", "html"] = Field(default="text", description="What to read: text or HTML.")
    full_page: bool = Field(default=False, description="Take the whole page, not the window (screenshot).")

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> UiAction:
        needs = {"navigate": ["url"], "click": ["selector"], "type": ["selector", "text"], "press": ["key"]}
        missing = [name for name in needs.get(self.action, ()) if getattr(self, name) is None]
        if missing:
            raise ValueError(f"{self.action} needs {' and '.join(missing)}")
        if self.action == "wait_for" and self.selector is None and not self.text:
            raise ValueError("wait_for needs a selector, a text, or both")
        return self


class UiTest(Arguments):
    """ui_test"""

    actions: Annotated[list[UiAction], BeforeValidator(_unpacked)] = Field(
        description="What to do, in order; the first that fails ends the call.", min_length=1, max_length=50
    )
    reset: bool = Field(
        default=False, description="Begin with a fresh browser: no page, no cookies, no storage."
    )
    timeout: float = Field(default=60.0, description=_TIMEOUT, gt=0, le=300)
