"""Recognizers, voices, embedders and predictors in Python: what Earwitness starts and asks (docs/protocol.md).

The standard library alone; audio comes as a numpy array of 32-bit floats where numpy is installed, else as ``array.array('f')``.
"""
from __future__ import annotations

import array
import ast
import base64
import json
import os
import queue
import runpy
import sys
import sysconfig
import threading
import traceback
from typing import Any, Callable, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, Tuple, Union, cast

__all__ = ["Refused", "device", "embed", "predict", "serve", "speak", "worker"]

PROTOCOL = 1
Audio = Any  # numpy.ndarray of float32, or array.array('f')
Answer = Union[str, Dict[str, Any]]

_numpy: Any
try:
    import numpy as _numpy  # type: ignore[import-not-found, no-redef, unused-ignore]
except ImportError:
    _numpy = None

_protocol_in: Any = None
_protocol_out: Any = None


_KINDS = ("error", "sound", "refused", "unavailable", "garbage", "timeout", "crash", "unknown-utterance")
# What ends a function of the user's without ending the process: libraries made for command lines call sys.exit.
_Ended = (Exception, SystemExit)


class Refused(Exception):
    """Raise it for a clip that your model will not recognize; ``kind`` is one of the protocol's kinds of failure."""

    def __init__(self, message: str, kind: str = "refused", retryable: bool = False) -> None:
        super().__init__(message)
        if kind not in _KINDS:
            raise ValueError("expected a kind of failure (%s), but got %r" % (", ".join(_KINDS), kind))
        self.kind = kind
        self.retryable = retryable


def worker() -> int:
    """The number of this process among the workers of the config, from 0."""
    return int(os.environ.get("EARWITNESS_WORKER", "0"))


def device(default: str = "cpu") -> str:
    """The device that the config gives this worker: ``cuda:1``."""
    return os.environ.get("EARWITNESS_DEVICE", default)


def _by_hand(problem: str) -> NoReturn:
    """Ends a script that nobody asks by the lines of the protocol."""
    script = os.path.basename(sys.argv[0]) or "SCRIPT.py"
    sys.stderr.write("%s %s: type: earwitness recognize FILE -r python:%s, or earwitness conformance %s\n" % (script, problem, script, script))
    sys.stderr.flush()
    os._exit(2)


def _take_output() -> None:
    """From here on only the protocol has standard input and output: what anybody prints, libraries in C too, goes to standard error."""
    global _protocol_in, _protocol_out
    if _protocol_out is not None:
        return
    if os.isatty(0):
        _by_hand("is started by Earwitness, which asks it on standard input")
    sys.stdout.flush()
    _protocol_in = os.fdopen(os.dup(0), "rb")
    _protocol_out = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="backslashreplace")


_lock = threading.Lock()


def _say(message: Dict[str, Any]) -> None:
    line = json.dumps(message, ensure_ascii=True).encode("ascii") + b"\n"
    with _lock:
        _protocol_out.write(line)
        _protocol_out.flush()


def _line(raw: bytes) -> Dict[str, Any]:
    try:
        line: Any = json.loads(raw)
    except ValueError:
        line = None
    if isinstance(line, dict):
        return cast(Dict[str, Any], line)
    _by_hand("expected lines of Earwitness on standard input, but got %s" % ascii(raw[:40].decode("latin-1").strip()))


def serve(
    transcribe: Callable[..., Any],
    *,
    name: Optional[str] = None,
    version: str = "0",
    languages: Union[str, Sequence[str], None] = None,
    rate: int = 16000,
    batch: int = 1,
    stream: Optional[Callable[[Iterator[Audio], int, str], Iterable[Answer]]] = None,
    facts: Optional[Dict[str, Any]] = None,
) -> None:
    """Answers until it is told to end.

    ``transcribe(audio, rate, language)`` gives the text, or ``{"text": …, "words": [{"text", "start", "end", "confidence"}], …}``. With
    ``batch`` above 1 it is given lists, ``transcribe(audios, rate, languages)``, and gives a list of as many answers. ``stream(chunks,
    rate, language)`` yields what it has recognized so far; what it yields last is the transcript. ``rate`` is the rate in Hz that audio
    is wanted at. An exception is the failure of its clip alone.
    """
    _take_output()
    source: Any = _protocol_in
    inbox: "queue.Queue[Optional[Dict[str, Any]]]" = queue.Queue()
    cancelled: "set[int]" = set()
    streams: Dict[int, "queue.Queue[Optional[Audio]]"] = {}

    def read() -> None:
        # Beside the recognizing, so that it hears of what is given up, and answers "ping", while the model computes.
        for raw in iter(source.readline, b""):
            line = _line(raw)
            data = source.read(line.get("bytes", 0))
            what: Any = line.get("say")
            which: Any = line.get("id")
            if what == "ping":
                _say({"say": "pong", "id": which})
            elif what == "cancel":
                cancelled.add(which)
                if which in streams:
                    streams.pop(which).put(None)
            elif what == "chunk":
                if which in streams:
                    streams[which].put(_audio(data))
            elif what == "end":
                if which in streams:
                    streams.pop(which).put(None)
            elif what == "close":
                break
            else:
                if what == "stream":
                    streams[which] = line["chunks"] = queue.Queue()
                line["data"] = data
                inbox.put(line)
        inbox.put(None)

    threading.Thread(target=read, daemon=True).start()
    for line in iter(inbox.get, None):
        what = line.get("say")
        if what == "hello":
            more: Dict[str, Any] = {"batch": batch, "streams": stream is not None}
            if languages:
                more["languages"] = _tags(languages)
            if "EARWITNESS_DEVICE" in os.environ:
                more["device"] = device()
            _hello("recognize", name, version, facts, {"sampleRate": rate, **more})
        elif what == "open":
            _say({"say": "opened"})
        elif what == "recognize":
            _recognize(line, transcribe, rate, batch, cancelled)
            cancelled.clear()
        elif what == "stream":
            _stream(line, stream, rate, cancelled)
            cancelled.clear()
    # Threads of libraries, and a model on a device, may not let Python end by itself.
    sys.stderr.flush()
    os._exit(0)


def _tags(languages: Union[str, Sequence[str]]) -> List[str]:
    return [languages] if isinstance(languages, str) else list(languages)


def _hello(does: str, name: Optional[str], version: str, facts: Optional[Dict[str, Any]], more: Dict[str, Any]) -> None:
    own = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    said = {"say": "hello", "protocol": PROTOCOL, "does": does, "name": name or own or "python", "version": str(version)}
    _say({**said, **more, "facts": facts or {}})


def _answer_lines(
    does: str, hello: Callable[[], None], answer: Callable[[Dict[str, Any]], Dict[str, Any]], asked: Any = None
) -> None:
    """Answers one line after another until it is told to end. An exception is the failure of its line alone; ``asked`` is the user's function."""
    _take_output()
    source: Any = _protocol_in
    for raw in iter(source.readline, b""):
        line = _line(raw)
        source.read(line.get("bytes", 0))
        what: Any = line.get("say")
        which: Any = line.get("id")
        if what == "hello":
            hello()
        elif what == "open":
            _say({"say": "opened"})
        elif what == "ping":
            _say({"say": "pong", "id": which})
        elif what == "close":
            break
        elif what == does:
            try:
                message = _as_json(answer(line))
            except _Ended as error:
                _fail(which, error, asked)
            else:
                _say({**message, "id": which})
    sys.stderr.flush()
    os._exit(0)


def _audio(data: bytes) -> Audio:
    if _numpy is not None:
        return _numpy.frombuffer(data, dtype="<f4").copy()
    samples = array.array("f", data)
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def _recognize(
    line: Dict[str, Any], transcribe: Callable[..., Any], rate: int, batch: int, cancelled: "set[int]"
) -> None:
    clips: List[Dict[str, Any]] = []
    start = 0
    for clip in line["clips"]:
        end = start + 4 * clip["samples"]
        clips.append({**clip, "audio": _audio(line["data"][start:end])})
        start = end
    if batch > 1 and len(clips) > 1:
        try:
            answers = _batch(transcribe, clips, rate)
        except _Ended:
            # One by one, to see which clip it was: what is too much together may fit alone.
            traceback.print_exc()
        else:
            for clip, answer in zip(clips, answers):
                _tell(clip["id"], answer, transcribe)
            return
    for clip in clips:
        if clip["id"] in cancelled:
            _say({"say": "failure", "id": clip["id"], "message": "cancelled"})
            continue
        try:
            if batch > 1:
                (answer,) = _batch(transcribe, [clip], rate)
            else:
                answer = transcribe(clip["audio"], rate, clip["language"])
        except _Ended as error:
            _fail(clip["id"], error, transcribe)
        else:
            _tell(clip["id"], answer, transcribe)


def _batch(transcribe: Callable[..., Any], clips: List[Dict[str, Any]], rate: int) -> List[Any]:
    given: Any = transcribe([clip["audio"] for clip in clips], rate, [clip["language"] for clip in clips])
    if given is None or isinstance(given, (str, dict)):
        kind = _kind(cast(object, given))
        raise _Wrong("expected a list of answers, one for each clip of the batch, but your function gave %s" % kind)
    answers: List[Any] = list(given)
    if len(answers) != len(clips):
        raise _Wrong("expected as many answers as clips in the batch (%d), but your function gave %d" % (len(clips), len(answers)))
    return answers


def _stream(line: Dict[str, Any], stream: Any, rate: int, cancelled: "set[int]") -> None:
    which = line["id"]
    chunks: Iterator[Audio] = iter(line["chunks"].get, None)
    last: Answer = ""
    try:
        for answer in stream(chunks, rate, line["language"]):
            last = answer
            if which in cancelled:
                break
            _say({**_answer(answer), "say": "partial", "id": which})
    except _Ended as error:
        _fail(which, error, stream)
    else:
        _tell(which, last, stream)


def _answer(answer: Any) -> Dict[str, Any]:
    if isinstance(answer, str):
        return {"text": answer}
    if isinstance(answer, dict):
        told = cast(Dict[str, Any], answer)
        if isinstance(told.get("text"), str):
            return {name: told[name] for name in ("text", "words", "details") if told.get(name) is not None}
    raise _Wrong('expected a text or {"text": …}, but your function gave %s' % _kind(cast(object, answer)))


def _kind(value: object) -> str:
    return type(value).__name__


def _plain(value: Any) -> Any:
    """Numbers of numpy and torch as JSON has them."""
    return value.item() if hasattr(value, "item") else str(value)


def _as_json(value: Any) -> Any:
    try:
        return json.loads(json.dumps(value, default=_plain, allow_nan=False))
    except ValueError as error:
        if "Out of range" not in str(error):
            raise
        raise _Wrong("expected finite numbers, but your function gave NaN or infinity") from None


class _Wrong(Exception):
    """What a function gave is no answer."""


def _tell(which: int, answer: Any, asked: Any) -> None:
    try:
        message = _as_json(_answer(answer))
    except Exception as error:  # noqa: BLE001
        _fail(which, error, asked)
    else:
        _say({"say": "transcript", "id": which, **message})


def _fail(which: int, error: BaseException, asked: Any) -> None:
    if not isinstance(error, (Refused, _Wrong)):
        traceback.print_exception(type(error), error, error.__traceback__)
    _say({"say": "failure", "id": which, **_failure(error, asked)})


_LIBRARIES = tuple({os.path.join(path, "") for name, path in sysconfig.get_paths().items() if name.endswith("lib")})
_HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")


def _place(error: BaseException, asked: Any = None) -> str:
    """``my_model.py:12: ``: the innermost line of the user's own that an exception came through, else where the function begins."""
    if isinstance(error, SyntaxError) and error.filename:
        return "%s:%s: " % (os.path.basename(error.filename), error.lineno)
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        foreign = file.startswith("<") or file.startswith(_LIBRARIES) or "-packages" + os.sep in file
        if not foreign and not os.path.abspath(file).startswith(_HERE):
            return "%s:%d: " % (os.path.basename(file), line)
    code = getattr(asked, "__code__", None)
    return "" if code is None else "%s:%d: " % (os.path.basename(code.co_filename), code.co_firstlineno)


def _failure(error: BaseException, asked: Any = None) -> Dict[str, Any]:
    """What an exception is to a reader: one sentence, and its kind."""
    text = " ".join(str(error).split()) or "no message"
    if isinstance(error, Refused):
        return {"kind": error.kind, "message": text, "retryable": error.retryable}
    if type(error).__name__ == "OutOfMemoryError" or "CUDA out of memory" in text:
        return {"kind": "error", "message": "the device has no memory for this (%s); make `batch` smaller" % text[:300]}
    if isinstance(error, MemoryError):
        return {"kind": "error", "message": "this machine has no memory for this; make `batch` or `workers` smaller"}
    place = _place(error, asked)
    if isinstance(error, _Wrong):
        return {"kind": "garbage", "message": place + text}
    if isinstance(error, SystemExit):
        return {"kind": "error", "message": "%syour function called sys.exit(%r)" % (place, error.code)}
    if isinstance(error, ModuleNotFoundError):
        message = "the Python package of %s is missing; install it for %s" % (error.name, os.path.basename(sys.executable))
        if sys.prefix == sys.base_prefix:
            message += ", or let `python` be the one that has it (.venv/bin/python)"
        return {"kind": "refused", "message": place + message}
    if isinstance(error, SyntaxError):
        text = str(error.msg)
    return {"kind": "error", "message": "%s%s: %s" % (place, type(error).__name__, text[:600])}


def speak(
    say: Callable[..., Any],
    *,
    rate: int = 24000,
    voices: Sequence[Union[str, Dict[str, Any]]] = (),
    clones: bool = False,
    name: Optional[str] = None,
    version: str = "0",
    facts: Optional[Dict[str, Any]] = None,
) -> None:
    """Speaks until it is told to end.

    ``say(text, voice, language)`` gives mono samples, full scale +-1, as numpy or torch has them or as any list of numbers; or
    ``(samples, rate)`` where their rate in Hz is not ``rate``. ``voices`` are names, or ``{"name", "language", "attributes": {"sex": …}}``.
    With ``clones`` it is called as ``say(text, voice, language, reference)``: the path of a clip whose voice it is to be, or None. An
    exception is the failure of its text alone.
    """
    named = [{"name": one, "language": "en"} if isinstance(one, str) else one for one in voices]

    def answer(line: Dict[str, Any]) -> Dict[str, Any]:
        asked = [line["text"], line["voice"], line["language"]]
        spoken: Any = say(*asked, line.get("reference")) if clones else say(*asked)
        samples, own = cast(Tuple[Any, Any], spoken) if isinstance(spoken, tuple) else (spoken, rate)
        return {"say": "speech", "audio": base64.b64encode(_floats(samples)).decode("ascii"), "sampleRate": int(own)}

    more = {"sampleRate": rate, "voices": named, "clones": clones}
    _answer_lines("speak", lambda: _hello("speak", name, version, facts, more), answer, say)


def embed(
    vectors: Callable[[List[str]], Any],
    *,
    languages: Union[str, Sequence[str], None] = None,
    max_tokens: Optional[int] = None,
    batch: int = 1024,
    name: Optional[str] = None,
    version: str = "0",
    facts: Optional[Dict[str, Any]] = None,
) -> None:
    """Gives vectors of sentences until it is told to end.

    ``vectors(sentences)`` gives as many vectors, as rows of a numpy array or torch tensor or as lists of numbers, of any length but 0; None
    where there is none of a sentence. Where it gives ``{"vector": …, "tokens": …}``, and ``max_tokens`` says how many tokens are read, a
    sentence that was cut is told. ``languages`` are those that the model was made for.
    """
    more: Dict[str, Any] = {"batch": batch}
    if languages:
        more["languages"] = _tags(languages)
    if max_tokens is not None:
        more["maxTokens"] = int(max_tokens)

    def answer(line: Dict[str, Any]) -> Dict[str, Any]:
        given = list(vectors(line["texts"]))
        return {"say": "vectors", "vectors": [{**one, "vector": _row(one["vector"])} if isinstance(one, dict) else _row(one) for one in given]}

    _answer_lines("embed", lambda: _hello("embed", name, version, facts, more), answer, vectors)


def _row(vector: Any) -> Optional[List[float]]:
    return None if vector is None else [float(number) for number in vector]


def predict(
    fit: Callable[[List[str], List[int], int], Any],
    score: Callable[[Any, List[str]], Any],
    *,
    name: Optional[str] = None,
    version: str = "0",
    facts: Optional[Dict[str, Any]] = None,
) -> None:
    """Learns which texts fail, and says what is to be expected of others, until it is told to end.

    ``fit(texts, labels, seed)`` learns from texts and labels of 0 and 1, both of which occur, and gives a model; ``score(model, texts)``
    gives the chance of 1 for each text. Both are called for the two stages of CrossASR: whether any recognizer gets a text right, and
    whether any fails where one does. Where the config counts failed tests, the second chance is turned into the share of recognizers
    that is to be expected: as many as failed on failing texts so far. Everything random must begin with ``seed``.
    """

    def stage(texts: List[str], labels: List[int], pool: List[str], seed: int) -> List[float]:
        if len(set(labels)) < 2:  # nothing to learn: the share that Jeffreys' prior gives
            return [(sum(labels) + 0.5) / (len(labels) + 1)] * len(pool)
        return [float(chance) for chance in score(fit(texts, labels, seed), pool)]

    def answer(line: Dict[str, Any]) -> Dict[str, Any]:
        tried, pool, seed = line["tried"], line["pool"], line["seed"]
        determined = [one for one in tried if one["determinable"] and one["failed"] is not None]
        shares = [one.get("failedShare") for one in determined if one["failed"]]
        share = sum(shares) / len(shares) if shares and None not in shares else 1.0
        determinable = stage([one["text"] for one in tried], [int(one["determinable"]) for one in tried], pool, seed)
        failing = stage([one["text"] for one in determined], [int(one["failed"]) for one in determined], pool, seed)
        return {"say": "prediction", "determinable": determinable, "failing": [share * chance for chance in failing]}

    _answer_lines("predict", lambda: _hello("predict", name, version, facts, {}), answer)


def _floats(samples: Any) -> bytes:
    """Samples as 32-bit floats, lowest byte first."""
    if hasattr(samples, "detach"):  # of torch
        samples = samples.detach().cpu().float().numpy()
    if _numpy is not None:
        return _numpy.asarray(samples, dtype="<f4").ravel().tobytes()
    floats = array.array("f", samples)
    if sys.byteorder == "big":
        floats.byteswap()
    return floats.tobytes()


def _versions(names: Sequence[str]) -> Dict[str, Any]:
    """Of this Python and of packages, for the identity of a recognizer; null for what is not installed."""
    try:
        from importlib import metadata
    except ImportError:  # Python 3.7
        return {}
    found: Dict[str, Any] = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return {"python": ".".join(str(part) for part in sys.version_info[:3]), "packages": found}


def _works_out_version(script: str) -> bool:
    """Whether the version of a recognizer is no constant of its script: only starting it tells, and the script's content says nothing."""
    try:
        with open(script, "rb") as file:
            calls = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call)]
    except (OSError, SyntaxError, ValueError):
        return False
    serving = [call for call in calls if getattr(call.func, "attr", getattr(call.func, "id", None)) == "serve"]
    given = [keyword for call in serving for keyword in call.keywords if keyword.arg in (None, "version")]
    return any(not isinstance(keyword.value, ast.Constant) for keyword in given)


def start(arguments: List[str]) -> None:
    """Starts a script that serves, with what it prints kept from between the lines of the protocol; with ``--versions`` tells of packages."""
    if arguments[:1] == ["--versions"]:
        script, names = arguments[1], arguments[2:]
        print(json.dumps({**_versions(names), "worksOutVersion": _works_out_version(script)}))
        return
    _take_output()
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    never = "without calling earwitness.serve(…), speak(…), embed(…) or predict(…)"
    place = ""
    try:
        runpy.run_path(arguments[0], run_name="__main__")
        problem: Dict[str, Any] = {"message": "the script ended " + never}
    except SystemExit as error:
        place = _place(error)
        if isinstance(error.code, int) and error.code != 0:
            # As argparse does, which has said why on standard error.
            sys.stderr.write("%ssys.exit(%d)\n" % (place, error.code))
            sys.stderr.flush()
            os._exit(error.code)
        words = "the script ended by sys.exit(%s) %s" % ("" if error.code is None else error.code, never)
        problem = {"message": place + (" ".join(str(error.code).split()) if error.code else words)}
    except BaseException as error:  # noqa: BLE001
        traceback.print_exc()
        place = _place(error)
        problem = _failure(error)
    message = problem["message"]
    if place == "" or not message.startswith(place):
        message = "%s: %s" % (os.path.basename(arguments[0]), message)
    _say({"say": "failure", **problem, "message": message})
    os._exit(1)


if "EARWITNESS_WORKER" in os.environ:
    # Started by Earwitness: what its script prints from here on must not come between the lines.
    _take_output()
