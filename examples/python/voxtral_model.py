"""Mistral's Voxtral by transformers. Untried. pip install transformers torch "mistral-common[audio]"; arguments: [mistralai/Voxtral-Mini-3B-2507]"""
import sys

import torch
from transformers import AutoProcessor, VoxtralForConditionalGeneration

import earwitness

name = sys.argv[1]
processor = AutoProcessor.from_pretrained(name)
model = VoxtralForConditionalGeneration.from_pretrained(name, torch_dtype=torch.bfloat16).to(earwitness.device("cuda"))


def transcribe(audio, rate, language):
    given = processor.apply_transcription_request(
        language=language.split("-")[0], audio=[audio], format=["wav"], sampling_rate=rate, model_id=name
    ).to(model.device, dtype=torch.bfloat16)
    with torch.inference_mode():
        tokens = model.generate(**given, max_new_tokens=500, do_sample=False)
    return processor.batch_decode(tokens[:, given.input_ids.shape[1] :], skip_special_tokens=True)[0].strip()


earwitness.serve(transcribe, name=name)
