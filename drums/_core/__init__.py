"""The SDK without I/O: settings, arguments to calls, replies to values or errors, when to retry, what is owned.

Nothing here opens a socket, starts a thread or knows an event loop; it reads the environment, token and task files,
no more.
"""
