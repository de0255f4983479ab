"""Results by task, repository and stack."""
