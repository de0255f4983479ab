"""A long replay in a real browser: size, memory, keys and URLs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.replay import create_runs, visit, walk_through
from tests.runs.data.replay.tapes import step, write
from tests.site.serving import Served, made_once

pytestmark = [pytest.mark.browser, pytest.mark.redis]

STEPS = 700
MAX_BYTES = 250_000
MAX_ROWS = 400


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """A site without workers."""
    with Served(tmp_path_factory.mktemp("replay") / "data", copied=made_once(shared, made=False)) as served:
        yield served


@pytest.fixture(scope="module")
def runs(served: Served) -> tuple[str, ...]:
    """The addresses of runs of 10 steps, of 700 steps and 4 MB, and of 5 steps."""
    numbers = create_runs(served.data, [(10, 0.1), (STEPS, 4.0), (5, 0.01)])
    return tuple(f"{served.url}/runs/{number}/" for number in numbers)


@pytest.fixture
def long(page: Page, runs: tuple[str, ...]) -> Page:
    """The long run, at step 350."""
    page.goto(f"{runs[1]}?step=350")
    page.wait_for_load_state("networkidle")
    return page


def shown(page: Page) -> int:
    return int(page.locator("[data-pane]").get_attribute("data-number") or 0)


def open_filters(page: Page) -> None:
    page.get_by_text("Search and filter the steps").click()


def expect_step(page: Page, number: int) -> None:
    """The step is shown, named by the address, and marked in the outline, where it can be seen."""
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", str(number))
    row = page.locator("[data-rows] a[aria-current=step]")
    expect(row).to_have_attribute("data-step", str(number))
    expect(row).to_be_in_viewport()
    assert f"step={number}" in page.url


def test_loads_as_few_bytes_as_a_short_one(chromium: Browser, runs: tuple[str, ...]) -> None:
    short, long = (visit(chromium, f"{address}?step=5").bytes for address in runs[:2])
    assert long <= MAX_BYTES
    assert long <= short + 30_000


def test_uses_bounded_memory_after_many_jumps_and_the_whole_outline(
    chromium: Browser, runs: tuple[str, ...]
) -> None:
    moved = walk_through(chromium, f"{runs[1]}?step=5", STEPS, look=120)
    assert moved.rows <= MAX_ROWS
    assert moved.heap_after - moved.heap < 12


IN_VIEW = """
(outline) => {
  const { top, bottom } = outline.getBoundingClientRect();
  const links = [...outline.querySelectorAll("a[data-step]")];
  const rows = links.map((row) => [row.getBoundingClientRect(), row.dataset.step]);
  const seen = rows.filter(([box]) => box.bottom > top + 1 && box.top < bottom - 1);
  if (!seen.length || seen[0][0].top > top + 1 || seen.at(-1)[0].bottom < bottom - 2) return null;
  return seen.map(([, step]) => Number(step));
}
"""


def test_every_row_loads_when_the_outline_is_scrolled(long: Page) -> None:
    seen: set[int] = set()
    outline = long.locator("[data-outline]").element_handle()
    assert outline is not None
    for top in range(0, outline.evaluate("(outline) => outline.scrollHeight"), 300):
        outline.evaluate("(outline, top) => { outline.scrollTop = top }", top)
        # `wait_for_function` would evaluate a string in the page, which its policy forbids from the second look on.
        deadline = time.monotonic() + 10
        while not (rows := outline.evaluate(IN_VIEW)) and time.monotonic() < deadline:
            long.wait_for_timeout(30)
        seen.update(rows or ())
    assert seen == set(range(1, STEPS + 1))


def test_keys_move_by_step_by_edit_by_failure_and_to_a_number(long: Page) -> None:
    for key, number in [("j", 351), ("ArrowRight", 352), ("k", 351), ("e", 354)]:
        long.keyboard.press(key)
        expect_step(long, number)
    long.keyboard.press("f")
    expect(long.locator("[data-step-pane] .chip.bad").first).to_be_visible()
    long.keyboard.press("g")
    long.keyboard.type("7")
    long.keyboard.press("Enter")
    expect_step(long, 7)
    long.go_back()
    expect(long.locator("[data-step-pane] .chip.bad").first).to_be_visible()
    long.keyboard.press("?")
    expect(long.get_by_role("dialog", name="Keys")).to_be_visible()


def test_no_fast_key_press_is_lost(long: Page) -> None:
    for key in "jjjjjkjj":
        long.keyboard.press(key)
    expect_step(long, 356)


def test_keys_are_plain_letters_in_a_field(long: Page) -> None:
    open_filters(long)
    long.get_by_role("combobox", name="File").fill("jjj")
    long.get_by_role("combobox", name="File").press("k")
    expect(long.get_by_role("combobox", name="File")).to_have_value("jjjk")
    assert shown(long) == 350


def test_the_search_marks_matches_and_steps_through_them(long: Page) -> None:
    long.keyboard.press("/")
    long.keyboard.type("MARK-42")
    long.keyboard.press("Enter")
    expect_step(long, 420)
    expect(long.locator(".result")).to_have_text("11 of 700 steps")
    expect(long.locator("[data-rows] mark").first).to_have_text("mark-42")
    assert "q=MARK-42" in long.url
    assert long.evaluate("CSS.highlights.get('found').size") >= 1
    long.keyboard.press("Escape")
    for key, number in [("n", 421), ("p", 420), ("p", 42)]:
        long.keyboard.press(key)
        expect_step(long, number)
    long.go_back()
    expect_step(long, 421)


def test_filters_are_in_the_url_and_back_undoes_them(long: Page) -> None:
    open_filters(long)
    long.get_by_label("Tool").select_option("kind:edit")
    expect(long.locator(".result")).to_have_text("175 of 700 steps")
    long.get_by_label("edits").check()
    long.wait_for_url("**edits=1**")
    assert "tool=kind%3Aedit" in long.url
    expect_step(long, 350)
    long.go_back()
    long.go_back()
    expect(long.locator(".result")).to_have_text("700 steps")
    expect(long.get_by_label("Tool")).to_have_value("")
    expect(long.get_by_label("edits")).not_to_be_checked()


def test_the_page_is_restored_after_navigating_back(long: Page) -> None:
    open_filters(long)
    long.get_by_label("Tool").select_option("kind:edit")
    expect(long.locator(".result")).to_have_text("175 of 700 steps")
    long.keyboard.press("n")
    expect_step(long, 354)
    long.get_by_role("link", name="Docs", exact=True).click()
    long.wait_for_url("**/docs/")
    long.go_back()
    expect_step(long, 354)
    expect(long.locator(".result")).to_have_text("175 of 700 steps")
    expect(long.get_by_label("Tool")).to_have_value("kind:edit")
    long.keyboard.press("n")
    expect_step(long, 358)


def test_a_filter_without_matches_has_a_note_and_can_be_cleared(long: Page) -> None:
    open_filters(long)
    long.get_by_label("Search").last.fill("kraken")
    expect(long.get_by_role("heading", name="No step matches")).to_be_visible()
    long.get_by_role("link", name="Show all steps").click()
    expect(long.locator(".result")).to_have_text("700 steps")
    expect(long.get_by_label("Search").last).to_have_value("")


def test_the_strip_and_the_outline_link_to_their_steps(long: Page) -> None:
    box = long.locator("[data-strip]").bounding_box()
    assert box
    long.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + box["height"] / 2)
    expect(long.locator("[data-step-pane]")).not_to_have_attribute("data-step-pane", "350")
    number = shown(long)
    assert 55 < number < 85
    expect_step(long, number)
    long.locator(f"[data-rows] a[data-step='{number + 2}']").click()
    expect_step(long, number + 2)


def test_links_to_steps_work_both_ways(page: Page, runs: tuple[str, ...]) -> None:
    page.goto(f"{runs[1]}#step-600")
    expect_step(page, 600)
    page.evaluate("location.hash = '#step-3'")
    expect_step(page, 3)


def test_focus_stays_in_the_step_and_its_title_is_announced(long: Page) -> None:
    long.locator("[data-step-pane]").focus()
    long.keyboard.press("j")
    expect(long.locator("[data-step-pane]")).to_be_focused()
    expect(long.locator("[data-status]")).to_have_text("Step 351 run_terminal_cmd pytest -q src/port/c.py")


def test_without_scripts_links_and_the_form_work(chromium: Browser, runs: tuple[str, ...]) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{runs[1]}?step=350")
    assert page.locator("[data-rows] li").count() == 80
    page.get_by_role("link", name="later steps").click()
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "401")
    open_filters(page)
    page.get_by_label("Tool").select_option("kind:edit")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".result")).to_have_text("175 of 700 steps")
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "2")
    context.close()


class Going:
    """A run of five steps that goes on, as a worker's hand would move it."""

    def __init__(self, data: Path, url: str) -> None:
        self.url = url
        self._pk = int(url.rstrip("/").rpartition("/")[2])
        self._data = data
        self.set(state="running", outcome="")

    def set(self, **values: object) -> None:
        """Changes its row."""
        with closing(sqlite3.connect(self._data / "db.sqlite3", timeout=30)) as database, database:
            columns = ", ".join(f"{name} = ?" for name in values)
            database.execute(f"UPDATE runs_run SET {columns} WHERE id = ?", (*values.values(), self._pk))
            row = database.execute("SELECT directory FROM runs_run WHERE id = ?", (self._pk,)).fetchone()
        self.directory: Path = self._data / "runs" / row[0]

    def act(self, *numbers: int) -> None:
        """Records further steps."""
        write(self.directory, [step(number, "read_file", {"path": "tide.py"}) for number in numbers])


def test_a_running_replay_updates_through_a_retry_to_the_end(
    page: Page, served: Served, runs: tuple[str, ...]
) -> None:
    run = Going(served.data, runs[2])
    page.goto(f"{run.url}?step=5")
    page.evaluate("window.loadedOnce = true")
    page.get_by_text("Tokens and cost over the steps").click()
    expect(page.locator("[data-timeline] tbody tr")).to_have_count(5)
    run.act(6, 7)
    expect_step(page, 7)  # who reads the last step is taken along
    expect(page.locator(".result")).to_have_text("7 steps")
    expect(page.get_by_text("n 7 model calls")).to_be_visible()
    expect(page.locator("[data-timeline] tbody tr")).to_have_count(7)  # and what was opened stays open

    page.goto(f"{run.url}?step=2")
    page.evaluate("window.loadedOnce = true")
    run.act(8)
    expect(page.locator(".result")).to_have_text("8 steps")
    expect(page.locator("[data-rows] li")).to_have_count(8)
    assert shown(page) == 2  # who reads another one is not

    first = run.directory
    run.set(tries=2, directory=f"{first.relative_to(served.data / 'runs').parent}/try-2")
    run.act(1, 2, 3)
    expect(page.locator("[data-rows] li")).to_have_count(3)
    run.set(state="finished", outcome="unresolved")
    expect(page.locator("[data-live-chip]")).to_have_count(0)
    expect(page.locator("[data-head]")).to_contain_text("4 of 5 tests")
    assert page.evaluate("window.loadedOnce") is True
