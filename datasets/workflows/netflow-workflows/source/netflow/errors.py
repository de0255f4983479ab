"""What can go wrong, in words for the person at the keyboard."""


class NetflowError(Exception):
    """The command cannot go on. The message is shown as it is; the exit status is 2."""


class CaptureError(NetflowError):
    """A file is not a capture that we can read, or is damaged."""
