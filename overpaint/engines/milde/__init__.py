"""MiLDE: layered designs drawn from a seed, and its benchmark built on a user's own documents."""
