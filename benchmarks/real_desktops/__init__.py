"""What real desktops cost on this host, through the HTTP API, beside stock runc in the same run.

`python -m benchmarks.real_desktops [--image desktop] [--rounds N]`, as root on a host that `drums setup` prepared.
Medians and 95th percentiles of wall time. What gates take (a second of quiet before a capture, five seconds until a
desktop counts as alive) is printed apart, since it is a wait and not work.
"""
