"""What the plain questions say, in the officer's own words: promises, whom they cover, and how far off numbers are."""
