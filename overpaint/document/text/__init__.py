"""Text: fonts on this machine, words set in them, and the font of words that stand in a picture."""
