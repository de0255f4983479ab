"""How requests reach Django and responses leave: a worker class for gunicorn that slow clients cannot keep busy."""
