"""Search, heatmaps, near misses and lists of runs with keyboard and scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from runs.analysis.estimate import Estimate
from runs.models import Agent
from runs.templatetags.heatmap_tags import dense_tables
from runs.views.result_pages.heatmap_view import Heatmap, HeatmapCell, HeatmapQuery, HeatmapRow, dense_map
from tasks.models import Repository, Task
from tests.site.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture
def site(served: Served) -> str:
    """The address of the demonstration world."""
    return served.url


def stay(page: Page) -> None:
    """Leaves a mark that a new page would not have."""
    page.evaluate("() => { window.stayed = true }")


def stayed(page: Page) -> bool:
    found: bool = page.evaluate("() => window.stayed === true")
    return found


def test_the_slash_key_focuses_the_search_box_and_enter_searches(page: Page, site: str) -> None:
    page.goto(site)
    page.locator("main").focus()
    page.keyboard.press("/")
    box = page.locator("[data-search]")
    expect(box).to_be_focused()
    page.keyboard.type("tide 1")
    expect(box).to_have_value("tide 1")  # and a slash in the box would be a letter
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=tide+1")
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()


def test_on_a_narrow_screen_a_button_opens_the_sections_without_a_script(
    chromium: Browser, site: str
) -> None:
    with chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{site}/methods/")
        sections = page.locator(".bar nav")
        expect(sections).to_be_hidden()

        page.get_by_text("Menu", exact=True).click()

        expect(sections.get_by_role("link")).to_have_text(
            ["Leaderboard", "Tasks", "Runs", "Insights", "Docs"]
        )
        expect(sections.locator("[aria-current]")).to_have_text("Docs")


@pytest.mark.parametrize("script", [True, False], ids=["with-script", "without-script"])
def test_a_question_mark_opens_what_its_number_is(chromium: Browser, site: str, *, script: bool) -> None:
    page = chromium.new_page(java_script_enabled=script, viewport={"width": 1024, "height": 700})
    page.goto(site)
    box = page.locator("#how-pass-rate")
    expect(box).to_be_hidden()
    mark = page.locator("thead button[popovertarget=how-pass-rate]").first
    mark.press("Enter")
    expect(box).to_be_visible()
    expect(box).to_contain_text("pass@1: the share of attempts that resolve their task")
    place = box.bounding_box()
    assert place is not None
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 1024
    assert place["y"] + place["height"] <= 700
    page.keyboard.press("Tab")
    expect(box.get_by_role("link", name="How it is computed")).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(mark).to_be_focused()
    page.close()


def test_filters_of_runs_are_folded_on_a_narrow_screen_and_those_in_use_are_named(
    page: Page, site: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}/runs/?outcome=resolved")
    outcome = page.get_by_label("Outcome")
    expect(outcome).to_be_hidden()
    expect(page.get_by_role("link", name="Remove the filter outcome: resolved")).to_be_visible()
    fold = page.locator(".more-filters summary")
    fold.click()
    expect(outcome).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 844})
    page.get_by_role("link", name="Remove the filter outcome: resolved").click()
    expect(outcome).to_have_value("")
    page.get_by_label("Ending").select_option("completed")
    expect(fold).to_have_text("More filters (1)")


@pytest.mark.parametrize("address", ["/runs/", "/runs/?task=harbour/tide-1"])
def test_the_first_row_of_a_list_is_on_the_first_screen(page: Page, site: str, address: str) -> None:
    for width, highest in ((1440, 330), (390, 400)):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{site}{address}")
        row = page.locator("tbody tr").first.bounding_box()
        assert row is not None
        assert row["y"] < highest


def test_on_a_phone_a_run_is_a_card_with_the_answer_first_and_nothing_scrolls_sideways(
    page: Page, site: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}/runs/?agent=alice&outcome=resolved&replay=here")
    table = page.get_by_role("region", name="Runs")
    assert table.evaluate("found => found.scrollWidth === found.clientWidth")
    row = table.locator("tbody tr").first
    tops = [
        row.locator(part).bounding_box()["y"]  # type: ignore[index]
        for part in (".c-outcome", ".c-task", "th", ".c-run")
    ]
    assert tops == sorted(tops)
    expect(row.locator(".c-cost")).to_be_visible()
    expect(row.locator(".c-tries")).to_be_hidden()
    page.get_by_role("link", name="Cost", exact=True).click()
    page.wait_for_url("**sort=-cost")


def test_a_heatmap_updates_in_place_and_back_undoes_it(page: Page, site: str) -> None:
    page.goto(f"{site}/repositories/harbour/")
    stay(page)
    page.locator("select[name=show]").select_option("tests")
    page.wait_for_url("**/repositories/harbour/?show=tests&order=difficulty")
    expect(page.locator("table.heat caption")).to_contain_text("share of tests")
    page.go_back()
    expect(page.locator("table.heat caption")).to_contain_text("Attempts that resolved")
    expect(page.locator("select[name=show]")).to_have_value("resolved")
    assert stayed(page)


def test_where_the_system_chooses_all_colours_rates_keep_theirs_and_one_section_is_marked(
    page: Page, site: str
) -> None:
    page.emulate_media(forced_colors="active")
    page.goto(f"{site}/repositories/harbour/")
    colours = page.locator(".legend .swatch:not(.h-none)").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(colours) == len(set(colours)) == 6
    lines = page.locator(".bar nav a").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).borderBottomColor)"
    )
    assert [line != "rgb(255, 255, 255)" for line in lines] == [False, True, False, False, False]


def test_the_slider_moves_the_threshold_in_place(page: Page, site: str) -> None:
    page.goto(f"{site}/near-misses/")
    stay(page)
    first = page.locator(".miss").count()
    slider = page.locator("input[type=range]")
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_url(re.compile(r"threshold=1\b"))
    expect(page.locator("[data-range-value]")).to_have_text("1")
    expect(page.locator(".miss").nth(first)).to_be_visible()
    assert stayed(page)


def test_a_failed_test_opens_and_the_last_edit_links_to_its_step(
    page: Page, site: str, served: Served
) -> None:
    page.context.add_cookies([served.session()])  # operators see what tests printed
    page.goto(f"{site}/near-misses/")
    miss = page.locator(".miss").first
    miss.locator(".failures summary").first.click()
    expect(miss.locator("pre.text").first).to_be_visible()
    miss.get_by_role("link", name=re.compile(r"^step \d+$")).click()
    page.wait_for_url(re.compile(r"/runs/\d+/.*#step-\d+$"))


def test_runs_are_sorted_and_searched_in_place(page: Page, site: str) -> None:
    page.goto(f"{site}/runs/")
    stay(page)
    page.get_by_role("link", name="Time", exact=True).click()
    page.wait_for_url("**/runs/?sort=-time")
    expect(page.locator("th[aria-sort=descending]")).to_contain_text("Time")
    page.get_by_label("Find", exact=True).fill("alice")
    page.get_by_label("Find", exact=True).press("Enter")
    page.wait_for_url("**/runs/?q=alice&sort=-time")
    expect(page.locator("tbody th").first).to_contain_text("Alice")
    assert stayed(page)


def test_a_filter_without_a_list_stays_until_it_is_removed(page: Page, site: str) -> None:
    page.goto(f"{site}/runs/?dataset=ports&sort=-time")
    page.get_by_label("Outcome").select_option("resolved")
    page.wait_for_url("**/runs/?dataset=ports&outcome=resolved&sort=-time")
    page.get_by_role("link", name="Newest first").click()
    page.wait_for_url("**/runs/?dataset=ports&outcome=resolved")
    page.get_by_label("Outcome").select_option("unresolved")
    page.wait_for_url("**/runs/?dataset=ports&outcome=unresolved")


def test_a_repository_or_board_opens_a_page_with_its_tasks(page: Page, site: str) -> None:
    page.goto(f"{site}/runs/?repository=harbour&task=harbour/tide-1")
    repository = page.get_by_label("Repository")
    tasks = page.locator("select[name=task] option")
    seldom_used = page.locator(".more-filters > summary")
    expect(tasks).to_have_text(["all", *(f"harbour/tide-{n}" for n in range(1, 5))])

    seldom_used.click()
    repository.select_option("shipyard")
    page.wait_for_url("**/runs/?repository=shipyard")
    expect(tasks).to_have_text(["all", *(f"shipyard/tide-{n}" for n in range(1, 4))])
    seldom_used.click()
    page.get_by_label("Board").select_option("ports")
    page.wait_for_url("**/runs/?dataset=ports&repository=shipyard")

    page.go_back()
    page.go_back()
    page.wait_for_url("**/runs/?repository=harbour&task=harbour/tide-1")
    expect(repository).to_have_value("harbour")
    expect(page.locator("select[name=task]")).to_have_value("harbour/tide-1")
    page.get_by_role("link", name="Remove the filter repository: harbour").click()
    page.wait_for_url("**/runs/?task=harbour%2Ftide-1")
    expect(tasks.filter(has_text="shipyard")).to_have_count(3)


def test_a_removed_filter_without_a_list_is_no_longer_counted(page: Page, site: str) -> None:
    page.goto(f"{site}/runs/?repository=shipyard&task=harbour/tide-1")
    fold = page.locator(".more-filters summary")
    expect(fold).to_have_text("More filters (2)")
    page.get_by_role("link", name="Remove the filter task: harbour/tide-1").click()
    expect(fold).to_have_text("More filters (1)")
    page.go_back()
    expect(fold).to_have_text("More filters (2)")


def test_all_agents_leads_to_the_changes_of_the_chosen_board(page: Page, site: str) -> None:
    page.goto(f"{site}/changes/?agent=alice")
    page.get_by_label("Board").select_option("ports")
    page.wait_for_url("**/changes/?dataset=ports&agent=alice")
    page.get_by_role("link", name="All agents").click()
    page.wait_for_url("**/changes/?dataset=ports")


def large_map() -> str:
    """A map of 30 tasks of which no agent solves the same: every even one is solved by Alice, and has replays."""
    alice = Agent(pk=1, slug="alice", name="Alice")
    solved = HeatmapCell("1/1", "h5", "1 of 1", is_tried=True, is_solved=True)
    failed = HeatmapCell("0/1", "h0", "0 of 1", is_tried=True)
    half, harbour = Estimate(0.5, 2), Repository(slug="harbour")
    rows = tuple(
        HeatmapRow(
            Task(pk=n, slug=f"tide-{n}", title=f"Tide {n}", repository=harbour),
            half,
            ((solved, failed)[n % 2],),
        )
        for n in range(30)
    )
    drawn = dense_map(Heatmap(((alice, half),), rows, half, {(2, 1): 7}), HeatmapQuery.from_query({}))
    assert drawn is not None
    return dense_tables(drawn)


def show_large_map(page: Page, site: str) -> list[tuple[float, float]]:
    """Puts it on a page. Returns the middle of each of its cells."""
    page.goto(f"{site}/repositories/harbour/")
    page.locator("main").evaluate("(main, html) => main.insertAdjacentHTML('afterbegin', html)", large_map())
    box = page.locator(".dense svg").bounding_box()
    assert box is not None
    x, y, width, height = (box[side] for side in ("x", "y", "width", "height"))
    return [(x + (n + 0.5) * width / 30, y + height / 2) for n in range(30)]


def test_a_cell_of_a_large_map_becomes_a_link_to_its_runs_when_it_is_pointed_at(
    page: Page, site: str
) -> None:
    cells = show_large_map(page, site)
    link = page.locator(".dense svg a")
    for place, href, title in (
        (1, "/runs/?agent=alice&task=harbour%2Ftide-1", "Alice, Tide 1: 0/1"),
        (2, "/runs/7/", "Alice, Tide 2: 1/1; replay"),
        (29, "/runs/?agent=alice&task=harbour%2Ftide-29", "Alice, Tide 29: 0/1"),
    ):
        page.mouse.move(*cells[place])
        expect(link).to_have_count(1)
        expect(link).to_have_attribute("href", href)
        expect(link.locator("title")).to_have_text(title)
    page.mouse.click(*cells[29])
    page.wait_for_url("**/runs/?agent=alice&task=harbour%2Ftide-29")


def test_one_tap_on_a_cell_of_a_large_map_opens_its_runs(chromium: Browser, site: str) -> None:
    page = chromium.new_page(has_touch=True, is_mobile=True, viewport={"width": 412, "height": 823})
    page.touchscreen.tap(*show_large_map(page, site)[4])
    page.wait_for_url("**/runs/?agent=alice&task=harbour%2Ftide-4")
    page.close()


TOPS = """() => [...document.querySelectorAll("h1, h2, main section, .bar .right")]
  .map((one) => one.getBoundingClientRect().y)"""


@pytest.mark.parametrize("path", ["/", "/compare/?a=alice&b=bob", "/analysis/tools/", "terminal"])
def test_nothing_moves_when_the_scripts_of_a_page_arrive(page: Page, served: Served, path: str) -> None:
    held: list[Route] = []
    arrived: list[Route] = []

    def hold(script: Route) -> None:
        if arrived:
            script.continue_()
        else:
            held.append(script)

    page.route(re.compile("/static/(js/(?!theme)|vendor/)[^?]*js$"), hold)
    page.set_viewport_size({"width": 412, "height": 823})
    page.goto(served.url + served.addresses().get(path, path), wait_until="commit")
    expect(page.locator("footer")).to_be_attached()
    before = page.evaluate(TOPS)

    arrived.extend(held)
    for script in held:
        script.continue_()
    page.wait_for_load_state()
    if path == "terminal":
        expect(page.locator(".ap-term-text")).to_be_visible()

    # On the first screens. The player's height follows its font.
    seen = [(top, now) for top, now in zip(before, page.evaluate(TOPS), strict=True) if top < 1200]
    assert [now for _, now in seen] == pytest.approx(
        [top for top, _ in seen], abs=8 if path == "terminal" else 1
    )
