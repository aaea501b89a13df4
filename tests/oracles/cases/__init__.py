"""Cases for the functions by name, worked out by independent means; `python -m tests.oracles.cases.make` writes
them."""
