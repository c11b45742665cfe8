"""Python libraries on the same pieces, one job at a time: bench/perturbations.ts starts this and asks.

Usage: peers.py SPEECH NOISE ROOM (raw 32-bit floats at 16 kHz). Answers a first line with the names it knows and their
versions; then for each line "NAME<tab>PIECES" one with the processor seconds of one pass, or an error.
"""
import json, os, sys, time, warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
warnings.filterwarnings("ignore")
from importlib.metadata import version

import numpy as np

RATE = 16000
speech, noise, room = (np.fromfile(path, np.float32) for path in sys.argv[1:4])
pieces = [np.ascontiguousarray(piece) for piece in np.split(speech, len(speech) // (10 * RATE))]
jobs, versions = {}, {}


def family(package, make):
    """What is not installed is left out."""
    try:
        found = make()
    except Exception as reason:
        versions[package] = f"absent: {type(reason).__name__}"
        return
    versions[package] = version(package)
    jobs.update({f"{package} {work}": job for work, job in found.items()})


def with_numpy():
    generator = np.random.default_rng(0)

    def mix(piece, added):
        return piece + added * np.float32(np.sqrt((piece @ piece) / (added @ added) / 10))

    def cut_gain(piece):
        louder = piece * np.float32(10)
        return np.clip(louder, -1.0, 1.0, out=louder)

    return {
        "copy": lambda piece: piece.copy(),
        "gain": lambda piece: piece * np.float32(10),
        "cut gain": cut_gain,
        "clip": lambda piece: np.clip(piece, -0.1, 0.1),
        "noise": lambda piece: mix(piece, noise[1000 : 1000 + len(piece)]),
        "gaussian": lambda piece: mix(piece, generator.standard_normal(len(piece), dtype=np.float32)),
    }


def with_scipy():
    from scipy import signal

    low = signal.butter(2, 3400, fs=RATE, output="sos")
    high = signal.butter(2, 300, "highpass", fs=RATE, output="sos")
    return {
        "oaconvolve": lambda piece: signal.oaconvolve(piece, room),
        "fftconvolve": lambda piece: signal.fftconvolve(piece, room),
        "low-pass": lambda piece: signal.sosfiltfilt(low, piece),
        "high-pass": lambda piece: signal.sosfiltfilt(high, piece),
    }


def with_soxr():
    import soxr

    return {
        "speed 1.25": lambda piece: soxr.resample(piece, 20000, RATE),
        "speed .75": lambda piece: soxr.resample(piece, 12000, RATE),
        "8 kHz": lambda piece: soxr.resample(soxr.resample(piece, RATE, 8000), 8000, RATE),
    }


def with_pedalboard():
    import pedalboard

    effects = {
        "low-shelf": pedalboard.LowShelfFilter(100, 20),
        "high-shelf": pedalboard.HighShelfFilter(3000, 10),
        "echo": pedalboard.Delay(0.25),
        "phaser": pedalboard.Phaser(),
        "chorus": pedalboard.Chorus(),
        "gsm": pedalboard.GSMFullRateCompressor(),
    }
    return {name: lambda piece, effect=effect: effect(piece, RATE) for name, effect in effects.items()}


def with_audiomentations():
    import audiomentations

    effects = {
        "gaussian": audiomentations.AddGaussianSNR(10, 10, p=1),
        "tempo 1.25": audiomentations.TimeStretch(1.25, 1.25, leave_length_unchanged=False, p=1),
        "tempo .75": audiomentations.TimeStretch(0.75, 0.75, leave_length_unchanged=False, p=1),
        "pitch +3": audiomentations.PitchShift(3, 3, p=1),
        "mp3 32": audiomentations.Mp3Compression(32, 32, p=1),
    }
    return {name: lambda piece, effect=effect: effect(piece, RATE) for name, effect in effects.items()}


def processor_seconds():
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


family("numpy", with_numpy)
family("scipy", with_scipy)
family("soxr", with_soxr)
family("pedalboard", with_pedalboard)
family("audiomentations", with_audiomentations)
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what libraries print is no answer
print(json.dumps({"names": sorted(jobs), "versions": versions}), file=answers, flush=True)
for line in sys.stdin:
    name, count = line.rstrip("\n").split("\t")
    try:
        before, own = processor_seconds(), time.process_time()
        for place in range(int(count)):
            jobs[name](pieces[place % len(pieces)])
        # os.times counts in hundredths: finer where nothing was started.
        spent, own = processor_seconds() - before, time.process_time() - own
        answer = {"seconds": own if abs(spent - own) < 0.02 else spent}
    except Exception as reason:
        answer = {"error": f"{type(reason).__name__}: {reason}"[:200]}
    print(json.dumps(answer), file=answers, flush=True)
