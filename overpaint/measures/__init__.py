"""Measures: from pixels and features to judges; each a formula with its source."""
