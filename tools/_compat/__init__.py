"""What changed between the released API and this checkout's: the parts of tools/check_compat.py."""
