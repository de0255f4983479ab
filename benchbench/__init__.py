"""The Django project: settings, addresses, and the processes that make up a running site."""
