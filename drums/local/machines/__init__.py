"""What runs desktops: the protocol that the daemon knows, and the machines that implement it."""
