"""Reads trajectories that other tools wrote, step by step, and stores them as run directories."""
