"""NVIDIA NeMo: Parakeet, Canary. Untried. pip install "nemo_toolkit[asr]"; arguments: [nvidia/parakeet-tdt-0.6b-v2]; packages: [nemo_toolkit]"""
import sys

import nemo.collections.asr as nemo_asr

import earwitness

name = sys.argv[1]
model = nemo_asr.models.ASRModel.from_pretrained(name).to(earwitness.device("cuda")).eval()


def transcribe(audios, rate, languages):
    answers = model.transcribe(audios, batch_size=len(audios))
    return [answer if isinstance(answer, str) else answer.text for answer in answers]


earwitness.serve(transcribe, name=name, batch=8)
