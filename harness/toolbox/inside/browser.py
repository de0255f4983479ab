"""ui_test: a page in Chromium, on which a list of actions is done. The page stays open from call to call."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Download,
    Page,
    Playwright,
    Request,
    Response,
    async_playwright,
)
from playwright.async_api import Error as BrowserError
from playwright.async_api import TimeoutError as Waited

from .actions import HEIGHT, WIDTH, perform
from .result import Result, ToolError, clip, cut
from .targets import REMEDY

CHROMIUM = "/usr/bin/chromium-headless-shell"
START_SECONDS = 30.0
ACTION_SECONDS = 10.0
CLOSE_SECONDS = 3.0
ANSWER_SECONDS = 2.0
MAX_NOTES = 30
# The page is the agent's own, the container is isolated, and Chromium's sandbox needs privileges that are not here.
_SWITCHES = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server"]
_ADVICE = re.compile(r"\n?Call log:.*", re.DOTALL)
# What Playwright says in that log about an element that it could not act on.
_HINDRANCE = re.compile(r"element is (?:not \w+|outside of the viewport)|<.+> intercepts pointer events")


class UiTest:
    """One browser with one page, started at the first call and again after it breaks."""

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._page: Page | None = None
        # Errors of the page since the last call ended: some come late.
        self._notes: list[str] = []
        self._more_notes = 0

    async def call(self, arguments: Mapping[str, Any], seconds: float) -> Result:
        """Does the actions in order until one fails. The result lists each action and the errors of the page."""
        deadline = time.monotonic() + seconds
        if arguments.get("reset"):
            await self._drop_page()
            self._notes, self._more_notes = [], 0
        await self._drop_hung_page()
        lines: list[str] = []
        pictures: list[bytes] = []
        ok = True
        for number, action in enumerate(arguments.get("actions", ()), 1):
            try:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise ToolError(f"not done: the time-out of {seconds:g} s came first")
                page = await self._ready_page(left)
                left = deadline - time.monotonic()
                # Playwright's own time-out comes first: its error says what was in the way.
                async with asyncio.timeout(min(ACTION_SECONDS + 2, left + 1)):
                    done = await perform(
                        page, action, min(ACTION_SECONDS, max(left - 0.5, left / 2)), pictures
                    )
                lines.append(f"{number}. {_named(action)} → {done}")
            except (
                ToolError,
                BrowserError,
                TimeoutError,
            ) as error:  # the result also lists what was done before
                lines.append(f"{number}. {_named(action)} FAILED: {_reason(error)}")
                if left_out := len(arguments["actions"]) - number:
                    lines.append(f"[actions not tried after it: {left_out}]")
                ok = False
                break
        lines += await self._state()
        return Result(clip("\n".join(lines), "read a smaller part of the page"), ok, tuple(pictures))

    async def close(self) -> None:
        """Ends the browser, also one that does not react any more."""
        browser, playwright = self._browser, self._playwright
        self._playwright = self._browser = self._page = None
        with suppress(BrowserError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                if browser is not None:
                    await browser.close()
        with suppress(BrowserError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                if playwright is not None:
                    await playwright.stop()

    async def _ready_page(self, seconds: float) -> Page:
        """The page; a browser that has to start first takes no time from an action."""
        try:
            async with asyncio.timeout(min(START_SECONDS, seconds)):
                return await self._open_page()
        except TimeoutError:
            await self.close()
            raise ToolError(f"the browser did not start within {min(START_SECONDS, seconds):.0f} s") from None

    async def _open_page(self) -> Page:
        if self._browser is None or not self._browser.is_connected():
            await self.close()
            self._playwright = await async_playwright().start()
            self._browser = await self._playwright.chromium.launch(
                executable_path=CHROMIUM, args=_SWITCHES, timeout=START_SECONDS * 1000
            )
        if self._page is None or self._page.is_closed():
            await self._drop_page()
            context = await self._browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT}, ignore_https_errors=True, accept_downloads=False
            )
            self._page = await context.new_page()
            self._watch(self._page)
        return self._page

    async def _drop_hung_page(self) -> None:
        """Closes a page that has stopped responding since the last call."""
        if self._page is None or self._page.is_closed():
            return
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._page.title()
        except TimeoutError:
            self._note(f"{cut(self._page.url, 300)} did not respond any more: a new page was opened")
            await self._drop_page()
        except BrowserError:
            pass  # it is loading another document

    async def _drop_page(self) -> None:
        """Closes the page and deletes its cookies and its storage."""
        page, self._page = self._page, None
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                if page is not None:
                    await page.context.close()
        except BrowserError:
            pass  # it was gone already
        except TimeoutError:
            await self.close()

    def _watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._note(f"uncaught error: {cut(error.message, 500)}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._responded)
        page.on("dialog", self._dialog)
        page.on("crash", self._crashed)
        page.on("popup", self._popup)
        page.on("download", self._download)

    def _note(self, text: str) -> None:
        if len(self._notes) < MAX_NOTES:
            self._notes.append(text)
        else:
            self._more_notes += 1

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self._note(f"console {message.type}: {cut(message.text, 500)}")

    def _failed(self, request: Request) -> None:
        self._note(f"request failed: {request.method} {cut(request.url, 300)}: {request.failure}")

    def _download(self, download: Download) -> None:
        name = cut(download.suggested_filename, 200)
        self._note(
            f"a download of {name!r} was offered, {cut(download.url, 300)}, and not taken: api_call shows it"
        )

    def _responded(self, response: Response) -> None:
        if response.status >= 400:
            self._note(
                f"request returned {response.status}: {response.request.method} {cut(response.url, 300)}"
            )

    async def _dialog(self, dialog: Dialog) -> None:
        self._note(f"a dialog ({dialog.type}) said {cut(dialog.message, 300)!r} and was accepted")
        await dialog.accept()

    async def _crashed(self, _page: Page) -> None:
        self._note("the page crashed; the next call begins with a new one")
        await self._drop_page()

    async def _popup(self, popup: Page) -> None:
        self._note(f"another window was opened, {cut(popup.url, 300)}, and closed: navigate to it to see it")
        await popup.close()

    async def _state(self) -> list[str]:
        """The address of the page and its errors since the last call, as lines."""
        page = self._page
        if page is None or page.is_closed():
            lines = ["Page: none"]
        else:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    lines = [f"Page: {page.url} {cut(await page.title(), 200)!r}"]
            except (BrowserError, TimeoutError):
                lines = [f"Page: {page.url} does not respond; the next call begins with a new page"]
                await self._drop_page()
        lines += [f"- {note}" for note in self._notes]
        if self._more_notes:
            lines.append(f"- [{self._more_notes} more complaints]")
        self._notes, self._more_notes = [], 0
        return lines


def _named(action: Mapping[str, Any]) -> str:
    what = action.get("url") or action.get("selector") or ""
    more = action.get("text") or action.get("key") or ""
    return " ".join(filter(None, (action["action"], cut(what, 200), cut(repr(more), 200) if more else "")))


def _reason(error: Exception) -> str:
    if isinstance(error, (TimeoutError, Waited)):
        hindrances = _HINDRANCE.findall(str(error))
        return "the time-out came first" + (f": {cut(hindrances[-1], 300)}" if hindrances else "")
    text = cut(_ADVICE.sub("", str(error)), 800)
    if 'type "file"' in text:
        text += ". Files are not chosen here: send what the form would send with api_call"
    if "ERR_CONNECTION_REFUSED" in text:
        text += f". Nothing listens there: start the server first. {REMEDY}"
    return text
