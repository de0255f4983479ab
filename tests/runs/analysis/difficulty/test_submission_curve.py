"""Success by submission."""

from __future__ import annotations

from runs.analysis.difficulty.submission_curve import submission_curves
from tests.runs.analysis.difficulty.generated_runs import generated


def test_success_accumulates_over_the_submissions_of_a_run() -> None:
    runs = [
        *generated("alice", "pier/a", "+", start=1, submissions=1, solved_at_submission=1),
        *generated("alice", "pier/a", "+", start=2, submissions=3, solved_at_submission=3),
        *generated("alice", "quay/b", "-", start=3, submissions=0),
        # Its second submission passed, but by changing another function.
        *generated(
            "alice", "quay/b", "-", start=4, submissions=2, solved_at_submission=2, solved_elsewhere=True
        ),
        *generated("alice", "quay/b", "+", start=5),
        *generated("alice", "quay/b", "+", start=6, submissions=1, solved_at_submission=2),
    ]
    found = submission_curves(runs)
    (alice,) = found.agents
    assert [one.value for one in alice.solved] == [0.25, 0.25, 0.5]
    assert {one.n for one in alice.solved} == {2}
    assert (alice.submitted, alice.runs) == ((3, 2, 1), 4)
    assert found.excluded[0].runs == (5, 6)


def test_runs_that_never_submitted_have_an_empty_curve() -> None:
    (alice,) = submission_curves(generated("alice", "pier/a", "-", submissions=0)).agents
    assert (alice.solved, alice.submitted, alice.runs) == ((), (), 1)
    assert submission_curves([]).agents == ()
