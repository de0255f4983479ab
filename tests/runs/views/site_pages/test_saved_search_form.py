"""What can be saved."""

from __future__ import annotations

import pytest

from runs.models import SavedSearch
from runs.views.site_pages.saved_search_form import SavedSearchForm

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "query", "field", "message"),
    [
        ("Refused", "ECONNREFUSED outcome:unresolved", "", ""),
        ("!!!", "x", "name", "A name needs a letter or a digit."),
        ("known", "x", "name", "A saved search has this name, or one with the same address."),
        ("Other", "outcome:resolved", "query", "A saved search needs a word that is searched for."),
        ("Other", "x outcome:solved", "query", "There is no outcome “solved”."),
        ("x" * 81, "x", "name", "at most 80 characters"),
        ("Other", "x" * 201, "query", "at most 200 characters"),
        ("two\x85lines", "x", "name", "A name needs a letter or a digit."),
    ],
)
def test_a_search_has_a_name_of_its_own_and_a_word(name: str, query: str, field: str, message: str) -> None:
    SavedSearch.objects.create(slug="known", name="Known", query="x")
    form = SavedSearchForm({"name": name, "query": query})
    assert form.is_valid() is not bool(field)
    if field:
        assert message in str(form.errors[field])
