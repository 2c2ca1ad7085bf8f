"""What goes wrong, by kind. The messages are those of the C++ library: one line that says what, where, and what was
expected."""


class Error(Exception):
    """Root of every error that dshn raises on purpose."""


class UsageError(Error, ValueError):
    """Something was asked for that does not exist or does not fit."""


class InvalidInput(Error, ValueError):
    """The data are wrong: an unreadable or malformed file, an inconsistent hypergraph."""


class Failure(Error, RuntimeError):
    """The world did not cooperate: a full disk, no network, no such device."""


class Interrupted(Error, KeyboardInterrupt):
    """Ctrl-C stopped a training. A run with a folder can be gone on with: ``dshn.train(..., out=folder, resume=True)``."""
