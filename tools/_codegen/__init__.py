"""What `tools/generate.py` is made of; it is a tool of this repository and no part of the SDK."""
