"""Sentences for the plain questions, in the officer's own words: requirements, people they cover, errors of numbers."""
