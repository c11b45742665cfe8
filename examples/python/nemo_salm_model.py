"""NVIDIA NeMo's speech language models: Canary-Qwen. Untried. pip install "nemo_toolkit[asr,tts]"; arguments: [nvidia/canary-qwen-2.5b]"""
import sys

import torch
from nemo.collections.speechlm2.models import SALM

import earwitness

name = sys.argv[1]
model = SALM.from_pretrained(name).to(earwitness.device("cuda")).eval()
prompt = [{"role": "user", "content": "Transcribe the following: " + model.audio_locator_tag}]


def transcribe(audio, rate, language):
    clip = torch.from_numpy(audio)[None].to(model.device)
    with torch.inference_mode():
        tokens = model.generate(
            prompts=[prompt], audios=clip, audio_lens=torch.tensor([clip.shape[1]], device=model.device), max_new_tokens=400
        )
    return model.tokenizer.ids_to_text(tokens[0].cpu()).strip()


earwitness.serve(transcribe, name=name, languages=["en"])
