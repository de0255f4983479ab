"""The toolbox: a container beside the agent's that speaks to the servers which the agent starts.

`Dockerfile` and `requirements.txt` make its image, `inside/` is the server that runs in it. `harness.sandbox.toolbox`
starts it and talks to it.
"""
