#!/usr/bin/env python3
"""A recognizer that stays, in Python without the package earwitness: says of each half second whether it was loud or quiet."""
import array
import json
import sys

RATE = 16000
source, sink = sys.stdin.buffer, sys.stdout
sys.stdout = sys.stderr  # what anybody prints is no line of the protocol


def say(**line):
    sink.write(json.dumps(line) + "\n")
    sink.flush()


def transcribe(samples):
    words = []
    for start in range(0, len(samples), RATE // 2):
        part = samples[start : start + RATE // 2]
        power = sum(sample * sample for sample in part) / len(part)
        words.append("loud" if power > 1e-4 else "quiet")
    return " ".join(words)


for raw in source:
    line = json.loads(raw)
    samples = array.array("f", source.read(line.get("bytes", 0)))
    if line["say"] == "hello":
        say(say="hello", protocol=1, name="loud-or-quiet", version="1", sampleRate=RATE, batch=4)
    elif line["say"] == "open":
        say(say="opened")
    elif line["say"] == "recognize":
        start = 0
        for clip in line["clips"]:
            say(say="transcript", id=clip["id"], text=transcribe(samples[start : start + clip["samples"]]))
            start += clip["samples"]
    elif line["say"] == "ping":
        say(say="pong", id=line["id"])
    elif line["say"] == "close":
        break
