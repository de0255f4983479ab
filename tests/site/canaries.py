"""A world in which whatever belongs to a hidden dataset carries a canary: a word, or an odd number.

python -m tests.site.canaries DIRECTORY        makes a data directory of it; the dataset is open at first
python -m tests.site.canaries DIRECTORY hide   hides the dataset, and prints when that was done (monotonic clock)
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

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

from harness.records import Grade, Metrics, TestResult, TestStatus, ToolCall, ToolResult
from runs.data.run_facts.count_trajectory import recount
from runs.data.text_index.indexing import index_some
from runs.models import Agent, Evaluation, LanguageModel, Run, Try
from runs.rankings.leaderboard.snapshots import freeze
from tasks.loading import hide
from tasks.models import Dataset, Repository, Task
from tasks.stored_maps import store_map
from tests.harness.worlds import png
from tests.runs.cast import Cast, act, add_try, identity_of, recorder_of
from tests.runs.judging.regression_checks.made_checks import add_regression
from tests.runs.made_maps import made_map
from tests.runs.roles import OPERATORS, VIEWERS, member
from tests.runs.tiny import summary_of
from tests.site.crawling import CRAWL, DOLLARS, PRINTED, TOKENS, WORD


class CanaryWorld:
    """An open dataset, and one that is hidden later: with agents, a model and an evaluation that only it has.

    The evaluation `mixed` has runs at both.
    """

    def __init__(self) -> None:
        self.cast = Cast()
        (self.seen,) = self.cast.add_tasks(1)
        self.unseen = _vault_task()
        alice, self.stranger = self.cast.alice(), _stranger()
        over: dict[str, Any] = {"finished_at": timezone.now()}
        self.mixed = self.cast.add_evaluation("mixed", "Neap tide", budget_usd=3.0, **over)
        own = self.cast.add_evaluation(
            f"{WORD}-evaluation", f"Evaluation {WORD}", limits={"seconds": 7}, **over
        )
        going = self.cast.add_evaluation(
            f"{WORD}-going", f"Going {WORD}", state=Evaluation.State.RUNNING, budget_usd=DOLLARS
        )
        self.open_run = _recorded(self.cast.add_run(alice, self.seen, passed=4, cost_usd=0.0), printed=True)
        _recorded(self.cast.add_run(self.cast.bob(), self.seen, 2, evaluation=self.mixed, cost_usd=0.0))
        self.hidden_run = self._hide(self.stranger, own)
        self._hide(alice, self.mixed)
        self._hide(self.stranger, going, state=Run.State.RUNNING, outcome="", ending="", finished_at=None)
        self._hide(alice, going, 2, state=Run.State.QUEUED, outcome="", ending="", finished_at=None)
        both, reason = (self.hidden_run, self.hidden_run), {"reason": f"Became {WORD}"}
        self.regression = add_regression([self.unseen], own, both, title=f"Schedule {WORD}", **reason)
        add_regression([self.seen], self.mixed, both, title=f"Schedule of both {WORD}", **reason)
        self.cast.settle()
        recount()
        assert index_some(60) == 0
        self.frozen = freeze(f"{WORD}-vault")

    def _hide(self, agent: Agent, evaluation: Evaluation, attempt: int = 1, **more: Any) -> Run:
        """A run at the task that is hidden later."""
        values = {
            "passed": 4,
            "cost_usd": DOLLARS,
            "prompt_tokens": TOKENS,
            "detail": f"Detail {WORD}",
            **more,
        }
        run = self.cast.add_run(agent, self.unseen, attempt, evaluation=evaluation, **values)
        state = {Run.State.FINISHED: Try.State.SETTLED, Run.State.RUNNING: Try.State.LIVE}
        add_try(run, 1, Try.State.FAILED, f"Reason {WORD}", failure=f"part {WORD}", spent_usd=DOLLARS)
        add_try(run, 2, state.get(Run.State(run.state), Try.State.FAILED), f"Why {WORD}", worker=f"{WORD}/1")
        return _recorded(run)


def _vault_task() -> Task:
    vault = Dataset.objects.create(
        slug=f"{WORD}-vault",
        title=f"The {WORD}",
        description=f"Of the {WORD}.",
        version=f"1-{WORD}",
        licence=f"{WORD}-1",
        directory=f"/nowhere/{WORD}",
        public_messages=True,  # which a hidden dataset cannot have
    )
    cellar = Repository.objects.create(
        dataset=vault,
        slug=f"{WORD}-cellar",
        title=f"Cellar of the {WORD}",
        description=f"Cold {WORD}",
        stack=f"Stack {WORD}",
        languages=[f"Language {WORD}"],
        domain=f"domain {WORD}",
    )
    store_map(cellar, made_map(cellar.slug, word=WORD))
    task = Task.objects.create(
        repository=cellar,
        slug=f"{WORD}-task",
        title=f"Find the {WORD}",
        description=f"Find the {WORD}.",
        category=Task.Category.OPTIMISATION,
        difficulty="hard",
        digest="e" * 64,
        admitted=True,
        tests_total=5,
    )
    task.store_proof({"fail_to_pass": [f"test_{WORD}"], "pass_to_pass": [], "repeats": 3, "floor_passed": 0})
    return task


def _stranger() -> Agent:
    model = LanguageModel.objects.create(
        slug=f"{WORD}-model", name=f"Model {WORD}", provider=f"Works of {WORD}", litellm_id=f"{WORD}/one"
    )
    return Agent.objects.create(
        slug=f"{WORD}-agent",
        name=f"Agent {WORD}",
        kind=f"{WORD}-kind",
        model=model,
        description=f"Knows {WORD}",
        settings={"note": WORD},
    )


def _recorded(run: Run, *, printed: bool = False) -> Run:
    """With a directory of five steps, a picture, tests and a summary."""
    word = WORD if run.task.slug.startswith(WORD) else "tide"
    recorder = recorder_of(run)
    recorder.step("system", f"You work on {word}.")
    act(recorder, "read_file", {"path": f"{word}.py"}, f"1  {word} = 0")
    picture = recorder.artifact(png())
    call = ToolCall("look", "ui_test", {"actions": [{"action": f"see {word}"}]})
    seen = [ToolResult("look", f"picture of {word}", True, 1.5, (picture,))]
    recorder.step("agent", f"I look at {word}.", calls=[call], results=seen, metrics=Metrics(900, 20))
    recorder.step("agent", f"The {word} is there.", metrics=Metrics(seconds=0.7))
    recorder.patch(
        f"diff --git a/{word}.py b/{word}.py\n--- a/{word}.py\n+++ b/{word}.py\n@@ -1 +1 @@\n-a\n+b\n".encode()
    )
    if run.state != Run.State.FINISHED:
        return run
    said = PRINTED if printed else word
    tests = [TestResult(f"tests/test_{word}.py::test_{n}", TestStatus.PASSED) for n in range(4)]
    message = f"assert {PRINTED if word == WORD else said} == 7"
    tests.append(TestResult(f"tests/test_{word}.py::test_4", TestStatus.FAILED, 0.1, message))
    trouble = f"the tests gave no verdict: {said}.xml, line 3: {said} (exit code 1)"
    recorder.grade(Grade(False, tuple(tests), 1, 0.5, trouble, log=f"collected 5 items\n{said}\n"))
    run.grading_reason = trouble
    run.flags = [{"kind": "tampered", "path": f"/usr/lib/{said}", "note": f"changed: {said}"}]
    if printed:
        run.detail = f"unexpected ValueError: {said}"
    run.save()
    summary = summary_of(run, identity=identity_of(run), grading_reason=trouble, detail=run.detail)
    (run.path / "run_summary.json").write_text(json.dumps(summary.to_json()))
    return run


def _sessions() -> dict[str, str]:
    """The session of each visitor; '' for the anonymous one."""
    people = {
        "reader": User.objects.create_user("reader"),
        "viewer": member("viewer", VIEWERS),
        "operator": member("operator", OPERATORS),
    }
    found = {"anonymous": ""}
    for name, user in people.items():
        client = Client()
        client.force_login(user)
        found[name] = client.cookies[settings.SESSION_COOKIE_NAME].value
    return found


def main(data: str, act_now: str = "") -> None:
    """Makes the world, or hides or opens its dataset."""
    if act_now:
        with transaction.atomic():
            hide(Dataset.objects.get(slug=f"{WORD}-vault"), hidden=act_now == "hide")
        sys.stdout.write(f"{time.monotonic()}\n")
        return
    from tests.site.canary_addresses import first_addresses

    with transaction.atomic():
        world = CanaryWorld()
        sessions = _sessions()
    found = {"sessions": sessions, "addresses": first_addresses(world)}
    (Path(data) / CRAWL).write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
