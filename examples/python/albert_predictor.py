"""ALBERT fine-tuned on which texts failed, anew for each prediction, as CrossASR does. Tried with a small model made for it, untried with published ones. pip install transformers torch

arguments: [albert-base-v2, 4]: the model's name or folder, and how often it sees the texts. Minutes for each prediction without a GPU;
`devices: [cuda:0]` in the config gives it one. packages: [transformers, torch]
"""
import sys

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, set_seed

import earwitness

name, epochs = (sys.argv[1:] + ["albert-base-v2", "4"][len(sys.argv) - 1 :])[:2]
device = earwitness.device("cpu")
tokenizer = AutoTokenizer.from_pretrained(name)


def tokens(texts):
    return tokenizer(texts, padding=True, truncation=True, max_length=128, return_tensors="pt").to(device)


def fit(texts, labels, seed):
    set_seed(seed % 2**32)
    model = AutoModelForSequenceClassification.from_pretrained(name, num_labels=2).to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
    for _ in range(int(epochs)):
        for batch in torch.randperm(len(texts)).split(16):
            answers = torch.tensor([labels[at] for at in batch], device=device)
            model(**tokens([texts[at] for at in batch]), labels=answers).loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    return model.eval()


@torch.no_grad()
def score(model, texts):
    chances = []
    for start in range(0, len(texts), 64):
        chances += model(**tokens(texts[start : start + 64])).logits.softmax(-1)[:, 1].tolist()
    return chances


earwitness.predict(fit, score, name=name.split("/")[-1])
