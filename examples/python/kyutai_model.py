"""Kyutai's speech-to-text by transformers, at 24 kHz. Untried. pip install transformers torch; arguments: [kyutai/stt-2.6b-en-trfs]"""
import sys

import torch
from transformers import KyutaiSpeechToTextForConditionalGeneration, KyutaiSpeechToTextProcessor

import earwitness

name = sys.argv[1]
processor = KyutaiSpeechToTextProcessor.from_pretrained(name)
model = KyutaiSpeechToTextForConditionalGeneration.from_pretrained(name, torch_dtype="auto").to(earwitness.device("cpu"))


def transcribe(audio, rate, language):
    given = processor(audio, return_tensors="pt").to(model.device)
    with torch.inference_mode():
        tokens = model.generate(**given)
    return processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()


earwitness.serve(transcribe, name=name, rate=24000)
