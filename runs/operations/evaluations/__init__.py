"""Evaluations: started, cancelled, retried and deleted, and the settings that they run with."""
