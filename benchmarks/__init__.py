"""Timings of the program: `python -m benchmarks` runs every `bench_*.py` and writes docs/performance.md."""
