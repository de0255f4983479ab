"""The model APIs that agents use, each translated to OpenAI's chat completions and back. No I/O."""
