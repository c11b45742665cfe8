"""Microsoft Phi-4-multimodal by transformers. Untried. pip install "transformers<4.49" torch accelerate peft soundfile backoff

arguments: [microsoft/Phi-4-multimodal-instruct]; the model brings code of its own (trust_remote_code), which is run.
"""
import sys

import torch
from transformers import AutoModelForCausalLM, AutoProcessor

import earwitness

name = sys.argv[1]
processor = AutoProcessor.from_pretrained(name, trust_remote_code=True)
model = AutoModelForCausalLM.from_pretrained(
    name, trust_remote_code=True, torch_dtype=torch.bfloat16, _attn_implementation="eager"
).to(earwitness.device("cuda"))
prompt = "<|user|><|audio_1|>Transcribe the audio clip into text.<|end|><|assistant|>"


def transcribe(audio, rate, language):
    given = processor(text=prompt, audios=[(audio, rate)], return_tensors="pt").to(model.device)
    with torch.inference_mode():
        tokens = model.generate(**given, max_new_tokens=400, do_sample=False, num_logits_to_keep=1)
    return processor.decode(tokens[0, given["input_ids"].shape[1] :], skip_special_tokens=True).strip()


earwitness.serve(transcribe, name=name)
