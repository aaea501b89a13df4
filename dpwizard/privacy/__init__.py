"""What releases reveal, as functions of numbers called by name; nothing here knows a decision."""
