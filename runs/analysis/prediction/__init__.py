"""Prediction of outcomes from behaviour."""
