# Generated from drums/aio/__init__.py by tools/generate_sync.py. Edit that file.
"""The sync SDK; its public names are those of `drums`."""
