"""What runs inside a desktop, by the desktop's own Python (3.10 or later): session and agent.

The host copies this package into the image and starts it as `python3 -m inside`; nothing outside it is imported but the
standard library, Xlib and pyautogui. Invariant: it never runs on the host.
"""
