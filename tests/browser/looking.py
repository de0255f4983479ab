"""Visits of pages with an empty cache: what they load, and how they look in both themes and all widths."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

# Measuring the contrast of each text was two thirds of axe-core's time. A text that looks like two others has their
# contrast: it has the same colour, size and weight, on the same grounds. One that axe-core leaves out does not count.
# If another width shows the same elements, only rules of layout run again. `kbd` is left out of that comparison.
LOOKS = """
(() => {
  const rule = axe._audit.rules.find(({ id }) => id === "color-contrast");
  const applies = rule.matches;
  const PLAIN = "rgba(0, 0, 0, 0) none 1 none normal static";
  let grounds, looks, before;
  const ground = (element) => {
    if (!element) return "";
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position].join(" ");
      grounds.set(element, ground(element.parentElement) + (own === PLAIN ? "" : `/${own}`));
    }
    return grounds.get(element);
  };
  const look = (element) => {
    const { color, fill, fontSize, fontWeight, textShadow, webkitTextStroke } = getComputedStyle(element);
    const single = element.textContent.trim().length < 2;  // axe-core never decides about one character
    return [ground(element), color, fill, fontSize, fontWeight, textShadow, webkitTextStroke, single].join();
  };
  rule.matches = function (element, ...more) {
    const found = look(element), seen = looks.get(found) ?? 0;
    if (seen === 2 || !applies.call(this, element, ...more)) return false;
    looks.set(found, seen + 1);
    return true;
  };
  const visible = () => [...document.body.querySelectorAll("*:not(kbd)")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }));
  window.runAxe = ({ ofLayout, ...options }) => {
    const shown = visible();
    const again = ofLayout && shown.length === before?.length && shown.every((each, place) => each === before[place]);
    if (!again) looks = new Map();
    if (again) options.runOnly = { type: "rule", values: ofLayout };
    if (ofLayout) before = shown;
    grounds = new Map();
    return axe.run(document, { ...options, resultTypes: ["violations"] });
  };
})();
"""
AXE = (Path(__file__).parent / "vendor/axe.min.js").read_text(encoding="utf-8") + LOOKS
Theme = Literal["light", "dark"]
THEMES: Sequence[Theme] = ("light", "dark")
WIDTHS = (390, 1440)
MIN_SIZE = 12  # pixels of readable text
HEIGHT = 900
# Rules that a theme can break; all others see the same page in both.
OF_COLOUR = ["color-contrast", "link-in-text-block"]
# Rules that a width can break, although it shows and hides nothing.
OF_LAYOUT = [*OF_COLOUR, "scrollable-region-focusable", "target-size"]
# Characters of visible texts by their height on the screen, with an example of each; closed details are opened for it.
# In a drawing the height is that of the font times the scale of the drawing.
CHARACTERS = """
(smallest) => {
  const closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((each) => { each.open = true; });
  const found = { all: 0, small: 0, examples: {} };
  const count = (element, text) => {
    const style = getComputedStyle(element);
    const unseen = element.closest("noscript, script, style, template") || style.clipPath.startsWith("inset(50%");
    if (!text || unseen || !element.checkVisibility({ visibilityProperty: true })) return;
    if (element.closest(".sr, .skip, option")) return;
    const matrix = element instanceof SVGElement ? element.getScreenCTM() : null;
    const scale = matrix ? Math.hypot(matrix.c, matrix.d) : 1;
    const size = Math.round(parseFloat(style.fontSize) * scale * 100) / 100;
    found.all += text.length;
    if (size >= smallest) return;
    found.small += text.length;
    const name = `${size} px in ${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
    found.examples[name] ??= text.slice(0, 40);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) count(texts.currentNode.parentElement, texts.currentNode.data.trim());
  for (const field of document.querySelectorAll("input:not([type=hidden]), textarea, select"))
    count(field, field.value || field.placeholder || "");
  closed.forEach((each) => { each.open = false; });
  return found;
}
"""
# What HTML forbids and axe-core does not look for.
INVALID = r"""
() => {
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  const controls = "button, input:not([type=hidden]), meter, output, progress, select, textarea";
  return [
    ...ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `id twice: ${id}`),
    ...[...document.querySelectorAll("time[datetime]")].map((one) => one.dateTime)
      .filter((at) => !/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(at)),
    ...[...document.querySelectorAll("label")].filter((one) => one.querySelectorAll(controls).length > 1)
      .concat([...document.querySelectorAll("span[aria-label]:not([role]), input[type=hidden][aria-describedby]")])
      .map((one) => one.outerHTML.slice(0, 160)),
  ];
}
"""

HEARING = """
window.refusals = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.refusals.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
"""


@dataclass(slots=True)
class Visit:
    """What was seen. `findings` are axe-core's; `overflows`, how many pixels the page is too wide, by width.

    `small_texts`: what is smaller than MIN_SIZE, with its share of all characters, a line for each width.
    `wide_tables`: tables on the narrowest screen that are wider than their frame, and no matrix.
    """

    status: int = 0
    bytes: int = 0
    complaints: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    overflows: dict[int, int] = field(default_factory=dict)
    small_texts: list[str] = field(default_factory=list)
    wide_tables: list[str] = field(default_factory=list)
    pictures: list[Path] = field(default_factory=list)


def fresh_context(browser: Browser, **more: Any) -> BrowserContext:
    """A reader who was never here, before a wide screen."""
    size = ViewportSize(width=WIDTHS[-1], height=HEIGHT)
    context = browser.new_context(viewport=size, reduced_motion="reduce", **more)
    context.set_default_timeout(20_000)
    return context


class Reader:
    """A reader in one tab, to whom every page is new: nothing is cached, and nothing is left of earlier visits.

    A tab of its own for each visit would take a second of CPU time more.
    """

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._page = context.new_page()
        self._session = context.new_cdp_session(self._page)
        self._session.send("Network.enable")
        self._session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        self._session.on("Network.loadingFinished", self._count)
        self._listen()
        self._seen = Visit()

    def visit(
        self,
        address: str,
        picture: Path | None = None,
        *,
        widths: Sequence[int] = WIDTHS,
        themes: Sequence[Theme] = THEMES,
        tallest: int = HEIGHT,
        cookies: Sequence[Any] = (),
    ) -> Visit:
        """Opens the page once, as a first visit, and looks at it in every width, and in every theme.

        `picture`: where screenshots go, `-light-390.png` and so on behind its name; None: none are made.
        """
        self._forget(address)
        seen = self._seen = Visit()
        self._context.add_cookies(cookies)
        page = self._page
        response = page.goto(address, wait_until="load")
        assert response is not None
        seen.status = response.status
        settle(page)
        page.evaluate(AXE)
        weight = 0
        for width, theme in itertools.product(widths, themes):
            if theme != themes[0] and width != widths[-1] and picture is None:
                continue  # only its colours are looked at, which are the same at every width
            dress(page, theme, width)
            seen.findings += [f"{theme}, {width} px: {found}" for found in findings(page, theme)]
            seen.overflows[width] = max(overflow(page), seen.overflows.get(width, 0))
            if theme == themes[0]:
                seen.small_texts += [f"{width} px: {found}" for found in small_texts(page)]
                if width == WIDTHS[0]:
                    seen.wide_tables = wide_tables(page)
            weight = weight or seen.bytes  # another width, or a picture, is not part of a first visit
            if picture is not None:
                seen.pictures.append(picture.with_name(f"{picture.name}-{theme}-{width}.png"))
                photograph(page, seen.pictures[-1], tallest)
        seen.bytes = weight
        seen.complaints += page.evaluate("window.refusals")
        return seen

    def _forget(self, address: str) -> None:
        """Leaves the page, and removes what it stored. The tab is as wide and light again as at first."""
        if self._page.url != "about:blank":
            self._page.evaluate("sessionStorage.clear()")
            # A page of the site without scripts: for an empty one, and for the next visit, new processes would start.
            self._page.goto(urljoin(self._page.url, "/healthz"))
        site = urlsplit(address)
        self._session.send(
            "Storage.clearDataForOrigin",
            {"origin": f"{site.scheme}://{site.netloc}", "storageTypes": "all"},
        )
        self._context.clear_cookies()
        dress(self._page, THEMES[0], WIDTHS[-1])

    def _listen(self) -> None:
        """Hears whatever a page complains of but its own status."""
        self._page.add_init_script(HEARING)
        self._page.on("pageerror", lambda error: self._seen.complaints.append(str(error)))
        self._page.on("console", self._hear)
        self._page.on("dialog", self._hear_dialog)

    def _hear(self, message: Any) -> None:
        if message.type == "error" and "the server responded with a status of" not in message.text:
            self._seen.complaints.append(message.text)

    def _hear_dialog(self, dialog: Any) -> None:
        self._seen.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _count(self, event: Any) -> None:
        self._seen.bytes += max(0, int(event["encodedDataLength"]))


def settle(page: Page) -> None:
    """Returns when the page has loaded what it loads by itself. A page that is live never rests: it gets half a second.

    Only replays load more after they are there: the steps beside theirs.
    """
    page.wait_for_load_state("load")
    if page.locator("[data-live], [data-replay][data-live-url], [data-refresh]").count():
        page.wait_for_timeout(500)
    elif page.locator("[data-replay]").count():
        page.wait_for_load_state("networkidle")


def dress(page: Page, theme: Theme, width: int) -> None:
    """Another theme and width, drawn."""
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def photograph(page: Page, path: Path, tallest: int = HEIGHT) -> None:
    """A picture of the page from its top, so many pixels of it at most."""
    height = min(tallest, page.evaluate("document.documentElement.scrollHeight"))
    size = page.viewport_size
    assert size is not None
    page.screenshot(
        path=path, full_page=True, clip={"x": 0, "y": 0, "width": size["width"], "height": height}
    )


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return found


def wide_tables(page: Page) -> list[str]:
    """The frames of tables, other than matrices, that have to be scrolled sideways."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".scroll:has(> table:not(.heat, .matrix, .dense))")]
        .filter((frame) => frame.scrollWidth > frame.clientWidth + 1)
        .map((frame) => `${frame.ariaLabel}: ${frame.scrollWidth - frame.clientWidth} px`)"""
    )
    return found


def small_texts(page: Page) -> list[str]:
    """The share of visible characters below MIN_SIZE, with examples; nothing when there are none."""
    found = page.evaluate(CHARACTERS, MIN_SIZE)
    if not found["small"]:
        return []
    examples = "; ".join(f"{name}: {text!r}" for name, text in found["examples"].items())
    return [f"{100 * found['small'] / found['all']:.1f} % of {found['all']} characters: {examples}"]


def invalid(page: Page) -> list[str]:
    """What HTML forbids: a word or the element for each."""
    found: list[str] = page.evaluate(INVALID)
    return found


def findings(page: Page, theme: Theme = "light") -> list[str]:
    """What axe-core has to say against the page, a line each; in the dark, against its colours alone."""
    colours = {"runOnly": {"type": "rule", "values": OF_COLOUR}}
    # What fingers find is no rule of axe-core's own choice yet, but one of Lighthouse's.
    all_rules = {"rules": {"target-size": {"enabled": True}}, "ofLayout": OF_LAYOUT}
    only = colours if theme == "dark" else all_rules
    results = page.evaluate("(options) => window.runAxe(options)", only)
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in results["violations"]
        for node in violation["nodes"][:3]
    ]
