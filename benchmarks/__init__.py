"""What drums costs beside what else one could use, in the same run: `python -m benchmarks [--quick] [part ...]`.

Nothing is asserted here: times differ between machines and hours, ratios much less. Each client is measured in turn,
round after round, and its best round counts. What is compared is CPU time of this process; the server has its own.
"""
