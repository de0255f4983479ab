"""Results as other benchmarks and tools write them, one module for each form."""
