"""IBM Granite Speech by transformers. Untried. pip install transformers torch torchaudio peft; arguments: [ibm-granite/granite-speech-3.3-2b]"""
import sys

import torch
from transformers import AutoModelForSpeechSeq2Seq, AutoProcessor

import earwitness

name = sys.argv[1]
processor = AutoProcessor.from_pretrained(name)
model = AutoModelForSpeechSeq2Seq.from_pretrained(name, torch_dtype=torch.bfloat16).to(earwitness.device("cpu")).eval()
chat = [{"role": "user", "content": "<|audio|>can you transcribe the speech into a written format?"}]
prompt = processor.tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)


def transcribe(audio, rate, language):
    given = processor(prompt, torch.from_numpy(audio), device=str(model.device), return_tensors="pt").to(model.device)
    with torch.inference_mode():
        tokens = model.generate(**given, max_new_tokens=400, do_sample=False, num_beams=1)
    return processor.tokenizer.decode(tokens[0, given["input_ids"].shape[-1] :], skip_special_tokens=True).strip()


earwitness.serve(transcribe, name=name)
