"""Runs of a config, with recognizers of the caller's."""
from __future__ import annotations

import dis
import functools
import hashlib
import os
import sys
import traceback
import types
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Set, Union, cast

from .channel import call, floats
from .errors import EarwitnessError
from .given import by_name, kind
from .result import Report

__all__ = ["run"]

# Of a corpus and of what it is asked: the samples (32-bit floats, full scale ±1), their rate, the language.
Recognizer = Callable[[Any, int, str], Any]

_RATE = 16_000


def run(
    config: Union[str, "os.PathLike[str]", Mapping[str, Any]] = "earwitness.config.yaml",
    recognizers: Optional[Mapping[str, Union[Recognizer, Any]]] = None,
    *,
    progress: Optional[bool] = None,
    limit: Optional[int] = None,
    workers: Optional[int] = None,
    new: bool = False,
    revision: Optional[str] = None,
) -> Report:
    """Runs a config as ``earwitness run`` does, and gives what was found; the report is written where the config says.

    ``config`` is a file, or a dict of the same content (paths are then meant from the current folder). Its ``corpus`` may be a split of Hugging Face
    ``datasets`` with audio. ``recognizers`` are functions of yours beside those of the config: ``mine(audio, rate, language)`` gives the text of a
    numpy array at 16 kHz; a ``transformers`` pipeline for speech is taken as it is. An exception in one is the failure of that clip. A
    run that was stopped goes on where it was, unless a function has been changed since (``new=True``: in any case it begins anew). One that has
    ended asks functions everything again when it is called again; with ``revision``, a text of yours that says which version they are, answers of
    that version are kept. ``progress`` shows how far it is on standard error (by default at a terminal or in a notebook). ``limit``, ``workers`` and
    ``new`` are the command's options. Of a dict whose corpus tells no language it is guessed from the references, as ``compare`` does.

    >>> report = earwitness.run("earwitness.config.yaml", {"mine": lambda audio, rate, language: model(audio)})

    Raises ``EarwitnessError`` with the command's own sentence.
    """
    own = {} if recognizers is None else by_name(recognizers, "name", "recognizers", "mine", "functions", "function")
    functions = {name: _function(given) for name, given in own.items()}
    if not isinstance(config, (str, os.PathLike, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EarwitnessError("expected a file or a dict as the config, but got %s" % kind(config), "bad-usage")
    given: Any = os.fspath(config) if not isinstance(config, Mapping) else _plain(config)
    bar = _Progress(_is_watched() if progress is None else progress)
    value = {
        "config": given,
        "functions": {name: {"rate": _RATE, "revision": revision, "fingerprint": _fingerprint(function)} for name, function in own.items()},
        "baseFolder": os.getcwd(),
        "limit": limit,
        "workers": workers,
        "anew": new,
    }

    def recognize(asked: Mapping[str, Any], arrays: Mapping[str, Any]) -> Dict[str, Any]:
        try:
            given: Any = functions[asked["name"]](floats(arrays["samples"]), asked["rate"], asked["language"])
        # Libraries made for command lines call sys.exit.
        except SystemExit as error:
            return {"failure": "%s called sys.exit(%r)" % (asked["name"], error.code)}
        except Exception as error:
            return {"failure": "".join(traceback.format_exception_only(type(error), error)).strip()}
        text: Any = cast(Mapping[str, Any], given).get("text") if isinstance(given, Mapping) else given
        if isinstance(text, str):
            return {"text": text}
        return {"failure": "expected a text or {\"text\": …}, but %s gave %s" % (asked["name"], type(cast(Any, given)).__name__)}

    try:
        told = call("run", value, None, {"recognize": recognize, "event": bar.told}).value
    finally:
        bar.end()
    return Report(told["report"], told, told["page"])


def _function(given: Any) -> Recognizer:
    if getattr(given, "task", None) == "automatic-speech-recognition":
        return lambda audio, rate, language: given({"raw": audio, "sampling_rate": rate})
    if callable(given):
        return given  # type: ignore[no-any-return]
    raise EarwitnessError("expected a function or a pipeline for speech as a recognizer, but got %s" % kind(given), "bad-config")


def _fingerprint(function: Any) -> str:
    """SHA-256 of what a function does, as far as it can be seen: an answer of one that was edited meanwhile is another's."""
    return hashlib.sha256(repr(_Parts().of(function)).encode("utf-8", "backslashreplace")).hexdigest()


class _Parts:
    """What a function is made of, alike in every process: its code, and the constants and functions of its own module that it uses; of objects
    their class."""

    def __init__(self) -> None:
        self._seen: Set[int] = set()
        self._home: Optional[Dict[str, Any]] = None

    def of(self, given: Any) -> Any:
        if given is None or isinstance(given, (bool, int, float, complex, str, bytes)):
            return repr(given)
        # Without the order of sets, which is another in each process.
        if isinstance(given, (tuple, frozenset)):
            parts = [self.of(one) for one in cast("tuple[Any, ...]", given)]
            return parts if isinstance(given, tuple) else sorted(map(repr, parts))
        if isinstance(given, functools.partial):
            whole = cast("functools.partial[Any]", given)
            return [self.of(one) for one in (whole.func, whole.args, tuple(sorted(whole.keywords.items())))]
        if id(given) in self._seen:
            return "again"
        self._seen.add(id(given))
        if isinstance(given, types.CodeType):
            # Not where it stands: a cell of a notebook may move.
            return [given.co_code, given.co_names, self.of(given.co_consts)]
        if isinstance(given, types.MethodType):
            return [self.of(given.__func__), self.of(given.__self__)]
        if isinstance(given, types.FunctionType):
            return self._of_function(given)
        kind = cast(Any, given if isinstance(given, type) else type(given))
        called: Any = getattr(kind, "__call__", None)
        own = self.of(called) if isinstance(called, types.FunctionType) else None
        return [kind.__module__, kind.__qualname__, own]

    def _of_function(self, given: types.FunctionType) -> List[Any]:
        self._home = given.__globals__ if self._home is None else self._home
        codes = list(_codes(given.__code__))
        # What others wrote is not gone through: its code says enough.
        outside = given.__globals__ if given.__globals__ is self._home else {}
        around: Dict[str, Any] = {name: outside[name] for code in codes for name in code.co_names if name in outside}
        for name, cell in zip(given.__code__.co_freevars, given.__closure__ or ()):
            try:
                around[name] = cell.cell_contents
            except ValueError:
                pass
        # What it changes itself (a counter) is none of what it is.
        steps = (step for code in codes for step in dis.get_instructions(code))
        written = {step.argval for step in steps if step.opname in ("STORE_GLOBAL", "STORE_DEREF")}
        used = tuple((name, value) for name, value in sorted(around.items(), key=lambda pair: pair[0]) if name not in written)
        named = tuple(sorted((given.__kwdefaults__ or {}).items()))
        return [self.of(one) for one in (given.__code__, given.__defaults__, named, used)]


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from _codes(one)


def _plain(config: Mapping[str, Any]) -> Dict[str, Any]:
    """The config, with a split of ``datasets`` written where a corpus can be read from."""
    corpus = config.get("corpus")
    if not hasattr(corpus, "features"):
        return dict(config)
    from .splits import write_split

    return {**config, "corpus": {"type": "manifest", "file": write_split(corpus, os.path.join(os.getcwd(), ".earwitness"))}}


def _is_watched() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class _Progress:
    """One line on standard error."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown
        self._said = ""

    def told(self, event: Mapping[str, Any], _: Any) -> None:
        kind = event["type"]
        if kind == "run" and event["resumed"]:
            self._line("")
            kept = "%d of %d answers are kept" % (event["answered"], event["trials"])
            sys.stderr.write("continuing the interrupted run: %s; new=True asks anew\n" % kept)
        if kind == "warning":
            self._line("")
            sys.stderr.write("%s\n" % event["message"])
        if not self._shown:
            return
        if kind == "progress":
            # With those that failed.
            done = event["answered"]
            left = event["secondsLeft"]
            share = 0.0 if event["size"] == 0 else done / event["size"]
            bar = ("█" * round(30 * share)).ljust(30, "░")
            self._line("%s %d of %d%s" % (bar, done, event["size"], "" if left is None else ", %.0f s left" % left))
        elif kind in ("preparing", "reporting", "analysing", "computing"):
            self._line(str(event.get("message") or event.get("what") or event.get("study") or ""))

    def end(self) -> None:
        self._line("")

    def _line(self, text: str) -> None:
        if not self._shown or (text == "" and self._said == ""):
            return
        sys.stderr.write("\r%s\r%s" % (" " * len(self._said), text))
        sys.stderr.flush()
        self._said = text
