"""Hostile model output is only text in a real browser."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from harness.dataset import load_dataset
from harness.limits import Ending
from harness.records import (
    FileEdit,
    Flag,
    Grade,
    Identity,
    Metrics,
    Outcome,
    RunRecorder,
    RunSummary,
    TestResult,
    TestStatus,
    ToolCall,
    ToolResult,
)
from tests.browser.site import ROOT
from tests.harness.worlds import png
from tests.site.serving import Served, made_once

pytestmark = [pytest.mark.browser, pytest.mark.redis]

SCRIPT = "<script>window.owned = true; alert(1)</script>"
ATTACKS = (
    SCRIPT,
    "</pre></code></textarea></script><img src=x onerror='window.owned = true'>",
    "[click](javascript:window.owned=true) javascript:alert(1) <a href='javascript:window.owned=true'>x</a>",
    "\x1b[31mred\x1b[0m \x1b]8;;https://example.org/\x07link\x1b]8;;\x07 \x1b[2J\x07",
    "{{ 7 * 7 }} {% debug %} ${7*7}",
    "a\u202etxt.exe \u2066hidden\u2069 \ud800 \x00 \ufeff",
)


def record_a_hostile_run(directory: Path) -> None:
    """Every field that an agent or its tests can fill holds an attack; one result is a line of 5 MB."""
    repository = load_dataset(ROOT / "datasets/starter").repository("netflow")
    task = repository.tasks[0]
    identity = Identity(
        run_id="hostile/1",
        evaluation="hostile",
        dataset="starter",
        dataset_version="1.0.0",
        repository=repository.slug,
        task=task.slug,
        task_digest=task.digest,
        agent="hostile",
        agent_name=f"Hostile {SCRIPT}",
        agent_kind="ide",
        model=SCRIPT,
        attempt=1,
    )
    recorder = RunRecorder(directory, identity)
    for number, attack in enumerate(ATTACKS, 1):
        call = ToolCall(f"c{number}{attack}", f"edit_file{attack}", {"explanation": attack, "path": attack})
        result = ToolResult(call.id, attack, number % 2 == 0, 0.1, artifacts=(attack, "../../x.png"))
        step = recorder.step(
            "agent",
            attack,
            reasoning=attack,
            calls=[call],
            results=[result],
            metrics=Metrics(10, 10, finish_reason=attack, retries=(attack,)),
        )
        recorder.edits(
            step.step_id,
            [FileEdit(f"{attack}.py", "modified", 1, 1, diff=f"@@ -1 +1 @@\n-{attack}\n+{attack}\n")],
        )
    long = ToolCall("long", "run_terminal_cmd", {"command": "x" * 5_000_000, "explanation": "Long."})
    recorder.step(
        "agent", "y" * 5_000_000, calls=[long], results=[ToolResult("long", "z" * 5_000_000, True, 1.0)]
    )
    shot = recorder.artifact(png(640, 360) + SCRIPT.encode())
    look = ToolCall("look", "ui_test", {"explanation": "See.", "actions": [{"action": "screenshot"}]})
    recorder.step("agent", "", calls=[look], results=[ToolResult("look", "picture 1", True, 1.0, (shot,))])
    recorder.patch(b"diff --git a/x b/x\n+\xff\xfe" + SCRIPT.encode() + b"\n")
    tests = tuple(
        TestResult(f"{attack} {n}", TestStatus.FAILED, 0.1, attack) for n, attack in enumerate(ATTACKS)
    )
    grade = Grade(False, tests, 1, 1.0, SCRIPT, log="\n".join(ATTACKS))
    recorder.grade(grade)
    recorder.summary(
        replace(
            SUMMARY,
            identity=identity,
            tests_total=len(tests),
            tests_passed=0,
            detail=SCRIPT,
            grading_reason=SCRIPT,
            flags=(Flag(SCRIPT, SCRIPT, SCRIPT),),
        )
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """A site without workers, with the dataset of the hostile run."""
    data = tmp_path_factory.mktemp("hostile-output") / "data"
    with Served(data, copied=made_once(shared, made=False)) as served:
        served.run("manage.py", "load_dataset", str(ROOT / "datasets/starter"))
        yield served


@pytest.fixture(scope="module")
def hostile_run(site: Served) -> int:
    """The number of the hostile run on the site, recorded in its own directory: imports refuse most of it."""
    directory = site.data / "runs" / "hostile"
    record_a_hostile_run(directory / "run")
    site.run("manage.py", "import_runs", str(directory))
    with closing(sqlite3.connect(site.data / "db.sqlite3")) as database:
        (run,) = database.execute("SELECT id FROM runs_run WHERE key = 'hostile/1'").fetchone()
    return int(run)


def test_no_script_runs_and_every_step_stays_readable(page: Page, site: Served, hostile_run: int) -> None:
    page.goto(f"{site.url}/runs/{hostile_run}/?step=1")
    for number, attack in enumerate(ATTACKS, 1):
        expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", str(number))
        if attack is SCRIPT:
            expect(page.locator("[data-step-pane]")).to_contain_text(SCRIPT)
        page.keyboard.press("j")
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", str(len(ATTACKS) + 1))
    assert page.evaluate("window.owned") is None
    assert page.locator("a[href^='javascript:']").count() == 0
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("number", range(1, len(ATTACKS) + 2))
def test_no_script_runs_in_any_format_of_a_step(
    page: Page, site: Served, hostile_run: int, number: int
) -> None:
    home = f"{site.url}/runs/{hostile_run}/"
    for form in [
        f"?step={number}&diff=split",
        f"steps/{number}/",
        f"steps/{number}.md",
        f"steps/{number}/raw.json",
    ]:
        page.goto(home + form)
        assert page.evaluate("window.owned") is None
        assert page.locator("a[href^='javascript:']").count() == 0


@pytest.mark.parametrize("part", ["timeline/", "end/?diff=split"])
def test_no_script_runs_in_what_a_run_has_once(page: Page, site: Served, hostile_run: int, part: str) -> None:
    page.goto(f"{site.url}/runs/{hostile_run}/{part}")
    assert page.evaluate("window.owned") is None


def test_lines_of_five_megabytes_are_cut_and_the_page_stays_usable(
    page: Page, site: Served, hostile_run: int
) -> None:
    page.goto(f"{site.url}/runs/{hostile_run}/?step={len(ATTACKS) + 1}")
    assert len(page.content()) < 1_000_000
    page.keyboard.press("k")
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", str(len(ATTACKS)))


@pytest.mark.parametrize(
    "address",
    [
        "/?dataset=starter",
        "/runs/?agent=hostile",
        "/agents/hostile/",
        "/near-misses/?threshold=1&dataset=starter",
    ],
)
def test_no_script_runs_in_lists(page: Page, site: Served, hostile_run: int, address: str) -> None:
    page.goto(f"{site.url}{address}")
    expect(page.get_by_role("main")).to_contain_text("Hostile <script>")
    assert page.evaluate("window.owned") is None


SUMMARY = RunSummary(
    identity=Identity("", "", "", "", "", "", "", "", "", "", 1),
    outcome=Outcome.UNRESOLVED,
    ending=Ending.COMPLETED,
    detail="",
    started_at="2026-03-01T10:00:00.000Z",
    finished_at="2026-03-01T10:01:00.000Z",
    prepare_seconds=0.1,
    act_seconds=1.0,
    grade_seconds=1.0,
    steps=7,
    iterations=7,
    tool_calls=7,
    failed_calls=3,
    prompt_tokens=60,
    completion_tokens=60,
    cached_tokens=0,
    cost_usd=None,
    tests_total=6,
    tests_passed=5,
    files_changed=1,
    lines_added=1,
    lines_removed=1,
)


def test_a_screenshot_with_extra_bytes_is_still_only_a_picture(
    page: Page, site: Served, hostile_run: int
) -> None:
    page.goto(f"{site.url}/runs/{hostile_run}/?step={len(ATTACKS) + 2}")
    picture = page.get_by_role("img", name="Screenshot 1 of ui_test")
    expect(picture).to_be_visible()
    expect(page.locator(".picture img")).to_have_js_property("naturalWidth", 640)
    response = page.request.get(site.url + str(picture.get_attribute("src")))
    assert response.headers["content-type"] == "image/png"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-security-policy"] == "default-src 'none'; sandbox"
