"""The command ``earwitness``."""
from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from .errors import EarwitnessError
from .node import command

__all__ = ["main"]


def main() -> NoReturn:
    """Becomes the command, with the arguments of this process."""
    try:
        line = command(*sys.argv[1:])
    except EarwitnessError as error:
        sys.stderr.write("earwitness: %s\n" % error)
        sys.exit(5)
    if sys.platform != "win32":
        os.execv(line[0], line)
    # Windows has no exec. Ctrl-C reaches both; the command decides what comes of it.
    child = subprocess.Popen(line)
    while True:
        try:
            sys.exit(child.wait())
        except KeyboardInterrupt:
            pass
