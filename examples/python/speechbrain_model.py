"""SpeechBrain. Untried. pip install speechbrain; arguments: [speechbrain/asr-crdnn-rnnlm-librispeech]; packages: [speechbrain, torch]"""
import sys

import torch
from speechbrain.inference.ASR import EncoderDecoderASR

import earwitness

name = sys.argv[1]
model = EncoderDecoderASR.from_hparams(source=name, run_opts={"device": earwitness.device("cpu")})


def transcribe(audios, rate, languages):
    longest = max(1, max(len(audio) for audio in audios))
    padded = torch.zeros(len(audios), longest)
    for place, audio in enumerate(audios):
        padded[place, : len(audio)] = torch.as_tensor(audio)
    shares = torch.tensor([len(audio) / longest for audio in audios])
    texts, _ = model.transcribe_batch(padded, shares)
    return [text.lower() for text in texts]


earwitness.serve(transcribe, name=name, batch=8)
