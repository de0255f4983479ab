"""Single numbers for a run or an agent, and what they leave out."""
