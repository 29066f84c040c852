"""The desktop's user: who actions run as, and what they find in their environment."""

from __future__ import annotations

import os

UID = 1000
GID = 1000
HOME = "/home/user"
RUNTIME_FOLDER = "/run/user/1000"
AGENT_FOLDER = "/run/agent"
SOCKET = AGENT_FOLDER + "/socket"
FRAME_FOLDER = "/run/fb"
DISPLAY = ":0"

ENVIRONMENT = {
    "HOME": HOME,
    "USER": "user",
    "LOGNAME": "user",
    "SHELL": "/bin/bash",
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games",
    "LANG": "C.UTF-8",
    "DISPLAY": DISPLAY,
    "XDG_RUNTIME_DIR": RUNTIME_FOLDER,
    "XDG_SESSION_TYPE": "x11",
    "XDG_CURRENT_DESKTOP": "LXDE",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + RUNTIME_FOLDER + "/bus",
    "GSETTINGS_BACKEND": "keyfile",
    "NO_AT_BRIDGE": "1",
    "LIBGL_ALWAYS_SOFTWARE": "1",
}


def become() -> None:
    """Turn this process into one of the user's, for good."""
    os.setgroups([GID])
    os.setgid(GID)
    os.setuid(UID)
    os.chdir(HOME)
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
