"""What reasoners are asked, in dated files."""
