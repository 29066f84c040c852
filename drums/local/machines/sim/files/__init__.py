"""The disk of a simulated desktop: an immutable tree, paths and permissions over it, and what folders show."""
