"""Checks any Drums daemon against the API: `drums conform URL`.

Scenarios (`scenarios/`) do what a client does and hold every reply to the spec and to what the API promises; with
schemathesis installed, requests made from the spec are sent as well (`fuzzing`). It speaks the wire's own words and not
the SDK's, since an SDK that mends or refuses a reply would hide what is wrong with it.

Invariant: no request names a desktop or a saved state that the run did not make (`visit`), and whatever it made is
closed at its end.
"""
