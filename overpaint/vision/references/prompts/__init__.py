"""Prompts that extractors put to models, dated."""
