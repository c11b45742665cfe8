"""Vosk, with word times and streaming. Untried. pip install vosk numpy; arguments: [model folder]; packages: [vosk]; models: [model folder]"""
import json
import sys

import numpy
from vosk import KaldiRecognizer, Model

import earwitness

model = Model(sys.argv[1])


def pcm(audio):
    return (numpy.clip(audio, -1, 1) * 32767).astype("<i2").tobytes()


def transcribe(audio, rate, language):
    recognizer = KaldiRecognizer(model, rate)
    recognizer.SetWords(True)
    recognizer.AcceptWaveform(pcm(audio))
    result = json.loads(recognizer.FinalResult())
    words = [
        {"text": word["word"], "start": word["start"], "end": word["end"], "confidence": word["conf"]}
        for word in result.get("result", [])
    ]
    return {"text": result["text"], "words": words}


def stream(chunks, rate, language):
    recognizer = KaldiRecognizer(model, rate)
    done = []
    for chunk in chunks:
        if recognizer.AcceptWaveform(pcm(chunk)):
            done.append(json.loads(recognizer.Result())["text"])
            yield " ".join(done)
        else:
            yield " ".join([*done, json.loads(recognizer.PartialResult())["partial"]]).strip()
    yield " ".join([*done, json.loads(recognizer.FinalResult())["text"]]).strip()


earwitness.serve(transcribe, stream=stream, name="vosk")
