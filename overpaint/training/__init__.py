"""Training: one script a model, read from top to bottom; measures and editors load the result."""
