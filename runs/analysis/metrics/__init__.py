"""How agents work: the core metrics, and what tells resolved runs from others."""
