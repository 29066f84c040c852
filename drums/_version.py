"""The version of this distribution, known without reading metadata. `pyproject.toml` says the same; a test compares."""

__version__ = "0.3.0"
