"""Working parts of the mathematics: each is needed by one or two of the modules that are called by name."""
