"""Alibaba's Qwen3-ASR by its own package. Untried. pip install qwen-asr; arguments: [Qwen/Qwen3-ASR-0.6B]; packages: [qwen-asr]"""
import sys

import torch
from qwen_asr import Qwen3ASRModel

import earwitness

LANGUAGES = {"en": "English", "es": "Spanish", "zh": "Chinese", "de": "German", "fr": "French", "it": "Italian", "ja": "Japanese"}
name = sys.argv[1]
model = Qwen3ASRModel.from_pretrained(name, dtype=torch.bfloat16, device_map=earwitness.device("cpu"), max_new_tokens=400)


def transcribe(audio, rate, language):
    # Of other languages the model finds out itself.
    (answer,) = model.transcribe(audio=[(audio, rate)], language=LANGUAGES.get(language.split("-")[0]))
    return answer.text


earwitness.serve(transcribe, name=name)
