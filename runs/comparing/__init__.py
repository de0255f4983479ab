"""Agents against each other over the tasks that they share: what the compare page reads. No HTML in here."""
