"""How an evaluation stands: the reads behind its page and the list of them all."""
