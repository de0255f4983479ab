"""The operations of the API, one function each. The function's name is the operation's name."""
