"""Errors as problem documents."""

from __future__ import annotations

import json

from runs.api.problems import parameter_problem, problem
from runs.data.queries.parameters import BadParameter


def test_a_problem_names_its_status_and_has_fields_for_programs() -> None:
    response = problem(404, "There is no run 7.", run=7)

    assert (response.status_code, response.headers["Content-Type"]) == (404, "application/problem+json")
    assert json.loads(response.content) == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no run 7.",
        "run": 7,
    }


def test_an_invalid_parameter_is_named_with_the_allowed_values_and_without_its_own() -> None:
    response = parameter_problem(BadParameter("sort", "<script>", "one of name, -name"))

    assert response.status_code == 400
    assert json.loads(response.content) == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": "sort must be one of name, -name.",
        "parameter": "sort",
        "allowed": "one of name, -name",
    }
