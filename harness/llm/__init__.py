"""Language models: requests, retries, limits and bills. `provider` is the only module that imports LiteLLM."""
