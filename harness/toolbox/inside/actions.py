"""The actions of ui_test on a page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from playwright.async_api import Error as BrowserError
from playwright.async_api import Locator, Page
from playwright.async_api import TimeoutError as Waited

from .result import ToolError, clip, cut
from .targets import check_url

WIDTH, HEIGHT = 1280, 720
SETTLE_SECONDS = 0.3
TALLEST_PICTURE = 4000
MAX_PICTURE_BYTES = 4 << 20
MAX_PICTURES = 5
MAX_ELEMENTS = 50
READ_LIMIT = 10_000


async def perform(page: Page, action: Mapping[str, Any], seconds: float, pictures: list[bytes]) -> str:
    """Does one action; returns what came of it. A screenshot is added to `pictures`."""
    kind = action["action"]
    if kind == "screenshot":
        return await _screenshot(page, action, seconds, pictures)
    return await _ACTIONS[kind](page, action, seconds * 1000)


async def _navigate(page: Page, action: Mapping[str, Any], milliseconds: float) -> str:
    url = await check_url(action["url"], ("http", "https"))
    response = await page.goto(url, timeout=milliseconds)
    status = f"{response.status} {response.status_text}".rstrip() if response else "the same document"
    return f"{status}, {cut(await page.title(), 200)!r}"


async def _click(page: Page, action: Mapping[str, Any], milliseconds: float) -> str:
    target, found = await _one(page, action["selector"], milliseconds)
    before = page.url
    await target.click(timeout=milliseconds)
    await _settle(page)
    return f"clicked{found}" + (f", now at {page.url}" if page.url != before else "")


async def _type(page: Page, action: Mapping[str, Any], milliseconds: float) -> str:
    target, found = await _one(page, action["selector"], milliseconds)
    if await target.evaluate("element => element.tagName === 'SELECT'"):
        try:
            await target.select_option(
                action["text"], timeout=milliseconds / 2
            )  # the rest is for the options
        except Waited:
            options = await target.locator("option").all_text_contents()
            raise ToolError(f"there is no such option; there are: {cut(', '.join(options), 500)}") from None
        return f"chosen{found}"
    await target.fill(action["text"], timeout=milliseconds)
    return f"typed{found}"


async def _press(page: Page, action: Mapping[str, Any], milliseconds: float) -> str:
    if selector := action.get("selector"):
        target, found = await _one(page, selector, milliseconds)
        await target.press(action["key"], timeout=milliseconds)
    else:
        found = ""
        await page.keyboard.press(action["key"])
    await _settle(page)
    return f"pressed{found}"


async def _wait_for(page: Page, action: Mapping[str, Any], milliseconds: float) -> str:
    began = time.monotonic()
    target = page.locator(action["selector"]) if "selector" in action else page.get_by_text(action["text"])
    if "selector" in action and "text" in action:
        target = target.filter(has_text=action["text"])
    state = "hidden" if action.get("hidden") else "visible"
    await target.first.wait_for(state=state, timeout=milliseconds)  # type: ignore[arg-type]
    return f"{state} after {time.monotonic() - began:.2f} s"


async def _read(page: Page, action: Mapping[str, Any], milliseconds: float) -> str:
    selector = action.get("selector", "body")
    await _one(page, selector, milliseconds)
    target = page.locator(selector)
    elements = (await target.all())[:MAX_ELEMENTS]
    total = await target.count()
    html = action.get("format") == "html"
    texts = []
    for element in elements:
        text = await (
            element.evaluate("element => element.outerHTML")
            if html
            else element.inner_text(timeout=milliseconds)
        )
        texts.append(clip(str(text), "read a smaller part of the page", READ_LIMIT))
    if total == 1:
        return f"1 element\n{texts[0]}"
    listed = "\n".join(f"[{number}] {text}" for number, text in enumerate(texts, 1))
    return f"{total} elements\n{listed}" + ("" if total == len(texts) else "\n[the others are left out]")


async def _screenshot(page: Page, action: Mapping[str, Any], seconds: float, pictures: list[bytes]) -> str:
    if len(pictures) == MAX_PICTURES:
        raise ToolError(f"one call takes {MAX_PICTURES} screenshots at most")
    milliseconds = seconds * 1000
    note = ""
    if selector := action.get("selector"):
        target, note = await _one(page, selector, milliseconds)
        box = await target.bounding_box(timeout=milliseconds)
        if box and box["height"] > TALLEST_PICTURE:
            raise ToolError(
                f"it is {box['height']:.0f} pixels tall, more than {TALLEST_PICTURE}: take a part of it"
            )
        picture = await target.screenshot(timeout=milliseconds)
    elif action.get("full_page"):
        tall = await page.evaluate("document.documentElement.scrollHeight")
        clipped = {"x": 0, "y": 0, "width": WIDTH, "height": min(tall, TALLEST_PICTURE)}
        picture = await page.screenshot(full_page=True, clip=clipped, timeout=milliseconds)  # type: ignore[arg-type]
        note = f", the upper {TALLEST_PICTURE} of {tall} pixels" if tall > TALLEST_PICTURE else ""
    else:
        picture = await page.screenshot(timeout=milliseconds)
    if len(picture) > MAX_PICTURE_BYTES:
        raise ToolError(
            f"the picture has {len(picture):,} bytes, more than {MAX_PICTURE_BYTES:,}: take a part of it"
        )
    pictures.append(picture)
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    return f"picture {len(pictures)} of this call, {width} × {height}{note}"


async def _one(page: Page, selector: str, milliseconds: float) -> tuple[Locator, str]:
    """The first element that matches, and a note if there are more."""
    target = page.locator(selector)
    try:
        await target.first.wait_for(state="attached", timeout=milliseconds)
    except Waited:
        raise ToolError(f"nothing matched {selector!r} within {milliseconds / 1000:.0f} s") from None
    count = await target.count()
    return target.first, f" (the first of {count} that match)" if count > 1 else ""


async def _settle(page: Page) -> None:
    """Gives the page a moment to react: a request to be sent, another page to load."""
    await asyncio.sleep(SETTLE_SECONDS)
    with suppress(BrowserError):  # it may go on loading: `wait_for` waits for more
        await page.wait_for_load_state("load", timeout=5000)


_ACTIONS: dict[str, Callable[[Page, Mapping[str, Any], float], Awaitable[str]]] = {
    "navigate": _navigate,
    "click": _click,
    "type": _type,
    "press": _press,
    "wait_for": _wait_for,
    "read": _read,
}
