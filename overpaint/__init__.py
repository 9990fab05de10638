"""Overpaint: edit documents and pictures by instruction, and measure any editor."""
