"""Numbers into plain sentences."""
