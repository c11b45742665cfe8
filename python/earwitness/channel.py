"""The way to Earwitness from Python: one Node process, asked call after call.

    answer = call("align", {"alignments": True}, {"references": numbers, ...})
    answer.value["counts"], answer.arrays["lengths"]

It is started with the first call, and ends with this process. Threads may call at once; a forked process starts its own; Ctrl-C gives the call
up: a run hears of it and keeps its answers, what counts is ended with its process, and the next call starts another. A call goes as one frame, and so does what comes back: 4 bytes that say how long the JSON behind them is, the JSON,
and the arrays that it names, one after another (`src/channel/frames.ts` is the other end). Arrays are never JSON text.
"""
from __future__ import annotations

import array
import atexit
import itertools
import json
import os
import queue
import struct
import subprocess
import sys
import threading
from typing import IO, Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple, cast

from .errors import EarwitnessError
from .node import command

__all__ = ["Answer", "call", "floats"]

# Of the buffer protocol, as the frames call them; the platform's long is one of the two.
_TYPES = {"B": "u8", "h": "i16", "i": "i32", "I": "u32", "f": "f32", "d": "f64"}
_FORMATS = {name: code for code, name in _TYPES.items()}
if struct.calcsize("l") == 4:
    _TYPES["l"] = "i32"
# Seconds that a process may take to end what it does, once nobody asks any more.
_PATIENCE = 10.0
# Calls that stop when they are told to, and keep what they have.
_HEARING = ("run",)


class Answer(NamedTuple):
    """What a call gives: ``value`` as JSON has it, and arrays by name, which numpy takes as they are (``numpy.asarray``)."""

    value: Any
    arrays: Dict[str, "memoryview[Any]"]


# A handler of what is asked during a call: given the value and the arrays, it gives an answer, or a value alone.
Handler = Callable[[Any, Dict[str, "memoryview[Any]"]], Any]
_Frame = Tuple[Dict[str, Any], Dict[str, "memoryview[Any]"]]


def call(
    name: str,
    value: Any = None,
    arrays: Optional[Mapping[str, Any]] = None,
    on: Optional[Mapping[str, Handler]] = None,
) -> Answer:
    """Asks Earwitness.

    ``value`` is what JSON can say; ``arrays`` are numpy arrays, ``array.array`` or bytes, by name, each contiguous. ``on`` answers what is asked
    back while the call lasts (progress, a recognizer of the caller's), in the thread of the caller; an exception there ends the call with it.

    Raises ``EarwitnessError`` with the sentence of Earwitness.
    """
    return _process().ask(name, value, arrays or {}, on or {})


def floats(samples: "memoryview[Any]") -> Any:
    """Numbers of an answer as 32-bit floats of numpy; where there is none, of ``array``."""
    try:
        import numpy

        return numpy.asarray(samples, dtype=numpy.float32)
    except ImportError:
        return array.array("f", samples)


class _Process:
    """Node, with the calls that wait for it."""

    def __init__(self) -> None:
        program = command("--channel")
        # Ctrl-C at a terminal goes to all processes of a group: this one hears of it from here.
        apart: Dict[str, Any] = (
            {"creationflags": 0x00000200} if sys.platform == "win32" else {"start_new_session": True}
        )
        # Unbuffered: a buffer has a lock, which a process forked in the middle of reading would keep for ever.
        # Jupyter forces colours; where somebody wants none, Node complains of both.
        own = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
        self._child = subprocess.Popen(program, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=own, **apart)
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._calls: Dict[int, "queue.SimpleQueue[Optional[_Frame]]"] = {}
        self._ended = False
        threading.Thread(target=self._read, name="earwitness", daemon=True).start()

    def ask(self, name: str, value: Any, arrays: Mapping[str, Any], on: Mapping[str, Handler]) -> Answer:
        number = next(self._numbers)
        inbox: "queue.SimpleQueue[Optional[_Frame]]" = queue.SimpleQueue()
        self._calls[number] = inbox
        try:
            self._send({"id": number, "call": name, "value": value}, arrays)
            while True:
                frame = _next_of(inbox)
                if frame is None:
                    raise EarwitnessError(self._last_words())
                header, given = frame
                if "ask" not in header:
                    break
                asked = header["ask"]
                answer = on[asked](header["value"], given) if asked in on else None
                if header.get("answers"):
                    said = answer if isinstance(answer, Answer) else Answer(answer, {})
                    self._send({"id": number, "reply": header["answers"], "value": said.value}, said.arrays)
        except BaseException as error:
            # What counts does not hear of it before it is done, and whoever asks next would wait for that.
            if name not in _HEARING and not isinstance(error, Exception) and len(self._calls) == 1:
                self._ended = True
                self._child.kill()
            elif not self._ended:
                self._send({"id": number, "cancel": True}, {})
            raise
        finally:
            self._calls.pop(number, None)
        if "error" in header:
            error = header["error"]
            fault = "" if error["code"] is not None else "a bug in earwitness: %s\n%s" % (error["message"], error["stack"])
            raise EarwitnessError(fault or error["message"], error["code"])
        return Answer(header["value"], given)

    def close(self) -> None:
        """Ends the process once it has ended what it does."""
        self._ended = True
        try:
            _pipe(self._child.stdin).close()
        except OSError:
            pass
        try:
            self._child.wait(_PATIENCE)
        # Whoever presses Ctrl-C once more does not want to wait.
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            self._child.kill()
            self._child.wait()

    def is_running(self) -> bool:
        return not self._ended

    def forget(self) -> None:
        """In a forked process: its ends of the pipes are closed, so that the other hears when its own are."""
        for end in (self._child.stdin, self._child.stdout):
            try:
                os.close(_pipe(end).fileno())
            except OSError:
                pass
        # What Python does when the object goes must not wait for a child of another process.
        self._child.returncode = 0

    def _send(self, header: Dict[str, Any], arrays: Mapping[str, Any]) -> None:
        views = {name: memoryview(array) for name, array in arrays.items()}
        header["arrays"] = [[name, _TYPES[view.format.lstrip("<=@")], view.nbytes] for name, view in views.items()]
        text = _as_json(header)
        parts = [memoryview(struct.pack("<I", len(text)) + text), *(view.cast("B") for view in views.values() if view.nbytes > 0)]
        pipe = _pipe(self._child.stdin)
        try:
            with self._lock:
                for part in parts:
                    while len(part) > 0:
                        part = part[pipe.write(part) :]
        except OSError:
            self._ended = True
            raise EarwitnessError(self._last_words()) from None

    def _read(self) -> None:
        pipe = _pipe(self._child.stdout)
        try:
            while True:
                (length,) = struct.unpack("<I", _read(pipe, 4))
                header: Dict[str, Any] = json.loads(_read(pipe, length))
                arrays = {name: _numbers(_read(pipe, size), kind) for name, kind, size in header.pop("arrays")}
                waiting = self._calls.get(header["id"])
                if waiting is not None:
                    waiting.put((header, arrays))
        except (OSError, EOFError):
            pass
        self._ended = True
        for waiting in list(self._calls.values()):
            waiting.put(None)

    def _last_words(self) -> str:
        """What it wrote to standard error stands above."""
        code = self._child.wait()
        ended = "by signal %d" % -code if code < 0 else "with exit code %d" % code
        return "the process of Earwitness ended %s while it was asked; ask again, it is started anew" % ended


def _as_json(header: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(header, ensure_ascii=True, allow_nan=False, default=_plain).encode("ascii")
    except (TypeError, ValueError) as error:
        raise EarwitnessError("expected texts, finite numbers, lists and dicts alone, as JSON has them, but: %s" % error, "bad-usage") from None


def _plain(value: Any) -> Any:
    """Numbers of numpy as JSON has them, and paths."""
    if hasattr(value, "item") and not getattr(value, "shape", ()):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(cast("os.PathLike[str]", value))
    raise TypeError("there is a value of the type %s" % type(value).__name__)


def _read(pipe: IO[bytes], count: int) -> bytearray:
    data = bytearray(count)
    rest = memoryview(data)
    while len(rest) > 0:
        got: int = pipe.readinto(rest)  # type: ignore[attr-defined]
        if got == 0:
            raise EOFError
        rest = rest[got:]
    return data


def _numbers(data: bytearray, kind: str) -> "memoryview[Any]":
    view: Any = memoryview(data)
    return view.cast(_FORMATS[kind])  # type: ignore[no-any-return]


def _pipe(end: Optional[IO[bytes]]) -> IO[bytes]:
    assert end is not None
    return end


def _next_of(inbox: "queue.SimpleQueue[Optional[_Frame]]") -> Optional[_Frame]:
    # On Windows nothing interrupts a wait without an end.
    while sys.platform == "win32":
        try:
            return inbox.get(timeout=0.5)
        except queue.Empty:
            pass
    return inbox.get()


_current: Optional[_Process] = None
_starting = threading.Lock()


def _process() -> _Process:
    global _current
    if sys.is_finalizing():
        raise EarwitnessError("Python is ending, and nothing can be asked of earwitness any more; call it before", "bad-usage")
    with _starting:
        if _current is None or not _current.is_running():
            _current = _Process()
        return _current


def _close() -> None:
    global _current
    if _current is not None:
        _current.close()
    _current = None


def _after_fork() -> None:
    global _current, _starting
    if _current is not None:
        _current.forget()
    _current, _starting = None, threading.Lock()


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
