"""Any speech model of the hub by transformers' pipeline. Untried. pip install transformers torch; arguments: [openai/whisper-small]"""
import sys

from transformers import pipeline

import earwitness

name = sys.argv[1]
recognizer = pipeline("automatic-speech-recognition", model=name, device=earwitness.device("cpu"))


def transcribe(audios, rate, languages):
    answers = recognizer([{"raw": audio, "sampling_rate": rate} for audio in audios], batch_size=len(audios))
    return [answer["text"].strip() for answer in answers]


earwitness.serve(transcribe, name=name, batch=8)
