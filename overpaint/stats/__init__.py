"""Statistics for decisions: pure functions on numbers that know nothing of pictures."""
