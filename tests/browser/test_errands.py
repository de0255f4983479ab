"""What people come for: each errand begins at the first page, needs no shell, and takes at most three clicks.

A click is a click, a choice in a list, or the Enter key. Typing is none, and neither is signing in.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.site.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.redis]

MAX_CLICKS = 3


class Visitor:
    """One who starts at the first page, and whose clicks are counted."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.clicks = 0
        page.goto(site)

    @property
    def main(self) -> Locator:
        """The page below the bar."""
        return self.page.locator("main")

    def follow(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        """Clicks the first link of this name."""
        self._click((within or self.page.locator("body")).get_by_role("link", name=name, exact=True))

    def press(self, name: str | re.Pattern[str]) -> None:
        """Clicks the first button of this name."""
        self._click(self.main.get_by_role("button", name=name, exact=True))

    def unfold(self, name: str) -> None:
        """Opens what is folded behind this text."""
        self._click(self.main.locator("summary").filter(has_text=name))

    def choose(self, label: str, option: str) -> None:
        """Chooses in a list."""
        self.clicks += 1
        self.main.get_by_label(label).first.select_option(label=option)

    def search(self, text: str) -> None:
        """Types into the search box of the bar and presses Enter."""
        self.clicks += 1
        box = self.page.locator("[data-search]")
        box.fill(text)
        box.press("Enter")
        self.page.wait_for_url("**/search/?*")

    def sees(self, text: str | re.Pattern[str]) -> None:
        """The page says this where a reader can see it."""
        expect(self.main.get_by_text(text).locator("visible=true").first).to_be_visible()

    def _click(self, target: Locator) -> None:
        self.clicks += 1
        target.locator("visible=true").first.click()


def choose_an_agent_by_budget(visitor: Visitor) -> None:
    visitor.main.get_by_label(re.compile("per task, at most")).first.fill("1")
    visitor.choose("Language", "Python")
    visitor.press("Choose")
    visitor.sees(re.compile("cannot be told apart|Choose "))


def cost_of_a_hundred_issues(visitor: Visitor) -> None:
    visitor.main.get_by_label("Issues a month").first.fill("100")
    visitor.press("Choose")
    visitor.sees(re.compile(r"100 issues"))


def why_a_run_failed(visitor: Visitor) -> None:
    visitor.search("#52")
    visitor.follow(re.compile("52"), visitor.main)
    visitor.sees(re.compile("Unresolved: .* did not pass"))


def closest_resolved_run(visitor: Visitor) -> None:
    visitor.search("#52")
    visitor.follow(re.compile("52"), visitor.main)
    visitor.follow("Compare with the closest resolved run")
    visitor.sees("Alice")


def read_a_run_through(visitor: Visitor) -> None:
    visitor.follow("Runs")
    visitor.follow("#151")
    visitor.follow("Transcript")
    visitor.sees("Step 1")


def reproduce_a_run(visitor: Visitor) -> None:
    visitor.follow("Runs")
    visitor.follow("#151")
    visitor.unfold("Reproduce")
    visitor.sees(re.compile("start_evaluation"))


def near_miss_with_its_last_edit(visitor: Visitor) -> None:
    visitor.follow("All near misses")
    visitor.sees("Replay the best")


def model_price_and_window(visitor: Visitor) -> None:
    visitor.search("Analytical")
    visitor.follow("Analytical", visitor.main)
    visitor.sees(re.compile("context", re.IGNORECASE))


def tasks_that_no_agent_solves(visitor: Visitor) -> None:
    visitor.follow("Tasks")
    visitor.follow(re.compile("no agent"), visitor.main)
    visitor.sees(re.compile("0 of"))


def same_model_in_another_harness(visitor: Visitor) -> None:
    visitor.follow("Insights")
    visitor.follow("What does the harness change?")
    visitor.sees("What does the harness change?")


def compare_two_agents(visitor: Visitor) -> None:
    visitor.main.get_by_label("Compare Alice").check()
    visitor.main.get_by_label("Compare Bob").check()
    visitor.clicks += 2
    visitor.press(re.compile("Compare 2 chosen"))
    visitor.sees(re.compile("Alice"))


def all_runs_of_one_cell(visitor: Visitor) -> None:
    visitor.follow("Tasks")
    visitor.follow("Repositories", visitor.main)
    visitor.follow("Lighthouse keeper", visitor.main)
    visitor.sees("Tide 1")


def what_a_number_means(visitor: Visitor) -> None:
    visitor.press(re.compile("What this is: pass@1"))
    visitor.sees(re.compile("How it is computed"))


ERRANDS = (
    choose_an_agent_by_budget,
    cost_of_a_hundred_issues,
    why_a_run_failed,
    closest_resolved_run,
    read_a_run_through,
    reproduce_a_run,
    near_miss_with_its_last_edit,
    model_price_and_window,
    tasks_that_no_agent_solves,
    same_model_in_another_harness,
    compare_two_agents,
    all_runs_of_one_cell,
    what_a_number_means,
)


@pytest.mark.parametrize("errand", ERRANDS, ids=lambda errand: errand.__name__)
def test_a_reader_needs_at_most_three_clicks(
    errand: Callable[[Visitor], None], page: Page, served: Served
) -> None:
    visitor = Visitor(page, served.url)

    errand(visitor)

    assert visitor.clicks <= MAX_CLICKS
