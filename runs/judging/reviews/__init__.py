"""Judging passes: a panel of judges reviews runs, in jobs of their own."""
