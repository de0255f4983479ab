"""Admission of a task: the proof that its tests fail before and pass after the reference patch, and their strength."""
