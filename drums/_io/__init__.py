"""Everything that waits, written twice: `aio` on an event loop, `sync` on threads, with the same names and signatures.

`drums/aio` is written against `aio`; the tool that makes `drums/_sync` from it puts `sync` in its place. So what a name
means must be the same on both sides, up to `await`. HTTP libraries are imported here alone, and only when a `Transport`
sends its first request.
"""
