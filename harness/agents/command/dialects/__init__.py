"""The languages in which agents ask for their model, each put into OpenAI's chat completions and back. No I/O."""
