"""Performance benchmarks: what ``raybench bench`` measures and prints."""
