"""The operations of the API, one function each. Function name and operation id are the same."""
