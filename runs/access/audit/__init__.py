"""The audit log: who did what as an operator. Changes of models are recorded by signals, other acts by `record`."""
