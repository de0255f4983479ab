"""The tools of tool sets that work on the host: on functions of files, and on what an agent submits."""
