"""What an officer fills in, and what follows from it: release, requirements, assessment."""
