"""Setting up language models and agents: their forms, kinds of providers, and tests of models."""
