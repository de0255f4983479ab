"""The recorded bodies and the tables that expect them."""

from __future__ import annotations

from tests.harness.llm.test_provider_errors import FAILURES
from tests.harness.llm.test_provider_responses import BILLED_FOR_NOTHING, RESPONSES
from tests.harness.recordings import REPLIES


def test_every_recorded_response_is_expected_somewhere() -> None:
    names = {str(path.relative_to(REPLIES).with_suffix("")) for path in REPLIES.rglob("*.json")}
    assert names == {
        *(response.name for response in RESPONSES),
        *(failure.name for failure in FAILURES),
        *BILLED_FOR_NOTHING,
    }
