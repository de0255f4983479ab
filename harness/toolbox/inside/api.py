"""api_call: one HTTP request and its response."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

import httpx

from .body import Body, received
from .result import Result, ToolError, clip, cut, pretty
from .targets import check_url, nothing_listens

MAX_REDIRECTS = 10
MAX_HEADERS = 60
BODY_LIMIT = 20_000
_SCHEMES = ("http", "https")


class ApiCall:
    """A client whose cookies last for the rest of the run."""

    def __init__(self) -> None:
        self._client = _client()

    async def call(self, arguments: Mapping[str, Any], seconds: float) -> Result:
        """Sends the request, follows redirects unless `follow_redirects` is false, and describes the response."""
        if arguments.get("forget_cookies"):
            await self.close()
            self._client = _client()
        await check_url(arguments["url"], _SCHEMES)
        request = self._request(arguments)
        hops: list[str] = []
        deadline = asyncio.get_running_loop().time() + seconds
        try:
            hops.append(await self._follow(request, hops, arguments.get("follow_redirects", True), deadline))
        except ToolError as error:
            raise ToolError("\n".join([*hops, str(error)])) from None
        except TimeoutError:
            silent = f"{request.method} {request.url}: no response came within {seconds:g} s"
            raise ToolError("\n".join([*hops, silent])) from None
        return Result("\n".join(hops))

    async def close(self) -> None:
        """Closes its connections."""
        await self._client.aclose()

    async def _follow(self, request: httpx.Request, hops: list[str], follow: bool, deadline: float) -> str:
        """Describes the last response; redirects are added to `hops`."""
        for _ in range(MAX_REDIRECTS + 1):
            await check_url(str(request.url), _SCHEMES)
            began = time.monotonic()
            try:
                async with asyncio.timeout_at(deadline):
                    response = await self._client.send(request, stream=True)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise ToolError(_failure(request, error)) from None
            if not (follow and response.next_request):
                return _described(response, await received(response, deadline), time.monotonic() - began)
            await response.aclose()
            hops.append(f"{_status(response)}, location: {cut(response.headers['location'], 500)}")
            request = response.next_request
        raise ToolError(f"Gave up after {MAX_REDIRECTS} redirects.")

    def _request(self, arguments: Mapping[str, Any]) -> httpx.Request:
        method, url = arguments.get("method", "GET"), arguments["url"]
        body: dict[str, Any] = {}
        if "json_body" in arguments:
            body["json"] = arguments["json_body"]
        elif "form" in arguments:
            body["data"] = arguments["form"]
        elif "body" in arguments:
            body["content"] = arguments["body"]
        try:
            whole = httpx.URL(url)
            if query := arguments.get("query"):
                whole = whole.copy_merge_params(query)
            request = self._client.build_request(method, whole, headers=arguments.get("headers"), **body)
            if token := arguments.get("bearer_token"):
                request.headers["authorization"] = f"Bearer {token}"
            elif "username" in arguments:
                basic = httpx.BasicAuth(arguments["username"], arguments.get("password", ""))
                request = next(basic.auth_flow(request))
        except (ValueError, TypeError, httpx.InvalidURL) as error:
            raise ToolError(f"this request is invalid: {error}") from None
        return request


def _client() -> httpx.AsyncClient:
    # Development servers sign their own certificates. The deadline of the whole call replaces the timeout.
    return httpx.AsyncClient(verify=False, trust_env=False, timeout=None)  # noqa: S501, S113


def _failure(request: httpx.Request, error: Exception) -> str:
    """Why no response came."""
    place = f"{request.url.host}:{_port(request.url)}"
    reason = str(error) or type(error).__name__
    if isinstance(error, httpx.ConnectError):
        if "SSL" in reason:
            return f"{place} does not speak TLS as it should ({reason}): try http:// in place of https://"
        return nothing_listens(request.url.host, _port(request.url))
    failed = f"{request.method} {request.url} failed: {reason}"
    if isinstance(error, httpx.RemoteProtocolError) and request.url.scheme == "http":
        failed += " Should the server speak TLS, use https://"
    return failed


def _described(response: httpx.Response, body: Body, seconds: float) -> str:
    headers = response.headers.multi_items()
    lines = [f"{_status(response)} ({seconds:.3f} s)"]
    lines += [f"{name}: {cut(value, 500)}" for name, value in headers[:MAX_HEADERS]]
    if len(headers) > MAX_HEADERS:
        lines.append(f"[{len(headers) - MAX_HEADERS} more headers]")
    return "\n".join([*lines, "", _content(response, body)])


def _content(response: httpx.Response, body: Body) -> str:
    missing = f"\n[{body.missing}]" if body.missing else ""
    if not body.data:
        return f"(no body){missing}"
    text = _text(response, body.data)
    if text is None:
        return f"(binary body, {len(body.data):,} bytes, begins with {body.data[:16].hex(' ')}){missing}"
    if not body.missing and "json" in response.headers.get("content-type", ""):
        try:
            text = pretty(json.loads(text))
        except ValueError as error:
            text = f"[the content type says JSON, but it is none: {error}]\n{text}"
    return clip(text, "request less at once", BODY_LIMIT) + missing


def _text(response: httpx.Response, body: bytes) -> str | None:
    """The body as text; None for a binary body."""
    charset = response.charset_encoding or "utf-8"
    try:
        text = body.decode(charset)
    except LookupError:
        text = body.decode("utf-8", "replace")
    except UnicodeDecodeError as error:
        if len(body) - error.start > 3:  # not just a character that the limit cut in two
            return None
        text = body[: error.start].decode(charset, "replace")
    except UnicodeError:
        return None
    return None if "\0" in text else text


def _status(response: httpx.Response) -> str:
    line = (
        f"{response.request.method} {response.request.url} → {response.status_code} {response.reason_phrase}"
    )
    return line.rstrip()


def _port(url: httpx.URL) -> int:
    return url.port or (443 if url.scheme == "https" else 80)
