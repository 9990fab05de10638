"""What a machine sees in a picture: text, blocks, tables."""
