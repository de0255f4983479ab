"""The toolbox: a second container, with tools that connect to the servers which the agent starts.

`Dockerfile` and `requirements.txt` define its image, `inside/` is the server that runs in it. `harness.sandbox.toolbox`
starts it and calls it.
"""
