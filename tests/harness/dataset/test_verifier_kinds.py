"""The kinds of verifiers."""

from harness.dataset import Verifier


def test_a_verifier_has_kind_name_and_parameters() -> None:
    verifier = Verifier("chat_regexp", "says it", {"pattern": "it"})
    assert (verifier.kind, verifier.name, verifier.parameters) == (
        "chat_regexp",
        "says it",
        {"pattern": "it"},
    )
