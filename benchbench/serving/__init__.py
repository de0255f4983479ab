"""A worker class for gunicorn whose threads never wait for slow clients."""
