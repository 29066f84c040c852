"""The id of a saved state, as its own type."""

from __future__ import annotations


class State(str):
    """A saved desktop's id: what `env.save()` and `fork(n).state` give, and `create(from_state=)` takes.

    It is a plain text everywhere else. The state itself lives on the server until its lease ends it or
    `client.delete_state(state)` does.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"State({str.__repr__(self)})"
