"""The shell of a simulated desktop: just-bash over its disk, with the programs that a desktop has besides."""
