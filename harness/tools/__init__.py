"""The agent's tools: `schema` is what a model is told and held to; `inside` is what runs in the container."""
