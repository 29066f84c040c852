# Generated from drums/hybrid/aio/__init__.py by tools/generate_sync.py. Edit that file.
"""The sync tools; their public names are those of `drums.hybrid`."""
