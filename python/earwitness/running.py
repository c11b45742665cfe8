"""Runs of a config, with recognizers of the caller's."""
from __future__ import annotations

import os
import sys
import traceback
from typing import Any, Callable, Dict, Mapping, Optional, Union, cast

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
    numpy array at 16 kHz; a ``transformers`` pipeline for speech is taken as it is. An exception in one is the failure of that clip. Each new
    run asks functions anew, unless ``revision`` says of what version they are. ``progress`` shows how far it is on standard error (by default at a
    terminal or in a notebook). ``limit``, ``workers`` and ``new`` are the command's options.

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
        "functions": {name: {"rate": _RATE, "revision": revision} for name in functions},
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
        if kind == "warning":
            self._line("")
            sys.stderr.write("%s\n" % event["message"])
        if not self._shown:
            return
        if kind == "progress":
            done = event["answered"] + event["failed"]
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
