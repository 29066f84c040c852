"""The steps of a release: the parts of tools/release.py."""
