"""The form with which operators save a search of texts."""

from __future__ import annotations

from django import forms
from django.template.defaultfilters import slugify

from runs.data.text_index.text_query import BadQuery, TextQuery
from runs.models import SavedSearch


class SavedSearchForm(forms.ModelForm):  # type: ignore[type-arg]  # has no parameters at run time
    """The name and the query of a search that an operator saves."""

    class Meta:
        model = SavedSearch
        fields = ("name", "query")

    def clean_name(self) -> str:
        """The name, if its address is free."""
        name: str = self.cleaned_data["name"]
        if not name.isprintable() or not (slug := slugify(name)):
            raise forms.ValidationError("A name needs a letter or a digit.")
        if SavedSearch.objects.filter(slug=slug).exists():
            raise forms.ValidationError("A saved search has this name, or one with the same address.")
        return name

    def clean_query(self) -> str:
        """The query, if it can be answered."""
        query: str = self.cleaned_data["query"]
        try:
            if not query.isprintable() or not TextQuery.parse(query).match():
                raise forms.ValidationError("A saved search needs a word that is searched for.")
        except BadQuery as error:
            raise forms.ValidationError(str(error)) from error
        return query
