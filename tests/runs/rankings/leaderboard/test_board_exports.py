"""The leaderboard in other formats."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
HOSTILE = r"=x|y & \input{/etc/passwd} 100% #1_$a^b~ <b>[z](http://evil.example) `q` {*}"


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(8):
        cast.add_cell(alice, task, [5, 5])
        cast.add_cell(bob, task, [0, 0])
    cast.settle()
    return cast


def lines(client: Client, address: str) -> list[str]:
    response = client.get(address)
    assert response.status_code == 200
    assert response["Content-Disposition"].endswith(f'filename="{address.split("?", maxsplit=1)[0][1:]}"')
    return response.content.decode().splitlines()


def test_all_formats_have_the_rows_and_columns_of_the_screen(client: Client, cast: Cast) -> None:
    query = "?sort=pass1"
    rows = client.get(f"/leaderboard.json{query}").json()
    table = list(csv.DictReader(io.StringIO("\n".join(lines(client, f"/leaderboard.csv{query}")))))
    markdown = lines(client, f"/leaderboard.md{query}")
    latex = lines(client, f"/leaderboard.tex{query}")

    assert rows["query"] == {"dataset": "ports", "sort": "pass1"}
    assert [row["name"] for row in rows["rows"]] == [row["name"] for row in table] == ["Bob", "Alice"]
    assert markdown[0].startswith(
        "| Rank | Agent | pass@1 95 % interval | pass@2 95 % interval | Tests passed |"
    )
    assert [line.split(" | ")[1].split(" ")[0] for line in markdown[2:4]] == ["Bob", "Alice"]
    assert "| 100.0 % (68 % to 100 %) |" in markdown[3]
    assert [line.split(" & ")[1].split(" ")[0] for line in latex if line[:2] in {"1 ", "2 "}] == [
        "Bob",
        "Alice",
    ]
    assert any(r"100.0 {\scriptsize [67.6, 100.0]}" in line for line in latex)
    assert "cost_usd_per_attempt" not in table[0]
    assert "cost_usd_per_attempt" in client.get("/leaderboard.json?columns=all").json()["rows"][0]
    assert table[0]["pass_at_1_in_harbour"] == "0.0"


def test_a_column_without_a_value_is_in_csv_and_not_in_tables_to_paste(client: Client, cast: Cast) -> None:
    heads = lines(client, "/leaderboard.csv?columns=all")[0], lines(client, "/leaderboard.md?columns=all")[0]
    assert ["corrected_pass_at_1" in heads[0], "Corrected" in heads[1]] == [True, False]
    latex = "\n".join(lines(client, "/leaderboard.tex?columns=all"))
    assert "Corrected" not in latex
    assert (
        "Corrected"
        not in client.get("/?columns=all").content.decode().split("<thead>")[1].split("</thead>")[0]
    )


def test_latex_parts_tie_groups_as_papers_do(client: Client, cast: Cast) -> None:
    latex = lines(client, "/leaderboard.tex")

    assert latex.count(r"\midrule") == 2
    assert (latex.count(r"\toprule"), latex.count(r"\bottomrule")) == (1, 1)
    (spec,) = [line for line in latex if line.startswith(r"\begin{tabular}")]
    columns = len(spec.removeprefix(r"\begin{tabular}{").removesuffix("}"))
    assert {line.count(" & ") + 1 for line in latex if line.endswith(r" \\")} == {columns}


def test_a_hostile_name_stays_a_name_in_every_format(client: Client, cast: Cast) -> None:
    alice = cast.evaluation.runs.first().agent  # type: ignore[union-attr] # there are runs
    alice.name = HOSTILE
    alice.save()

    latex = "\n".join(lines(client, "/leaderboard.tex"))
    assert r"\input" not in latex
    assert r"=x\textbar{}y \& \textbackslash{}input\{/etc/passwd\} 100\% \#1\_\$a\textasciicircum{}b" in latex
    markdown = lines(client, "/leaderboard.md")
    assert len({line.replace(r"\|", "").count("|") for line in markdown if line.startswith("|")}) == 1
    assert r"\[z\](http:\/\/evil.example)" in markdown[2]
    assert "<b>" not in markdown[2]
    table = csv.DictReader(io.StringIO("\n".join(lines(client, "/leaderboard.csv"))))
    assert {row["name"] for row in table} == {f"'{HOSTILE}", "Bob"}


def test_calibration_agents_are_in_no_export(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.oracle(), cast.add_tasks(1, start=9)[0], [5])
    cast.settle()

    for suffix in ("csv", "json", "md", "tex"):
        assert "Oracle" not in client.get(f"/leaderboard.{suffix}").content.decode()
    assert lines(client, "/leaderboard.md")[-1].startswith("Ports, run here: 2 agents on 8 tasks. ")


def test_long_names_and_long_filters_are_not_cut(client: Client, cast: Cast) -> None:
    bob = cast.evaluation.runs.get(agent__slug="bob", task__slug="tide-1", attempt=1).agent
    bob.name = "B" * 100
    bob.save()
    assert bob.model is not None
    bob.model.name, bob.model.provider = "M" * 80, "P" * 50
    bob.model.save()
    query = "?dataset=ports&repository=harbour&difficulty=easy&category=bug&sort=name"

    markdown, latex = lines(client, f"/leaderboard.md{query}"), lines(client, f"/leaderboard.tex{query}")

    (row,) = [line for line in markdown if "BBB" in line]
    under = f"{'P' * 50} · {'M' * 80}"
    assert f"| {'B' * 100} ({under} · " in row
    assert "…" not in row
    assert row.split(" | ")[1].endswith(" · ide)")
    (row,) = [line for line in latex if "BBB" in line]
    assert f"{'M' * 80}" in row
    assert "ldots" not in "".join(latex)
    assert markdown[-1].endswith(f" <http://testserver/{query}>")
    assert latex[0] == f"% http://testserver/{query}"


def test_an_empty_table_is_a_table(client: Client) -> None:
    assert client.get("/leaderboard.json").json()["rows"] == []
    for suffix in ("csv", "md", "tex"):
        assert client.get(f"/leaderboard.{suffix}").status_code == 200
