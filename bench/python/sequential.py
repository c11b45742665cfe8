"""Holds the confidence sequences of bench/calibration/sequential.ts against confseq and ville on the same streams.

usage: node bench/calibration/sequential.ts streams FILE; python bench/python/sequential.py FILE
Needs numpy, scipy, ville 0.1.0 and confseq 0.0.11 (its modules predmix and betting).
"""

import json
import sys

import numpy as np

np.float_ = np.float64  # confseq 0.0.11 is older than numpy 2

import ville
from confseq import betting, predmix


def apart(name, ours, theirs):
    ours, theirs = np.array(ours, dtype=float), np.array(theirs)
    known = np.isfinite(theirs) & np.isfinite(ours)
    far = np.max(np.abs(ours - theirs)[known] / np.maximum(1, np.abs(theirs[known])))
    print(f"  {name}: {far:.1e} apart at most, in {known.sum()} values")


for number, stream in enumerate(json.load(open(sys.argv[1]))):
    x = np.array(stream["values"])
    print(f"stream {number + 1}: {len(x)} values, mean {x.mean():.4f}")
    lower = predmix.predmix_empbern_lower_cs(x, alpha=0.05)
    apart("empirical Bernstein, confseq", np.maximum(0, stream["bernstein"]), lower)
    capital = betting.betting_mart(
        x, 0.51, alpha=0.05, theta=1, trunc_scale=0.75, convex_comb=True
    )
    apart("capital, confseq", stream["capital"], capital)
    test = ville.BettingTest(0.51, alternative="greater", alpha=0.1, c=0.75).fit(x)
    apart("capital, ville", stream["capital"], test.e_values_)
    cs = ville.AsymptoticCS(alpha=0.05, min_samples=2)
    cs.rho_ = stream["precision"]  # how much data it is best for
    apart("normal mixture, ville", stream["mixture"], cs.fit(x).lower_)
