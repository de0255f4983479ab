"""Reads the trajectories of OpenHands, version 0 and the SDK's."""
