"""What people come for: each errand begins at the first page, needs no shell, and takes at most three clicks.

A click is a click, a choice in a list, or the Enter key. Typing, ticking in a form and signing in are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.llm.scripted_server import ModelServer
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

    def type(self, label: str | re.Pattern[str], text: str) -> None:
        """Types into a field and presses Enter."""
        self.clicks += 1
        field = self.main.get_by_label(label).locator("visible=true").first
        field.fill(text)
        field.press("Enter")

    def search(self, text: str) -> None:
        """Types into the search box of the bar and presses Enter."""
        self.clicks += 1
        box = self.page.locator("[data-search]")
        box.fill(text)
        box.press("Enter")
        self.page.wait_for_url("**/search/?*")

    def fill(self, **values: str) -> None:
        """Types into the fields of these names."""
        for name, value in values.items():
            self.main.locator(f"[name={name}]").first.fill(value)

    def tick(self, name: str, count: int = 1) -> None:
        """Ticks the first boxes of this name."""
        self.page.evaluate(
            "document.querySelectorAll('.pick-list details').forEach((fold) => { fold.open = true; })"
        )
        for box in self.main.locator(f"[name={name}]").all()[:count]:
            box.check()

    def sees(self, text: str | re.Pattern[str]) -> None:
        """The page says this where a reader can see it."""
        expect(self.main.get_by_text(text).locator("visible=true").first).to_be_visible()

    def _click(self, target: Locator) -> None:
        self.clicks += 1
        target.locator("visible=true").first.click()


def choose_an_agent_by_budget_and_language(visitor: Visitor) -> None:
    visitor.choose("Language", "Python")
    visitor.type(re.compile("per task, at most"), "1")
    visitor.sees(re.compile("cannot be told apart|solves most"))


def know_what_a_hundred_issues_cost(visitor: Visitor) -> None:
    visitor.type("Issues a month", "100")
    visitor.sees("per month")


def know_what_changed(visitor: Visitor) -> None:
    visitor.follow("What changed")
    visitor.sees(re.compile("Lab bench"))


def cite_a_board(visitor: Visitor) -> None:
    visitor.press("Permanent link")
    visitor.unfold("BibTeX")
    visitor.sees(re.compile("@misc"))


def take_the_badge_of_an_agent(visitor: Visitor) -> None:
    visitor.follow("Alice", visitor.main)
    visitor.follow(re.compile("Badge and"))
    visitor.sees(re.compile("badge.svg"))


def embed_a_board(visitor: Visitor) -> None:
    visitor.follow("Embed")
    visitor.sees(re.compile("<iframe"))


def know_price_and_window_of_a_model(visitor: Visitor) -> None:
    visitor.search("Analytical")
    visitor.follow("Analytical", visitor.main)
    visitor.sees(re.compile("context", re.IGNORECASE))


def know_why_a_run_failed(visitor: Visitor) -> None:
    visitor.search("#52")
    visitor.follow(re.compile("52"), visitor.main)
    visitor.sees(re.compile("Unresolved: .* did not pass"))


def compare_with_the_closest_resolved_run(visitor: Visitor) -> None:
    visitor.search("#52")
    visitor.follow(re.compile("52"), visitor.main)
    visitor.follow("Compare with the closest resolved run")
    visitor.sees("Alice")


def find_every_run_that_mentions_a_text(visitor: Visitor) -> None:
    visitor.search('"tide.py" outcome:unresolved')
    visitor.sees(re.compile("runs match"))


def count_the_runs_that_mention_a_text_by_agent(visitor: Visitor) -> None:
    visitor.search("tide.py")
    visitor.follow("Counts by agent")
    visitor.sees("Matching runs")


def read_a_run_from_top_to_bottom(visitor: Visitor) -> None:
    visitor.search("#151")
    visitor.follow(re.compile("151"), visitor.main)
    visitor.follow("Transcript")
    visitor.sees(re.compile("300 steps|Step 1"))


def reproduce_a_run(visitor: Visitor) -> None:
    visitor.search("#151")
    visitor.follow(re.compile("151"), visitor.main)
    visitor.unfold("Reproduce this run")
    visitor.sees(re.compile("manage.py|harness"))


def see_near_misses_with_their_last_edits(visitor: Visitor) -> None:
    visitor.follow("All near misses")
    visitor.unfold("What it changed")
    visitor.sees("tide.py")


def find_tasks_that_no_agent_solves(visitor: Visitor) -> None:
    visitor.follow("Tasks")
    visitor.choose("Solved", "by no agent")
    visitor.sees("No task matches")  # here each is solved


def know_what_a_success_costs(visitor: Visitor) -> None:
    visitor.follow("Insights")
    visitor.follow("What does a success cost?")
    visitor.sees(re.compile("Pareto"))


def compare_two_agents(visitor: Visitor) -> None:
    for name in ("Alice", "Bob"):
        visitor.clicks += 1
        visitor.main.get_by_label(f"Compare {name}").locator("visible=true").check()
    visitor.press(re.compile("Compare 2 chosen"))
    visitor.sees(re.compile("Alice"))


def see_the_replays_of_two_agents_at_a_task_beside_each_other(visitor: Visitor) -> None:
    visitor.search("alice bob tide-1")
    visitor.follow("Alice and Bob", visitor.main)
    visitor.sees("Two runs of one task")


def see_which_agent_solves_which_task(visitor: Visitor) -> None:
    visitor.follow("Insights")
    visitor.follow("Heatmap")
    visitor.sees("Alice")


def know_what_a_number_means(visitor: Visitor) -> None:
    visitor.press(re.compile("What this is: pass@1"))
    visitor.sees("How it is computed")


def send_results(visitor: Visitor) -> None:
    visitor.follow("Take part")
    visitor.sees("Send results")


def ask_an_assistant(visitor: Visitor) -> None:
    visitor.follow("Docs")
    visitor.follow("Ask with an assistant", visitor.main)
    visitor.sees(re.compile("Model Context Protocol"))


def follow_the_results_of_an_agent(visitor: Visitor) -> None:
    visitor.follow("Alice", visitor.main)
    expect(visitor.page.locator("link[href*='/agents/alice/feed.atom']")).to_have_count(1)


def find_the_first_edit_of_a_file_who_graded_it_and_cite_the_run(visitor: Visitor) -> None:
    visitor.search("#52")
    visitor.follow(re.compile("52"), visitor.main)
    visitor.sees(re.compile("First changed in step"))
    visitor.sees(re.compile("This site graded the patch"))
    visitor.unfold("Cite this run")
    visitor.sees(re.compile("@misc"))


def report_a_mistake(visitor: Visitor) -> None:
    visitor.follow("Report a mistake")
    visitor.sees("A mistake")


def know_the_licence_of_the_data(visitor: Visitor) -> None:
    visitor.follow("Data and API")
    visitor.sees(re.compile("each dataset has its own"))


def run_a_model_of_ones_own_and_know_its_limits(visitor: Visitor) -> None:
    visitor.follow("Take part")
    visitor.sees(re.compile("A model on your own machine"))
    visitor.follow("all limits")
    visitor.sees("Limits of a run")


def retry_the_failed_runs_of_an_evaluation(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow("Retry 3 runs…")
    visitor.press("Retry 3 runs")
    visitor.sees("3 runs are tried again")


def cancel_an_evaluation(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow(re.compile("^Cancel… *Flood$"))
    visitor.press("Cancel the evaluation")
    visitor.sees(re.compile("open runs are cancelled or will stop soon"))


def add_a_model_and_see_its_test(visitor: Visitor, site: Served) -> None:
    with ModelServer([{"text": "ready", "usage": {"prompt": 20, "completion": 1}}]) as server:
        visitor.follow("Operate")
        visitor.follow("Add a model")
        visitor.main.get_by_label("A server of your own").check()
        visitor.fill(model_name="ready-1", api_base=server.url, input_price="1", output_price="2")
        visitor.press("Save and test")
        visitor.sees(re.compile("No worker has taken it yet"))
        site.run("manage.py", "judge", "--burst", "--workers", "1")
        visitor.sees("Make an agent of it")


def see_spending_by_model_and_day(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow("By model and day")
    visitor.sees("By day")
    visitor.sees("By model")


def make_a_token_for_uploads(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow("Upload tokens")
    visitor.fill(name="The Lab", dataset="ports")
    visitor.press("Make a token")
    visitor.sees(re.compile("shown once|not shown again|only now", re.IGNORECASE))


def start_an_evaluation_with_its_estimate_in_sight(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow("Start an evaluation")
    visitor.fill(title="Neap", attempts="2")
    visitor.tick("agents")
    visitor.tick("tasks", 3)
    visitor.sees("6 runs")
    expect(visitor.main.locator("[data-part=estimate]")).to_contain_text("about")
    expect(visitor.main.locator("[data-part=estimate]")).to_be_in_viewport()
    visitor.press("Start")
    visitor.sees(re.compile("Neap is started: 6 runs"))


def start_an_evaluation_again_with_its_judges(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow(re.compile("^Again… *Spring tide$"))
    expect(visitor.main.get_by_label("Panel of judges").locator("option:checked")).to_have_text(
        "Harbour panel"
    )
    visitor.fill(judging_budget_usd="")  # its judge has no price
    visitor.press("Start")
    visitor.sees(re.compile(r"Spring tide \(again\) is started: 275 runs"))


def add_an_agent(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow("Add an agent")
    visitor.fill(name="Night watch", settings='{"iterations": 5}')
    visitor.main.get_by_label("Model").select_option(label="Analytical")
    visitor.press("Save")
    visitor.sees("Night watch is stored.")


def take_an_agent_out_of_the_start(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow("Agents")
    visitor.press(re.compile("^Disable *Carol$"))
    visitor.sees("Carol is offered no more.")


def import_what_others_sent(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow("Import or discard")
    visitor.press("Import")
    visitor.sees("It is imported now.")


def publish_a_trial(visitor: Visitor, site: Served) -> None:
    make_it_one = "Evaluation.objects.filter(title='Spring tide').update(listed=False)"
    site.run("manage.py", "shell", "--verbosity=0", "--command", make_it_one)
    visitor.follow("Operate")
    visitor.follow(re.compile("^Publish… *Spring tide$"))
    visitor.press("Publish")
    visitor.sees("its runs count on the leaderboard")


def have_judges_review_an_evaluation_that_ended(visitor: Visitor, _site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow(re.compile("^Judge… *Long haul$"))
    visitor.sees("Estimate")
    visitor.press("Start")
    visitor.sees(re.compile("is started: .* reviews"))


def hide_a_dataset_and_see_that_readers_find_it_no_more(visitor: Visitor, site: Served) -> None:
    visitor.follow("Operate")
    visitor.follow("Hide or show a dataset")
    visitor.sees("Hiding it takes off the public pages:")
    visitor.press(re.compile("^Hide *Lab bench$"))
    visitor.sees("is hidden now")
    assert visitor.page.context.browser is not None
    reader = visitor.page.context.browser.new_page()
    response = reader.goto(f"{site.url}/sources/lab-bench/")
    assert response is not None
    assert response.status == 404
    reader.context.close()


READER = (
    choose_an_agent_by_budget_and_language,
    know_what_a_hundred_issues_cost,
    know_what_changed,
    cite_a_board,
    take_the_badge_of_an_agent,
    embed_a_board,
    know_price_and_window_of_a_model,
    know_why_a_run_failed,
    compare_with_the_closest_resolved_run,
    find_every_run_that_mentions_a_text,
    count_the_runs_that_mention_a_text_by_agent,
    read_a_run_from_top_to_bottom,
    reproduce_a_run,
    see_near_misses_with_their_last_edits,
    find_tasks_that_no_agent_solves,
    know_what_a_success_costs,
    compare_two_agents,
    see_the_replays_of_two_agents_at_a_task_beside_each_other,
    see_which_agent_solves_which_task,
    know_what_a_number_means,
    send_results,
    ask_an_assistant,
    follow_the_results_of_an_agent,
    find_the_first_edit_of_a_file_who_graded_it_and_cite_the_run,
    report_a_mistake,
    know_the_licence_of_the_data,
    run_a_model_of_ones_own_and_know_its_limits,
)
# In this order: the last ones take away what the others need.
OPERATOR = (
    see_spending_by_model_and_day,
    make_a_token_for_uploads,
    start_an_evaluation_with_its_estimate_in_sight,
    start_an_evaluation_again_with_its_judges,
    add_a_model_and_see_its_test,
    add_an_agent,
    take_an_agent_out_of_the_start,
    import_what_others_sent,
    publish_a_trial,
    have_judges_review_an_evaluation_that_ended,
    retry_the_failed_runs_of_an_evaluation,
    cancel_an_evaluation,
    hide_a_dataset_and_see_that_readers_find_it_no_more,
)
Errand = Callable[[Visitor], None]
OperatorErrand = Callable[[Visitor, Served], None]


@pytest.mark.parametrize("errand", READER, ids=lambda errand: errand.__name__)
def test_a_reader_needs_at_most_three_clicks(errand: Errand, page: Page, served: Served) -> None:
    visitor = Visitor(page, served.url)

    errand(visitor)

    assert visitor.clicks <= MAX_CLICKS


@pytest.mark.parametrize("errand", OPERATOR, ids=lambda errand: errand.__name__)
def test_an_operator_needs_at_most_three_clicks(errand: OperatorErrand, page: Page, changed: Served) -> None:
    page.context.add_cookies([changed.session()])
    visitor = Visitor(page, changed.url)

    errand(visitor, changed)

    assert visitor.clicks <= MAX_CLICKS
