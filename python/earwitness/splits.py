"""A split of Hugging Face ``datasets`` as a corpus that Earwitness reads."""
from __future__ import annotations

import array
import json
import os
import struct
from typing import Any, Dict, List

from .errors import EarwitnessError

__all__ = ["write_split"]


def write_split(split: Any, folder: str) -> str:
    """Writes a split with audio into ``folder``: its sounds, and a list of them with every column of texts and numbers. Written once for each split.

    Returns the list, a file of JSON lines. Raises ``EarwitnessError`` where no column holds audio.
    """
    columns: Dict[str, Any] = dict(split.features)
    sounds = [name for name, feature in columns.items() if type(feature).__name__ == "Audio"]
    if len(sounds) != 1:
        raise EarwitnessError("expected one column of audio in the data set, but it has %d" % len(sounds), "bad-config")
    (sound,) = sounds
    place = os.path.join(folder, "dataset-%s" % getattr(split, "_fingerprint", "%x" % id(split)))
    listed = os.path.join(place, "list.jsonl")
    if os.path.isfile(listed):
        return listed
    os.makedirs(place, mode=0o700, exist_ok=True)
    # As the files are: nothing needs to be decoded.
    rows = split.cast_column(sound, columns[sound].__class__(decode=False)) if hasattr(split, "cast_column") else split
    lines: List[str] = []
    for number, row in enumerate(rows):
        told = {name: value for name, value in row.items() if name != sound and isinstance(value, (str, int, float))}
        told["audio"] = _written(row[sound], os.path.join(place, "%06d" % number))
        lines.append(json.dumps(told, ensure_ascii=False))
    with open(listed + ".part", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(listed + ".part", listed)
    return listed


def _written(cell: Any, path: str) -> str:
    """The file of a sound: of a row that has its bytes, its path or its samples."""
    if cell.get("bytes") is not None:
        path += os.path.splitext(cell.get("path") or "")[1] or ".wav"
        content: bytes = cell["bytes"]
    elif cell.get("array") is not None:
        path += ".wav"
        content = _wav(cell["array"], int(cell["sampling_rate"]))
    elif cell.get("path"):
        path += os.path.splitext(cell["path"])[1]
        with open(cell["path"], "rb") as source:
            content = source.read()
    else:
        raise EarwitnessError("expected audio in every row of the data set, but one has none", "bad-input")
    with open(path, "wb") as file:
        file.write(content)
    return path


def _wav(samples: Any, rate: int) -> bytes:
    """As 32-bit floats of one channel."""
    data = array.array("f", samples).tobytes()
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 3, 1, rate, 4 * rate, 4, 32) + struct.pack("<4sI", b"data", len(data))
    return struct.pack("<4sI4s", b"RIFF", 4 + len(head) + len(data), b"WAVE") + head + data
