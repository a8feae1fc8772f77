"""What a run has left behind."""

import time
from pathlib import Path


def left_after(mark: str, session: int = 0, within_s: float = 20.0) -> list[str]:
    """As `left_with`, once all have ended or so much time has passed: what is killed may take a moment."""
    deadline = time.monotonic() + within_s
    while (left := left_with(mark, session)) and time.monotonic() < deadline:
        time.sleep(0.2)
    return left


def left_with(mark: str, session: int = 0) -> list[str]:
    """Command lines of processes that were started with `mark` in their environment, or in a session, and live."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, in_session = path.joinpath("stat").read_text().rpartition(") ")[2].split()[:4]
            if state == "Z":
                continue
            if mark.encode() in (path / "environ").read_bytes() or int(in_session) == session != 0:
                found.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found
