"""Tests of the toolbox in a real container."""
