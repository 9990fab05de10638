"""EBench's built-in set: pictures with a known edit, and editors that are good by construction."""
