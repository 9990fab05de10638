"""What language models are asked on behalf of editors, in dated files."""
