"""Editors: one file each; anything that turns a request into a document."""
