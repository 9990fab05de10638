"""Benchmarks: one loader and one protocol card each."""
