"""What other programs make of signals by formula, the same in src/audio/testing/formula-signals.ts.

    pip install numpy scipy==1.17.1 soxr pyroomacoustics pystoi speechmos onnxruntime   (and SRMRpy, gammatone of GitHub on PYTHONPATH)
    python make.py acoustics
    python make.py filters
    python make.py quality FOLDER      (with the networks that src/quality/dnsmos/testing/tiny-networks.ts writes)
    /usr/bin/python3 make.py torchaudio      (Debian's python3-torchaudio)
"""
import json, math, os, sys
from importlib.metadata import version

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FS = 16000


def noise(count, seed):
    """Uniform between -.5 and .5."""
    out, state = np.empty(count), seed
    for n in range(count):
        state = (1664525 * state + 1013904223) % 2**32
        out[n] = state / 2**32 - 0.5
    return out


def steps(x):
    """In steps of 16 bits, as 16 bits hold them."""
    return np.clip(np.floor(np.asarray(x) + 0.5), -32768, 32767)


def syllables(count, seed):
    """Something like speech, in steps of 16 bits: harmonics under a gliding pitch and breath, three syllables a second."""
    t, breath = np.arange(count) / FS, noise(count, seed)
    phase = 2 * math.pi * (110 * t - (20 / (2 * math.pi * 0.7)) * np.cos(2 * math.pi * 0.7 * t))
    voice = sum(np.sin(k * phase) / k for k in range(1, 21))
    level = np.maximum(0, np.sin(2 * math.pi * 3.1 * t)) ** 2
    return steps(9000 * level * (0.5 * voice + 0.4 * breath) + 30 * breath)


def response(count, seed, rt60, delay):
    """A room response: a click and noise that dies away."""
    n = np.arange(count)
    tail = noise(count, seed) * 10 ** (-3 * (n - delay) / FS / rt60)
    return np.where(n < delay, 0, np.where(n == delay, 1, 0.5 * tail))


def digits(value, count=12):
    return float(f"{float(value):.{count}g}")


def measure(x, rate):
    """As ../README.md says of fingerprints."""
    x = np.asarray(x, float)
    mel = 2595 * math.log10(1 + rate / 2 / 700)
    edges = [700 * (10 ** (i * mel / 24 / 2595) - 1) for i in range(25)]
    edges[24] = rate
    frames = 1 + (len(x) - 512) // 256
    window = 0.5 - 0.5 * np.cos(2 * math.pi * np.arange(512) / 512)
    power = sum(np.abs(np.fft.rfft(x[256 * i:256 * i + 512] * window)) ** 2 for i in range(frames)) / frames
    hz = np.arange(257) * rate / 512
    bands = [10 * math.log10(power[(hz >= edges[i]) & (hz < edges[i + 1])].sum() + 1e-20) for i in range(24)]
    middle = len(x) // 2
    cut = lambda a: [round(float(v) * 32768, 2) for v in x[a:a + 64]]
    return {"samples": len(x), "rms_db": round(10 * math.log10((x ** 2).mean()), 5), "bands_db": [round(b, 3) for b in bands],
            "first_64_x32768": cut(0), "64_from_middle_floor(n/2)_x32768": cut(middle)}


def acoustics():
    import pyroomacoustics as pra
    import soxr
    from scipy import signal
    speech = {"a": [24000, 11], "b": [40000, 12]}
    x = {name: syllables(*how) / 32768 for name, how in speech.items()}
    out = {"programs": {name: version(name) for name in ("numpy", "scipy", "soxr", "pyroomacoustics")},
           "speech": {name: {"formula": how} for name, how in speech.items()}, "noise": [], "rir": [], "rooms": [], "resample": []}
    for clip, how, offset, snr in (("a", [30000, 21], 1000, 20), ("b", [16000, 22], 12345, 0), ("a", [30000, 23], 1, -5)):
        source = steps(8000 * noise(*how)) / 32768
        part = source[(offset + np.arange(len(x[clip]))) % len(source)]
        gain = math.sqrt((x[clip] ** 2).sum() / (part ** 2).sum() / 10 ** (snr / 10))
        mixed = x[clip] + gain * part
        out["noise"].append({"speech": clip, "noise": "formula", "formula": how, "offset": offset, "snr_db": snr, "gain": digits(gain),
                             "samples_beyond_full_scale": int((np.abs(mixed) > 1).sum()), "out": measure(mixed, FS)})
    for clip, how in (("a", [12000, 31, 0.3, 100]), ("b", [20000, 32, 0.8, 7])):
        # Read as 32-bit floats, and so convolved.
        h = response(*how).astype(np.float32).astype(float)
        peak = int(np.abs(h).argmax())
        full = signal.fftconvolve(x[clip], h)
        aligned = full[peak:peak + len(x[clip])]
        late = h[160:]
        entry = {"speech": clip, "rir": "formula", "formula": how, "full": measure(full, FS), "aligned_to_peak_cut_to_input": measure(aligned, FS),
                 "aligned_level_matched_gain (rms in / rms out)": digits(math.sqrt((x[clip] ** 2).mean() / (aligned ** 2).mean())),
                 "srb_first_10ms_dropped_unit_norm_full": measure(signal.fftconvolve(x[clip], late / math.sqrt((late ** 2).sum())), FS)}
        for decay in (20, 30):
            entry[f"rt60_schroeder_decay_{decay}db (pyroomacoustics)"] = digits(pra.experimental.measure_rt60(h, fs=FS, decay_db=decay))
        out["rir"].append(entry)
    for size, source, mic, absorption, order in (([4, 3.1, 2.5], [1, 1, 1], [2.7, 1.9, 1.5], 0.35, 4), ([5, 4, 3], [1.5, 2, 1.5], [3, 2.2, 1.4], 0.6, 2)):
        room = pra.ShoeBox(size, fs=FS, materials=pra.Material(absorption), max_order=order, air_absorption=False, use_rand_ism=False)
        room.add_source(source)
        room.add_microphone(mic)
        room.compute_rir()
        h = np.array(room.rir[0][0])
        out["rooms"].append({"size": size, "source": source, "mic": mic, "absorption": absorption, "max_order_used": order, "peak_value": digits(np.abs(h).max()),
                             "samples": len(h), "response": [round(float(v), 6) for v in h]})
    for clip, to in (("a", 8000), ("a", 44100), ("b", 48000), ("a", 11025), ("b", 12000)):
        out["resample"].append({"speech": clip, "from": FS, "to": to, "soxr_HQ": measure(soxr.resample(x[clip], FS, to, quality="HQ"), to)})
    return out


def filters():
    from scipy import signal
    x = steps(20000 * noise(160, 41)) / 32768
    cases = []
    for kind, transformation in (("lowpass", "LP"), ("highpass", "HP")):
        for cutoff in (500, 900):
            b, a = signal.butter(2, cutoff, kind, fs=FS)
            cases.append({"transformation": transformation, "cutoff": cutoff, "y": [digits(v) for v in signal.filtfilt(b, a, x)]})
    return {"programs": {"scipy": version("scipy")}, "fs": FS, "x": [float(v) for v in x], "cases": cases}


def degrade(x, kind, *how):
    if kind == "same": return x
    if kind == "noise": return steps(x + how[0] * noise(len(x), how[1]))
    if kind == "loud": return steps(how[0] * x)
    if kind == "echo":
        late = np.zeros(len(x))
        for gain, lag in ((0.7, 1600), (0.5, 3100), (0.3, 5300)): late[lag:] += gain * x[:-lag]
        return steps(x + late)
    raise ValueError(kind)


def quality(networks):
    from pystoi import stoi
    from speechmos import dnsmos
    from srmrpy import srmr
    program = dnsmos.DNSMOS(os.path.join(networks, "sig_bak_ovr.onnx"), os.path.join(networks, "model_v8.onnx"))
    pairs = []
    for ref, how in (([48000, 51], ["same"]), ([48000, 51], ["noise", 600, 61]), ([48000, 52], ["noise", 9000, 62]), ([64000, 53], ["loud", 12]), ([56000, 54], ["echo"])):
        x = syllables(*ref)
        y = degrade(x, *how)
        error = ((x - y) ** 2).sum()
        f = y / 32768
        pairs.append({"ref": ref, "deg": how, "stoi": round(float(stoi(x / 32768, f, FS)), 7), "estoi": round(float(stoi(x / 32768, f, FS, extended=True)), 7),
                      "snr_db": None if error == 0 else round(10 * math.log10((x ** 2).sum() / error), 6), "clipped_share": round(float((np.abs(y) >= 32767).mean()), 9),
                      "dnsmos": opinions(program, f),
                      "srmr_deg": {"srmr_fast": digits(srmr(f, FS)[0], 8), "srmr_norm_fast": digits(srmr(f, FS, norm=True)[0], 8)}})
    return {"programs": {**{name: version(name) for name in ("numpy", "pystoi", "speechmos", "librosa", "onnxruntime")}, "SRMRpy": "fee0097 with gammatone 0626328"}, "pairs": pairs}


def opinions(program, clip):
    rated = program(clip.astype(np.float32), FS, False)
    return {"sig": round(float(rated["sig_mos"]), 6), "bak": round(float(rated["bak_mos"]), 6), "ovr": round(float(rated["ovrl_mos"]), 6), "p808": round(float(rated["p808_mos"]), 6)}


def torchaudio():
    import torch
    import torchaudio as ta
    from torchaudio.functional import pitch_shift, resample
    how = [24000, 11]
    # In double precision: in single, phases that are added up are wrong by a thousandth.
    x = torch.from_numpy(syllables(*how) / 32768)[None]

    def change(before, after):
        common = math.gcd(before, after)
        return resample(x, before // common, after // common)

    made = {f"speed {f} (resample int(f*16000) -> 16000)": change(int(f * FS), FS) for f in (1.25, 1.5, 2, 0.875, 0.75, 0.5)}
    made.update({f"resample {f} there and back": resample(resample(x, FS, int(f * FS)), int(f * FS), FS) for f in (0.75, 0.5, 0.25, 0.125)})
    made.update({f"pitch_shift {s}": pitch_shift(x, FS, s) for s in (3, 6, 9, 12, -3, -6, -9, -12)})
    results = {}
    for name, y in made.items():
        results[name] = measure(y[0].numpy().astype("float64"), FS)
        del results[name]["bands_db"]
    return {"programs": {"torchaudio": ta.__version__, "torch": torch.__version__}, "speech": {"a": {"formula": how}}, "torchaudio": [{"speech": "a", **results}]}


made = {"acoustics": acoustics, "filters": filters, "quality": quality, "torchaudio": torchaudio}[sys.argv[1]](*sys.argv[2:])
with open(os.path.join(HERE, sys.argv[1] + ".json"), "w") as file:
    file.write(json.dumps(made, separators=(",", ":")) + "\n")
