"""The leaderboard with scripts: filters, browser history, selection and copying."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.site.serving import Served, made_once

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """The demonstration world."""
    with Served(tmp_path_factory.mktemp("world") / "data", copied=made_once(shared)) as served:
        yield served


@pytest.fixture
def board(page: Page, served: Served) -> Page:
    """The leaderboard. A mark on the window is lost if the page is reloaded."""
    page.goto(served.url)
    page.evaluate("() => { window.mark = true; }")
    return page


def is_same_page(page: Page) -> bool:
    found: bool = page.evaluate("() => window.mark === true")
    return found


def test_filters_and_chips_update_the_table_and_back_undoes_them(board: Page, served: Served) -> None:
    board.locator("select[name=repository]").select_option("shipyard")
    chip = board.get_by_role("link", name="Remove the filter repository: Shipyard")
    expect(chip).to_be_visible()
    board.get_by_role("link", name="Tests", exact=True).click()
    expect(board).to_have_url(f"{served.url}/?dataset=ports&repository=shipyard&sort=-tests")
    board.get_by_role("link", name="More columns").click()
    expect(board.get_by_role("link", name="Retry gain")).to_be_visible()

    chip.click()
    expect(chip).to_have_count(0)
    expect(board.locator("select[name=repository]")).to_have_value("")
    expect(board).to_have_url(f"{served.url}/?dataset=ports&sort=-tests&columns=all")

    board.go_back()
    expect(chip).to_be_visible()
    expect(board.locator("select[name=repository]")).to_have_value("shipyard")
    assert is_same_page(board)


def test_a_filter_changes_neither_order_nor_columns_nor_plot(board: Page, served: Served) -> None:
    board.get_by_role("link", name="time", exact=True).click()
    expect(board).to_have_url(f"{served.url}/?dataset=ports&against=time")
    board.get_by_text("More filters").click()
    board.locator("select[name=difficulty]").select_option("easy")

    expect(board).to_have_url(f"{served.url}/?dataset=ports&difficulty=easy&against=time")
    expect(board.get_by_role("link", name="time", exact=True)).to_have_attribute("aria-current", "true")


def test_limits_answer_at_once_and_keep_the_form(board: Page, served: Served) -> None:
    budget = board.get_by_label("$ per task, at most")
    budget.fill("0.3")
    budget.press("Enter")

    expect(board.locator("#chosen-heading")).to_be_visible()
    expect(board).to_have_url(f"{served.url}/?budget=0.3")
    expect(budget).to_have_value("0.3")
    assert is_same_page(board)

    board.get_by_role("link", name="Without these limits").click()
    expect(board.locator("#chosen-heading")).to_have_count(0)
    expect(budget).to_have_value("")


def test_on_a_phone_the_answer_and_the_first_row_are_on_the_first_screen(board: Page) -> None:
    board.set_viewport_size({"width": 390, "height": 844})

    first = board.locator(".top tbody tr").first.bounding_box()
    assert first is not None
    assert first["y"] + first["height"] <= 844
    card = board.locator(".board tbody tr").first.bounding_box()
    section = board.locator("#all").bounding_box()
    assert card is not None
    assert section is not None
    assert card["y"] - section["y"] < 400


def test_chosen_agents_stay_chosen_and_are_compared(board: Page, served: Served) -> None:
    board.get_by_label("Compare Alice").check()
    board.get_by_role("link", name="Agent", exact=True).click()
    expect(board).to_have_url(f"{served.url}/?dataset=ports&sort=name")
    expect(board.get_by_label("Compare Alice")).to_be_checked()
    board.get_by_label("Compare Bob").check()

    board.get_by_role("button", name="Compare 2 chosen").click()

    expect(board).to_have_url(f"{served.url}/compare/?a=alice&b=bob&dataset=ports")
    expect(board.get_by_role("heading", name="Alice against Bob")).to_be_visible()
    board.locator("select[name=difficulty]").select_option("hard")
    expect(board).to_have_url(f"{served.url}/compare/?a=alice&b=bob&dataset=ports&difficulty=hard")


def test_on_a_phone_agents_are_chosen_for_a_comparison_with_the_same_filters(
    board: Page, served: Served
) -> None:
    board.set_viewport_size({"width": 390, "height": 800})
    board.get_by_text("Limits and filters").click()
    board.locator("select[name=repository]").select_option("shipyard")
    expect(board.get_by_role("link", name="Remove the filter repository: Shipyard")).to_be_visible()
    for name in ("Alice", "Bob"):
        box = board.get_by_label(f"Compare {name}").locator("..").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        board.get_by_label(f"Compare {name}").check()

    board.get_by_role("button", name="Compare 2 chosen").click()

    expect(board).to_have_url(re.compile("/compare/[?]a=.*&b=.*&dataset=ports&repository=shipyard$"))
    expect(board.locator("select[name=repository]")).to_have_value("shipyard")


def test_a_table_is_copied_as_shown(board: Page, served: Served) -> None:
    board.context.grant_permissions(["clipboard-read", "clipboard-write"])
    board.goto(f"{served.url}/?sort=name")
    board.get_by_role("button", name="Copy Markdown").click()
    expect(board.get_by_role("button", name="Copy Markdown")).to_have_text("Copied")

    copied = board.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith("| Rank | Agent |")
    assert copied.index("Alice") < copied.index("Bob")


def test_a_permanent_link_has_the_same_view(board: Page, served: Served) -> None:
    board.get_by_text("More filters").click()
    board.locator("select[name=difficulty]").select_option("easy")
    expect(board.get_by_role("link", name="Remove the filter difficulty: easy")).to_be_visible()
    board.get_by_role("button", name="Permanent link").click()

    expect(board.get_by_text("Frozen on").first).to_be_visible()
    assert "/leaderboard/at/" in board.url
    expect(board.locator("select[name=difficulty]")).to_have_value("easy")
    board.get_by_role("link", name="Clear all").click()
    expect(board).to_have_url(re.compile(r"/leaderboard/at/[0-9a-f]{20}/$"))
    expect(board.get_by_text("Frozen on").first).to_be_visible()


def test_the_choice_stands_beside_the_plot_on_a_frozen_board_too(board: Page, served: Served) -> None:
    board.goto(served.url + served.addresses()["leaderboard-frozen"])
    plot, choice = board.locator(".picture").bounding_box(), board.locator(".choose.card").bounding_box()
    assert plot
    assert choice
    assert choice["y"] == plot["y"]
    assert choice["x"] > plot["x"] + plot["width"]
