"""One writer for each run folder."""

import errno
import fcntl
import os
from pathlib import Path

from localeval.errors import StoreError


class FolderLock:
    """A lock on `run.lock` in a run folder, held until `release`, or until the process dies, however it dies.

    A process that is forked, not spawned, while the lock is held shares it: the lock then lasts as long as both.
    """

    def __init__(self, descriptor: int | None, is_writer: bool) -> None:
        self._descriptor = descriptor
        self._is_writer = is_writer

    @classmethod
    def to_write(cls, folder: Path) -> "FolderLock":
        """The lock of the one process that may write; raises StoreError naming the process that has it."""
        path = folder / "run.lock"
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(
                f"{folder} cannot be written ({error.strerror}): name another folder or change its permissions"
            ) from error
        if not _lock(descriptor, fcntl.LOCK_EX, folder):
            holder = _holder(descriptor)
            os.close(descriptor)
            raise StoreError(f"another localeval ({holder}) is working on {folder}: wait for it, or stop it")
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"pid {os.getpid()}".encode(), 0)
        return cls(descriptor, is_writer=True)

    @classmethod
    def to_read(cls, folder: Path) -> "FolderLock | None":
        """A lock that keeps writers away while this process reads, or None where a writer has the folder now.

        Changes nothing in the folder; one without a lock file, or read-only, gives a lock too.
        """
        try:
            descriptor = os.open(folder / "run.lock", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return cls(None, is_writer=False)
        if _lock(descriptor, fcntl.LOCK_SH, folder):
            return cls(descriptor, is_writer=False)
        os.close(descriptor)
        return None

    def release(self) -> None:
        """Lets others in; may be called twice. The lock file stays: deleting it would race with the next process."""
        if self._descriptor is not None:
            if self._is_writer:
                os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None


def _lock(descriptor: int, kind: int, folder: Path) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES):
            return False
        os.close(descriptor)
        raise StoreError(
            f"{folder} is on a file system without locks ({error.strerror}): use a folder on a local disk"
        ) from error
    return True


def _holder(descriptor: int) -> str:
    text = os.pread(descriptor, 64, 0).decode("ascii", "replace")
    number = text.removeprefix("pid ")
    # a process that reads holds the lock without writing its name; what stands there may be of a writer that was killed
    return text if number.isdecimal() and _is_alive(int(number)) else "reading it"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
