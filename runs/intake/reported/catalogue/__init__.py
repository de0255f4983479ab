"""What reported results are about, as rows: a dataset with its tasks, agents with their models, and printed numbers."""
