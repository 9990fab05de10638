"""The page where people rate, compare and box edits; what they say becomes scores."""
