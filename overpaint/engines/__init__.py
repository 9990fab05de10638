"""Engines: builders and generators that draw or assemble benchmarks."""
