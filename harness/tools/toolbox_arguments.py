"""The arguments of the optional tools, which run in the toolbox."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from harness.tools.arguments import Arguments, unpacked, upper


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
_Json = Annotated[Any, BeforeValidator(unpacked)]
_Document = Annotated[dict[str, Any], BeforeValidator(unpacked)]
_Documents = Annotated[list[dict[str, Any]], BeforeValidator(_listed), BeforeValidator(unpacked)]
_TIMEOUT = "Seconds that the whole call may take."


class ApiCall(Arguments, kind="run", optional=True):
    """Sends an HTTP request to a server that you have started in the background, and returns status, headers, time and
    body; JSON is indented. Cookies last from call to call. Only localhost can be reached.
    """

    method: Annotated[
        Literal["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"], BeforeValidator(upper)
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


class DatabaseQuery(Arguments, kind="run", optional=True):
    """Runs one operation on a MongoDB server in your container and returns the documents that were found, or what was
    written. Documents are MongoDB's extended JSON in both directions.
    """

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


class WebsocketTest(Arguments, kind="run", optional=True):
    """Connects to a Socket.IO or WebSocket server in your container, sends messages, waits for what comes, and returns
    the conversation with its times. Every call is a new connection.
    """

    url: str = Field(
        description=(
            "`http://localhost:3000` for Socket.IO (a path names the namespace), `ws://localhost:3000/path` for a "
            "plain WebSocket. The scheme decides."
        ),
        min_length=1,
    )
    messages: Annotated[
        list[Annotated[SocketMessage, BeforeValidator(_as_message)]], BeforeValidator(unpacked)
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


class UiTest(Arguments, kind="run", optional=True):
    """Drives one page in a browser (Chromium, 1280 × 720) through a list of actions, and returns what each came to,
    with the errors of the page's console and its failed requests. The page stays open from call to call. People who
    read this run see screenshots; if none follow the result, you do not: read the page to check it.
    """

    actions: Annotated[list[UiAction], BeforeValidator(unpacked)] = Field(
        description="What to do, in order; the first that fails ends the call.", min_length=1, max_length=50
    )
    reset: bool = Field(
        default=False, description="Begin with a fresh browser: no page, no cookies, no storage."
    )
    timeout: float = Field(default=60.0, description=_TIMEOUT, gt=0, le=300)
