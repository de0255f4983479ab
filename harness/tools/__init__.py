"""The agent's tools: `schema` defines them for models and checks calls; `inside` runs in the container."""
