"""Starts the session, then serves the host until the desktop ends. What goes wrong is told in the agent's log."""

import os
import sys

from . import person
from .agent import Agent
from .hands import Hands
from .session import Session, make_folders


def main() -> None:
    """Run for as long as the desktop does."""
    make_folders()
    log = os.open(person.AGENT_FOLDER + "/log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, sys.stderr.fileno())
    os.close(log)
    session = Session()
    session.start()
    Agent(session, Hands()).serve()


if __name__ == "__main__":
    main()
