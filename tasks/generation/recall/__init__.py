"""How much of the target of a generated task a model may have memorised."""
