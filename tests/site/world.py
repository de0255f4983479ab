"""The demonstration world for checks of all pages: the cast of tests/runs/cast.py, extended.

    python -m tests.site.world DIRECTORY

makes a data directory of it, with `addresses.json`: every kind of page (kinds.py) and where it is.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # Django reads its settings when the models below are imported
    os.environ["BENCHBENCH_DATA"] = str(Path(sys.argv[1]).resolve())
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchbench.settings"
    os.environ["LOG_LEVEL"] = "WARNING"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from harness.records import FileEdit, Metrics, ToolCall, ToolResult
from runs.data.run_facts.count_trajectory import recount
from runs.data.text_index.indexing import index_some
from runs.intake.reported.reported_result import PrintedNumber
from runs.intake.reported.storing import store
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.models import (
    Agent,
    Evaluation,
    GenerationJob,
    JudgeReview,
    JudgingPass,
    PanelJudge,
    PlaySession,
    RecallProbe,
    RegressionCheck,
    Run,
    SavedSearch,
    Snapshot,
    StepNote,
    Submission,
    Try,
    Upload,
)
from runs.rankings.leaderboard.snapshots import freeze
from tasks.generation.recall.question import prompt_version
from tasks.loading import hide
from tasks.models import Dataset, Repository, Task
from tasks.stored_maps import store_map
from tests.harness.worlds import png
from tests.runs.cast import DIFF, TESTS, Cast, act, add_try, grade_of, record, recorder_of
from tests.runs.intake.reported.made_results import reported, two_agents
from tests.runs.intake.submissions.made_submissions import submission_row
from tests.runs.intake.uploads.made_uploads import add_token, found_by_check, upload_row
from tests.runs.judging.regression_checks.made_checks import add_regression
from tests.runs.made_maps import made_map
from tests.runs.panels import (
    DIMENSIONS,
    add_comparison,
    add_evidence,
    add_order,
    add_pass,
    add_rating,
    add_review,
    add_summary,
)
from tests.runs.work.generation.made_jobs import add_generation

if TYPE_CHECKING:
    from django.db.models import QuerySet

SECRET = "sunken-treasure"  # in everything that is hidden, and nowhere else
LONG = 300
NOTES = "--- /dev/null\n+++ b/notes.md\n@@ -0,0 +1,2 @@\n+# Tides\n+Neap comes last.\n"
# What `record` writes, as the run itself reports it.
RECORDED = {
    "steps": 8,
    "iterations": 6,
    "tool_calls": 5,
    "failed_calls": 1,
    "files_changed": 1,
    "lines_added": 1,
    "lines_removed": 1,
}
ADDRESSES = "addresses.json"
SESSION = "operator's session"
PASSWORD = "operator-of-the-harbour"
# How many of the five tests each of three attempts passes, for easy, medium and hard tasks. None: the engine failed.
HABITS: dict[str, dict[str, tuple[int | None, ...]]] = {
    "alice": {"easy": (5, 5, 5), "medium": (5, 5, 3), "hard": (5, 2, 4)},
    "bob": {"easy": (5, 5, 2), "medium": (5, 3, None), "hard": (4, 4, 4)},
    "carol": {"easy": (5, 2, 5), "medium": (2, 2, 3), "hard": (2, 2, 2)},
    "oracle": {"easy": (5, 5, 5), "medium": (5, 5, 5), "hard": (5, 5, 5)},
    "idler": {"easy": (2, 2, 2), "medium": (2, 2, 2), "hard": (2, 2, 2)},
}


TERMINAL = """{"version": 2, "width": 80, "height": 24}
[0.5, "o", "$ "]
[1.0, "o", "pytest -q\\r\\n"]
[2.0, "m", "Episode 1"]
[8.5, "o", "\\u001b[32m2 passed\\u001b[0m\\r\\n$ "]
[9.0, "o", "exit\\r\\n"]
"""


@dataclass
class World:
    """Three repositories with ten tasks, and five agents with three attempts at each.

    The evaluation `flood` goes on: one run is over, one acts, one waits to be tried again, one is queued. Alice's
    `long` run has 300 steps and pictures; `lost` is a run that the engine failed; `bare` has no directory any more.
    Nothing of the dataset `vault` is for readers. The results of the dataset `lab-bench` are reported by others.
    """

    cast: Cast = field(default_factory=Cast)
    agents: dict[str, Agent] = field(default_factory=dict)
    tasks: list[Task] = field(default_factory=list)
    flood: Evaluation = field(init=False)
    long: Run = field(init=False)
    lost: Run = field(init=False)
    bare: Run = field(init=False)
    acting: Run = field(init=False)
    hidden: Run = field(init=False)
    judged: JudgingPass = field(init=False)
    regression: RegressionCheck = field(init=False)
    compared: JudgingPass = field(init=False)
    generation: GenerationJob = field(init=False)
    generated: GenerationJob = field(init=False)
    upload: Upload = field(init=False)
    checked: Upload = field(init=False)
    submission: Submission = field(init=False)
    frozen: Snapshot = field(init=False)
    operator: User = field(init=False)
    reader: User = field(init=False)

    def __post_init__(self) -> None:
        self.operator = User.objects.create_superuser("operator", password=PASSWORD)
        self.reader = User.objects.create_user("reader", password=PASSWORD)
        self._people()
        self._places()
        self._attempts()
        self._long_run()
        self._flood()
        self._vault()
        self._reviews()
        self._regressions()
        self._generations()
        self._uploads()
        self._played()
        store(reported(two_agents(), printed=(PrintedNumber("Ben", "resolved_percent", "80.5"),)))
        self.cast.settle()
        recount()
        index_some(60)
        SavedSearch.objects.create(slug="which-hour", name="Which hour", query="hour")
        self.frozen = freeze("ports")

    def run_of(self, agent: str, task: Task, attempt: int = 1) -> Run:
        """One attempt in the first evaluation."""
        runs: QuerySet[Run] = self.cast.evaluation.runs.all()
        return runs.get(agent__slug=agent, task=task, attempt=attempt)

    def _played(self) -> None:
        """The operator took the long run as their own session, which has ended."""
        PlaySession.objects.create(
            user=self.operator,
            run=self.long,
            pseudonym="p-0123456789ab",
            consent=True,
            ended_at=self.long.finished_at,
        )

    def _people(self) -> None:
        weights = self.cast.add_model("Countess", input_price=0.5, output_price=1.5, open_weights=True)
        people = [self.cast.alice(), self.cast.bob(), self.cast.add_agent("Carol", "ide", weights)]
        self.agents = {agent.slug: agent for agent in [*people, self.cast.oracle(), self.cast.idler()]}

    def _places(self) -> None:
        self.tasks += self.cast.add_tasks(4)
        for slug, title, stack, language, difficulty in (
            ("lighthouse", "Lighthouse keeper", "Node 22", "TypeScript", "medium"),
            ("shipyard", "Shipyard", "C11, Make", "C", "hard"),
        ):
            repository = self.cast.add_repository(slug, title)
            Repository.objects.filter(pk=repository.pk).update(stack=stack, languages=[language])
            self.tasks += self.cast.add_tasks(3, repository, difficulty=difficulty)
        store_map(self.cast.repository, made_map("harbour", more=60))

    def _attempts(self) -> None:
        for slug, habits in HABITS.items():
            for task in self.tasks:
                for attempt, passed in enumerate(habits[task.difficulty], 1):
                    if passed is None:
                        self._lose(self.agents[slug], task, attempt)
                        continue
                    run = self.cast.add_run(
                        self.agents[slug],
                        task,
                        attempt,
                        passed=passed,
                        act_seconds=40.0 * attempt + 7,
                        **RECORDED,
                    )
                    record(run, astray=passed < len(TESTS))
        self.bare = self.run_of("carol", self.tasks[0], 2)
        for file in self.bare.path.iterdir():
            file.unlink()
        self.bare.path.rmdir()

    def _lose(self, agent: Agent, task: Task, attempt: int) -> None:
        self.lost = self.cast.add_run(
            *(agent, task, attempt),
            passed=0,
            outcome=Run.Outcome.INFRASTRUCTURE_FAILED,
            ending="infrastructure",
            failure="engine",
            detail="The container engine does not respond.",
            tests_total=0,
            tries=3,
        )
        for number in range(1, 4):
            add_try(
                self.lost,
                number,
                Try.State.FAILED,
                "The container engine does not respond.",
                failure="engine",
            )

    def _long_run(self) -> None:
        """Alice's fourth attempt at the first task of the shipyard: long, with pictures, one test away."""
        evaluation = self.cast.add_evaluation("long-haul", "Long haul", attempts=1)
        task = self.tasks[-1]
        self.long = self.cast.add_run(
            self.agents["bob"], task, 1, passed=4, evaluation=evaluation, steps=LONG
        )
        recorder = recorder_of(self.long)
        recorder.step("system", "You work on a repository.")
        recorder.step("user", "Mend the tide.")
        for number in range(LONG - 3):
            if number % 10 == 5:
                edits = [FileEdit("tide.py", "modified", 1, 1, syntax_ok=True, diff=DIFF)]
                if number == 5:
                    edits.append(FileEdit("notes.md", "added", 2, 0, diff=NOTES))
                act(recorder, "edit_file", {"path": "tide.py"}, edits=edits)
            elif number % 50 == 8:
                name = recorder.artifact(png(1280, 800))
                call = ToolCall("look", "ui_test", {"actions": [{"action": "screenshot"}]})
                seen = [ToolResult("look", "picture 1", True, 1.5, (name,))]
                recorder.step("agent", "I look.", calls=[call], results=seen, metrics=Metrics(900, 20))
            elif number % 7 == 3:
                act(recorder, "read_file", {"path": f"moon{number}.py"}, "There is no such file.", ok=False)
            else:
                ended = "exit code 1 after 0.6 s\n" if number % 4 == 1 else ""
                act(
                    *(recorder, "run_terminal_cmd", {"command": f"pytest -q -k tide{number}"}),
                    f"{ended}\x1b[31m1 failed\x1b[0m, 4 passed\n" + "tide.py:12: AssertionError\n" * 20,
                    message=f"Attempt {number}: the neap tide is still **wrong**.",
                )
        recorder.step("agent", "One test is left.", metrics=Metrics(seconds=0.7))
        recorder.patch(b"diff --git a/tide.py b/tide.py\n--- a/tide.py\n+++ b/tide.py\n@@ -1 +1 @@\n-a\n+b\n")
        recorder.grade(grade_of(self.long, {TESTS[4]: "AssertionError: neap is 7, not 0\n" * 3}))
        Path(self.long.path, "terminal.cast").write_text(TERMINAL)

    def _flood(self) -> None:
        self.flood = self.cast.add_evaluation(
            "flood", "Flood", attempts=2, state=Evaluation.State.RUNNING, budget_usd=20.0
        )
        first, second = self.tasks[:2]
        alice, bob = self.agents["alice"], self.agents["bob"]
        record(self.cast.add_run(alice, first, 1, evaluation=self.flood))
        going: dict[str, Any] = {
            "outcome": "",
            "ending": "",
            "finished_at": None,
            "tests_total": 0,
            "passed": 0,
        }
        self.acting = self.cast.add_run(
            *(alice, second, 1), evaluation=self.flood, state=Run.State.RUNNING, **going
        )
        add_try(self.acting, 1, Try.State.LIVE, worker="quay/1", spent_usd=0.04, reserved_usd=0.1)
        recorder = recorder_of(self.acting)
        recorder.step("system", "You work on a repository.")
        recorder.step("user", "Mend the tide.")
        act(recorder, "read_file", {"path": "tide.py"}, "1  def level(hour):")
        soon = timezone.now() + timedelta(hours=3)
        waiting = self.cast.add_run(
            *(bob, first, 1),
            evaluation=self.flood,
            state=Run.State.QUEUED,
            not_before=soon,
            failures=1,
            **going,
        )
        Run.objects.filter(pk=waiting.pk).update(failure="engine", detail="The engine was restarted.")
        add_try(waiting, 1, Try.State.FAILED, "The engine was restarted.", failure="engine")
        self.cast.add_run(*(bob, second, 1), evaluation=self.flood, state=Run.State.QUEUED, tries=0, **going)

    def _reviews(self) -> None:
        """A panel has judged Alice's and Bob's attempts at the first task, and a run of the vault."""
        panel = create_panel(
            slug="harbour-panel",
            title="Harbour panel",
            dimensions=DIMENSIONS,
            judges=[NewJudge("Portia", self.cast.add_model("Bench"), "ada")],
        )
        judge = panel.judges.get()
        self.judged = add_pass(judge, evaluation=self.cast.evaluation, budget_usd=5.0)
        alice, bob = (self.run_of(name, self.tasks[0]) for name in ("alice", "bob"))
        for number, dimension in enumerate(DIMENSIONS):
            review = add_review(self.judged, judge, alice, dimension, score=(0.0, 0.5, 1.0)[number % 3])
            add_evidence(
                review, 1, quote="hour % 12", step=4, found_step=5, part="call:1", status="relocated"
            )
            add_evidence(
                review, 2, quote="never written", found_step=None, status="unverified", severity="high"
            )
            malformed = {
                "state": JudgeReview.State.MALFORMED,
                "score": None,
                "reason": "score: must be exactly 0",
            }
            add_review(self.judged, judge, bob, dimension, **(malformed if number == 2 else {}))
            add_rating(
                alice,
                dimension,
                rater=self.operator,
                evidence=[{"quote": "hour % 12", "step": 5, "found_step": 5, "status": "verified"}],
            )
        add_rating(
            self.hidden, rater_name="p-bea", text=SECRET, evidence=[{"quote": SECRET, "found_step": 2}]
        )
        for run, text in ((alice, "It reads the table first.\n\nGood."), (self.hidden, SECRET)):
            StepNote.objects.create(run=run, run_try=run.tries, step=3, author_name="p-bea", text=text)
        add_summary(self.judged, judge, [alice])
        add_summary(self.judged, judge, [alice], "", text="It mends the tide. It does not check.")
        failed: dict[str, Any] = {"state": JudgeReview.State.MALFORMED, "reason": "must have no digits"}
        add_summary(self.judged, judge, [alice], "tool_calls", **failed)
        add_summary(self.judged, judge, [self.hidden], text=SECRET).groups.update(title=SECRET, claim=SECRET)
        self._comparisons(judge, (alice, bob))
        secret = add_review(self.judged, judge, self.hidden, text=SECRET, reason=SECRET)
        add_evidence(secret, quote=SECRET, aspect=SECRET)
        model = self.agents["alice"].model
        assert model
        RecallProbe.objects.create(
            model=model,
            task=self.hidden.task,
            task_digest=self.hidden.task.digest,
            prompt=prompt_version(),
            reason=SECRET,
        )

    def _comparisons(self, judge: PanelJudge, pair: tuple[Run, Run]) -> None:
        """The same panel has compared both runs: a winner, a flip, one that is computed and one without a review."""
        self.compared = add_pass(judge, "harbour-match", title="Harbour match", kind="comparisons")
        add_review(self.compared, judge, pair[1])
        steady = add_comparison(self.compared, judge, pair)
        flip = add_comparison(self.compared, judge, pair, "tool_calls", score=0, flipped=True)
        for comparison, scores in ((steady, (-3, -4)), (flip, (-3, 3))):
            for shown_first, score in enumerate(scores, 1):
                add_order(comparison, shown_first, score)
        add_comparison(self.compared, judge, pair, "pitfalls", score=2, computed=True)
        missing = {"state": JudgeReview.State.NO_REVIEW, "score": None}
        add_comparison(
            self.compared, judge, pair, "pleasantness", reason="There is no review of run 2.", **missing
        )
        add_summary(self.compared, judge, pair[:1], "end_result", others=pair[1:], alert=True)
        secret = add_comparison(self.compared, judge, (pair[0], self.hidden), reason=SECRET)
        add_order(secret, 1, -3, text=SECRET).lines.update(aspect=SECRET, quote=SECRET)

    def _regressions(self) -> None:
        """Bob became worse at an open task; a check of a task of the vault is not for readers."""
        self.regression = add_regression(self.tasks[-1:], self.long.evaluation, (self.long, self.long))
        secret = {"title": f"Watch of the {SECRET}", "reason": SECRET}
        add_regression([self.hidden.task], self.hidden.evaluation, (self.hidden, self.hidden), **secret)

    def _generations(self) -> None:
        """One at work, one that can be published, and one from the vault, which is not for readers."""
        ports = self.cast.dataset
        Dataset.objects.filter(pk=ports.pk).update(directory="tests/site/ports")  # with hidden tests
        self.generation = add_generation(ports, "harbour")
        self.generated = add_generation(ports, "harbour", output="tides", state=GenerationJob.State.FINISHED)
        add_generation(
            self.hidden.task.repository.dataset, f"{SECRET}-hall", title=f"The {SECRET}", reason=SECRET
        )

    def _uploads(self) -> None:
        """One is read, one is checked, one was refused, and one is about what is not for readers."""
        self.upload = upload_row(done=3, total=8, created_by=self.operator, given={"slug": "lab-bench"})
        self.checked = upload_row(
            name="many.zip",
            state="checked",
            check_first=True,
            check_result=found_by_check(),
            finished_at=timezone.now(),
            created_by=self.operator,
        )
        upload_row(name="a.json", state="refused", message="a.json, message 7: it is not an object")
        token = add_token(name=f"Bearer of the {SECRET}")
        upload_row(name=f"{SECRET}.zip", state="failed", message=SECRET, token=token)
        found = {
            "state": "graded",
            "outcome": "unresolved",
            "tests_passed": 3,
            "reason": "5 of 8 tests failed",
        }
        self.submission = submission_row(self.cast.dataset, self.tasks[0], run=found)
        submission_row(self.cast.dataset, self.tasks[1])
        hidden = self.hidden.task
        submission_row(hidden.repository.dataset, hidden, sender=SECRET, run={"agent_name": SECRET})

    def _vault(self) -> None:
        vault = Dataset.objects.create(
            slug=f"{SECRET}-vault",
            title=f"The {SECRET}",
            description=f"Of the {SECRET}.",
            version="1",
            licence="MIT",
            directory=f"/nowhere/{SECRET}",
        )
        cellar = Repository.objects.create(
            dataset=vault,
            slug=f"{SECRET}-cellar",
            title=f"Cellar of the {SECRET}",
            description=SECRET,
            stack=SECRET,
            languages=[SECRET],
            domain=SECRET,
        )
        task = Task.objects.create(
            repository=cellar,
            slug=f"{SECRET}-task",
            title=f"Find the {SECRET}",
            description=f"Find the {SECRET}.",
            category=Task.Category.BUG,
            difficulty="hard",
            mode=Task.Mode.REMOVE,
            origin=Task.Origin.REMOVED,
            digest="e" * 64,
            admitted=True,
            tests_total=5,
        )
        task.store_proof({"fail_to_pass": [SECRET], "pass_to_pass": []})
        self.hidden = self.cast.add_run(self.agents["alice"], task, 1, passed=4, detail=SECRET)
        record(self.hidden, messages=dict.fromkeys(TESTS, SECRET))
        add_try(self.hidden, 1, Try.State.FAILED, SECRET, failure="engine")
        hide(vault, hidden=True)


if __name__ == "__main__":
    from tests.site.kinds import KINDS

    with transaction.atomic():
        world = World()
    found = {kind.name: kind.address(world) for kind in KINDS}
    browser = Client()
    browser.force_login(world.operator)
    found[SESSION] = browser.cookies[settings.SESSION_COOKIE_NAME].value
    (Path(sys.argv[1]) / ADDRESSES).write_text(json.dumps(found, indent=1))
