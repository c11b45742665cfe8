"""The network of bench/gradients.ts in PyTorch, on the processor. Started by it; answers one JSON line for each line on standard input."""

import json
import resource
import sys
import time
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F

folder = Path(sys.argv[1])
network = json.loads((folder / "network.json").read_text())
torch.set_num_threads(network["threads"])
numbers = numpy.fromfile(folder / "weights-in-order.bin", dtype="<f4")
at = 0
order = []
for shape in network["shapes"]:
    size = int(numpy.prod(shape))
    order.append(torch.from_numpy(numbers[at : at + size].copy()).reshape(shape))
    at += size
sound = torch.from_numpy(numbers[at:].copy()).reshape(1, -1)
labels = torch.tensor([network["labels"]])
width, heads = network["width"], network["heads"]


# Weights are prepared once, outside of what is timed, as a module would hold them.
class Taker:
    def __init__(self):
        self.weights = iter(order)

    def take(self):
        return next(self.weights)

    def dense(self):
        weight, bias = self.take(), self.take()
        return weight.t().contiguous(), bias


taker = Taker()
first = taker.take(), taker.take(), taker.take(), taker.take(), taker.take()
convolutions = [taker.take() for _ in range(6)]
strides = [2, 2, 2, 2, 2, 2]
norm0 = taker.take(), taker.take()
projection = taker.dense()
direction, scale = taker.take(), taker.take()
positional = direction / direction.norm(dim=(0, 1), keepdim=True) * scale
norm1 = taker.take(), taker.take()
blocks = []
for _ in range(network["layers"]):
    query, key, value, out = taker.dense(), taker.dense(), taker.dense(), taker.dense()
    after = taker.take(), taker.take()
    wide, narrow = taker.dense(), taker.dense()
    blocks.append((query, key, value, out, after, wide, narrow, (taker.take(), taker.take())))
head = taker.dense()


def layer_norm(x, weights):
    return F.layer_norm(x, (x.shape[-1],), weights[0], weights[1], 1e-5)


def forward(samples):
    x = F.conv1d(samples.unsqueeze(1), first[0], stride=5)
    x = F.group_norm(x, network["channels"], first[3].flatten(), first[4].flatten(), 1e-5)
    x = F.gelu(x)
    for weight, stride in zip(convolutions, strides):
        x = F.gelu(F.conv1d(x, weight, stride=stride))
    x = F.linear(layer_norm(x.transpose(1, 2), norm0), *projection)
    half = network["positional"] // 2
    placed = F.conv1d(x.transpose(1, 2), positional, padding=half, groups=network["groups"])[:, :, :-1]
    x = layer_norm(x + F.gelu(placed).transpose(1, 2), norm1)
    for query, key, value, out, after, wide, narrow, last in blocks:
        split = lambda y: y.view(1, -1, heads, width // heads).transpose(1, 2)
        heard = F.scaled_dot_product_attention(
            split(F.linear(x, *query)), split(F.linear(x, *key)), split(F.linear(x, *value))
        )
        x = layer_norm(x + F.linear(heard.transpose(1, 2).reshape(1, -1, width), *out), after)
        x = layer_norm(x + F.linear(F.gelu(F.linear(x, *wide)), *narrow), last)
    return F.linear(x, *head)


def work(what):
    if what == "forward":
        with torch.no_grad():
            forward(sound)
        return None
    samples = sound.clone().requires_grad_(True)
    logs = F.log_softmax(forward(samples), dim=-1).transpose(0, 1)
    loss = F.ctc_loss(logs, labels, [logs.shape[0]], [labels.shape[1]], reduction="sum")
    (gradient,) = torch.autograd.grad(loss, samples)
    return loss, gradient


def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


for line in sys.stdin:
    spent, start = processor(), time.perf_counter()
    result = work(line.strip())
    answer = {"wall": time.perf_counter() - start, "processor": processor() - spent}
    if result is not None:
        answer["loss"] = result[0].item()
        result[1].numpy().astype("<f4").tofile(folder / "gradient.bin")
    print(json.dumps(answer), flush=True)
