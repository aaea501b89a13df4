"""What is believed before a release."""
