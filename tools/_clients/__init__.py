"""Clients in other languages: the generator of each, what it needs of the spec, and a trial against a local daemon."""
