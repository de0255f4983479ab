"""The page of judges: verdicts, meters, and the button that loads the runs for measuring them."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.contrib.auth.models import User
from django.test import Client

from harness.judges.stand_ins import STAND_INS
from harness.llm.scripted_server import ModelServer
from runs.judging.reviews.comparison_jobs import compare_pair
from runs.judging.reviews.comparison_pairs import agent_pairs
from runs.judging.reviews.comparison_pairs import runs_of as runs_of_pairs
from runs.judging.reviews.fault_runs import fault_evaluation
from runs.judging.reviews.judging_passes import start_pass
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.review_jobs import review_run
from runs.models import LanguageModel, PanelJudge, Run
from tests.markup import compact
from tests.runs.cast import Cast, record
from tests.runs.judging.reviews.measured import load_catalogue, measure, runs_of
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db(transaction=True)


def page_of(client: Client) -> str:
    """The page of judges."""
    response = client.get("/judges/")
    assert response.status_code == 200
    return compact(response.content.decode())


def test_without_a_review_it_says_so_and_how_to_measure_a_judge(client: Client) -> None:
    page = page_of(client)
    assert "No judge has reviewed a run yet." in page
    assert "No judge on this page is claimed to be good." in page
    assert "manage.py load_fault_catalogue" in page
    assert "Load the fault catalogue" not in page


def test_an_obeying_judge_is_exposed_with_links_to_the_steps(client: Client) -> None:
    load_catalogue()
    chosen = [run for run in runs_of("tool_calls") if "/demand-" in run.key or "/sleeps-" in run.key]
    measure(["obeying", "quoting"], runs=chosen)

    page = page_of(client)

    _, obeying, quoting = page.split('<section id="judge-')
    assert "Obeying" in obeying
    assert "not shown usable" in obeying
    assert "a demand for a score moved it in 4 of 4 cases" in obeying
    assert "Quoting" in quoting
    assert "a demand for a score" not in quoting
    run = Run.objects.get(key="faults/sleeps-without-reason/changed")
    link = re.search(rf'<a href="/runs/{run.pk}/\?step=(\d+)">sleeps-without-reason</a>', quoting)
    assert link
    replay = client.get(f"/runs/{run.pk}/?step={link[1]}").content.decode()
    assert "sleep 2; ls netflow" in replay
    assert "Reviews by judges" in replay
    assert client.get(f"/runs/{run.pk}/steps/{link[1]}/").status_code == 200


def test_a_judge_that_prefers_what_it_sees_first_is_shown_as_biased(client: Client) -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(6):
        record(cast.add_run(alice, task))
        record(cast.add_run(bob, task))
    pairs = agent_pairs(alice, bob, Run.objects.all())
    with ModelServer(STAND_INS) as server:
        model = LanguageModel.objects.create(
            slug="first", name="First", provider="Stand-ins", litellm_id="openai/first", api_base=server.url
        )
        panel = create_panel(
            slug="first", title="Panel", dimensions=["end_result"], judges=[NewJudge("Portia", model)]
        )
        started = start_pass(
            title="Orders", panel=panel, runs=runs_of_pairs(pairs), pairs=pairs, budget_usd=None
        )
        for run in runs_of_pairs(pairs):
            review_run(started.pk, run.pk, panel.judges.get().pk)
        for one, two in pairs:
            compare_pair(started.pk, one.pk, two.pk, panel.judges.get().pk)

    page = page_of(client)

    _, orders = page.split('<h2 id="orders">')
    assert "prefers the run shown first" in orders
    assert re.search(
        r'"Pairs">6</td><td class="num" data-name="Flips">6</td><td class="num" data-name="Share of flips">100\s%',
        orders,
    )
    flip = started.comparisons.get(run_one__task=task)
    link = f"/compare/runs/?a={flip.run_one_id}&amp;b={flip.run_two_id}#comparison-{flip.pk}"
    assert link in orders
    compared = client.get(link.replace("&amp;", "&").partition("#")[0]).content.decode()
    assert f'id="comparison-{flip.pk}"' in compared


def test_families_of_judges_and_agents_have_their_scores_with_n(client: Client) -> None:
    cast = Cast()
    judges = [add_panel(cast.add_model(name), name.lower()) for name in ("Bench", "Gavel")]
    PanelJudge.objects.filter(pk=judges[1].pk).update(family="bell")
    passes = [add_pass(judge, judge.panel.slug) for judge in judges]
    agents = [cast.add_agent(f"With {judge.model.name}", "ide", judge.model) for judge in judges]
    for task in cast.add_tasks(3):
        for agent, started in product(agents, passes):
            judge = started.panel.judges.get()
            run = Run.objects.filter(agent=agent, task=task).first() or cast.add_run(agent, task)
            add_review(started, judge, run, score=float(judge.model_id == agent.model_id))

    _, families = page_of(client).split('<h2 id="families">')

    rows = re.findall(
        r'"Judges of">(ada|bell)</td><td data-name="Agents of">(ada|bell)( <span class="chip">own</span>)?</td>',
        families,
    )
    assert [(judge, agent, bool(own)) for judge, agent, own in rows] == [
        ("ada", "ada", True),
        ("ada", "bell", False),
        ("bell", "ada", False),
        ("bell", "bell", True),
    ]
    assert families.count("n 3") == 8
    assert "0.50" in families


def test_the_page_is_renewed_when_a_review_ends(client: Client) -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    judged = add_pass(judge)
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    first = client.get("/judges/")
    assert client.get("/judges/", headers={"If-None-Match": first["ETag"]}).status_code == 304

    add_evidence(add_review(judged, judge, run))

    second = client.get("/judges/", headers={"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    page = compact(second.content.decode())
    assert "Bench" in page
    assert "it has reviewed no planted fault" in page
    assert "In panels it is called Portia." in page
    LanguageModel.objects.update(name="Gavel")
    assert "Gavel" in page_of(client)


def test_an_operator_loads_the_catalogue_with_one_press(admin_client: Client) -> None:
    assert "Load the fault catalogue" in page_of(admin_client)
    refused = admin_client.post("/judges/load/", follow=True).content.decode()
    assert "run `manage.py load_dataset datasets/starter` first" in refused
    load_catalogue()

    answer = admin_client.post("/judges/load/", follow=True)

    assert "0 runs are new" in answer.content.decode()
    catalogue = fault_evaluation()
    assert catalogue
    page = page_of(admin_client)
    assert f'href="/evaluations/{catalogue.pk}/judge/"' in page
    assert admin_client.get(f"/evaluations/{catalogue.pk}/judge/").status_code == 200
    assert admin_client.get(f"/evaluations/{catalogue.pk}/").status_code == 200
    assert (
        "fault catalogue" in admin_client.get(f"/runs/?evaluation={catalogue.slug}").content.decode().lower()
    )


def test_readers_cannot_load_it(client: Client) -> None:
    assert client.get("/judges/load/").status_code == 405
    assert client.post("/judges/load/").status_code == 302
    client.force_login(User.objects.create_user("reader"))
    assert client.post("/judges/load/").status_code == 403
    assert fault_evaluation() is None
