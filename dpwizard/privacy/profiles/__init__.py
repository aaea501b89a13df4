"""How much a release may teach, for every belief."""
