"""At which rate severities are what they are published to be: forty conditions, applied by `earwitness perturb` to files of 8, 16 and
44.1 kHz and measured by numpy as a recognizer hears them that works at 16 kHz.

    python3 bench/rates.py [NODE]        NODE: the node that runs bin/earwitness.js (default: node)

The signal is a sum of tones of whole hertz, known at any rate without a resampler; of 44.1 kHz it has some above 8 kHz, which nobody may
hear. Expected are, without our code: the ratio of the rung's label; the response of SoX's sinc beside its transition; that of
torchaudio's two resamplings (Hann-windowed sinc of 6 zero crossings, rolloff .99); of a sharp change of rate; of Butterworth's filter of
order 2 run both ways. Of a band, what is louder than -30 dB may err by 1 dB, and what should be softer must be.
"""

import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HEARD = 16_000
RATES = (8_000, 16_000, 44_100)
SECONDS = 3
ROOT = Path(__file__).resolve().parent.parent

random = np.random.default_rng(1)
# None where the change to 16 kHz falls off, of which a ratio could not be told.
TONES = np.array([hertz for hertz in range(100, 15_000, 83) if not 7200 < hertz < 8000])
PHASES = random.uniform(0, 2 * np.pi, len(TONES))
AMPLITUDE = 0.002


def tones_in(rate):
    """Those that a file of the rate holds with room for its filter, as far as they are heard or must not be."""
    return TONES < 0.45 * rate


def signal(rate, which):
    n = np.arange(SECONDS * rate)
    # It comes and goes slowly: a sound that begins at once has all frequencies.
    near = np.minimum(n, SECONDS * rate - n) / rate
    envelope = np.where(near < 0.1, np.sin(np.pi / 2 * near / 0.1) ** 2, 1)
    parts = zip(TONES[which], PHASES[which])
    return envelope * sum(AMPLITUDE * np.sin(2 * np.pi * hertz * n / rate + phase) for hertz, phase in parts)


def write_wav(path, samples, rate):
    data = samples.astype("<f4").tobytes()
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 3, 1, rate, 4 * rate, 4, 32, b"data", len(data))
    path.write_bytes(head + data)


def read_wav(path):
    content = path.read_bytes()
    at, rate = 12, 0
    while True:
        name, size = struct.unpack_from("<4sI", content, at)
        if name == b"fmt ":
            rate = struct.unpack_from("<I", content, at + 12)[0]
        if name == b"data":
            return np.frombuffer(content, "<f4", size // 4, at + 8).astype(float), rate
        at += 8 + size + size % 2


def levels(samples):
    """Of the tones against what they were, over the second in the middle: they are bins of its spectrum. Decibels."""
    middle = samples[HEARD : 2 * HEARD]
    heard = TONES[TONES < HEARD / 2]
    found = np.abs(np.fft.rfft(middle))[heard] * 2 / HEARD / AMPLITUDE
    return heard, 20 * np.log10(np.maximum(found, 1e-9))


def sinc_of_sox(corner, kind):
    """Its transition is 5 % of half the rate, the corner in its middle. No number where it falls off."""

    def response(hertz):
        passed = hertz < corner if kind == "low" else hertz > corner
        db = np.where(passed, 0.0, -np.inf)
        db[np.abs(hertz - corner) < 0.025 * HEARD / 2 + 1] = np.nan
        return db

    return response


def resampled_by_torchaudio(factor):
    """Down to a share of the rate and back: both ways the same low-pass, at the lower of the two rates."""
    base = 0.99 * factor * HEARD
    t = np.linspace(-6 / base, 6 / base, 120_001)
    kernel = np.sinc(base * t) * np.cos(np.pi * base * t / 12) ** 2
    kernel /= np.trapezoid(kernel, t) if hasattr(np, "trapezoid") else np.trapz(kernel, t)
    step = t[1] - t[0]

    def response(hertz):
        once = np.array([abs(np.sum(kernel * np.cos(2 * np.pi * one * t)) * step) for one in hertz])
        db = 40 * np.log10(np.maximum(once, 1e-9))
        # Above half the lower rate stand images of what is below: the program's own, which another formula would have to tell.
        db[hertz > 0.95 * factor * HEARD / 2] = np.nan
        return db

    return response


def resampled_sharply(factor):
    """Flat up to 93 % of half the lower rate, gone from there on."""

    def response(hertz):
        half = factor * HEARD / 2
        db = np.where(hertz < 0.93 * half, 0.0, -np.inf)
        db[(hertz >= 0.93 * half) & (hertz <= 1.02 * half)] = np.nan
        return db

    return response


def butterworth_both_ways(corner, kind):
    def response(hertz):
        ratio = np.tan(np.pi * hertz / HEARD) / np.tan(np.pi * corner / HEARD)
        return -20 * np.log10(1 + (ratio if kind == "low" else 1 / ratio) ** 4)

    return response


SOFTER = 1.414  # by which AequeVox divides in the end
LOW, HIGH, SHARES = (4000, 2833, 1666, 500), (500, 1333, 2166, 3000), (0.75, 0.5, 0.25, 0.125)
RATIOS = {
    **{f"{ladder}/gnoise:{rank}": snr for ladder in ("srb", "earwitness") for rank, snr in enumerate((30, 20, 10, 0), 1)},
    **{f"aequevox/noise:{rank}": snr for rank, snr in enumerate((10, 8, 6, 4, 2), 1)},
}
BANDS = {
    **{f"{ladder}/lowpass:{rank}": sinc_of_sox(hertz, "low") for ladder in ("srb", "earwitness") for rank, hertz in enumerate(LOW, 1)},
    **{f"{ladder}/highpass:{rank}": sinc_of_sox(hertz, "high") for ladder in ("srb", "earwitness") for rank, hertz in enumerate(HIGH, 1)},
    **{f"srb/resample:{rank}": resampled_by_torchaudio(share) for rank, share in enumerate(SHARES, 1)},
    **{f"earwitness/resample:{rank}": resampled_sharply(share) for rank, share in enumerate(SHARES, 1)},
    "aequevox/high-pass:1": butterworth_both_ways(500, "high"),
    "aequevox/high-pass:5": butterworth_both_ways(900, "high"),
    "aequevox/low-pass:1": butterworth_both_ways(900, "low"),
}


def main():
    node = sys.argv[1] if len(sys.argv) > 1 else "node"
    conditions = [*RATIOS, *BANDS]
    print(f"{len(conditions)} conditions, files of {', '.join(f'{rate / 1000:g}' for rate in RATES)} kHz, heard at 16 kHz")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "in").mkdir()
        for rate in RATES:
            write_wav(root / "in" / f"{rate}.wav", signal(rate, tones_in(rate)), rate)
        command = [node, str(ROOT / "bin/earwitness.js"), "perturb", "in", "--scenario", ",".join(conditions)]
        done = subprocess.run([*command, "-o", "out", "--float", "--json"], cwd=root, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        outputs = {(Path(one["input"]).stem, one["condition"]): root / one["output"] for one in json.loads(done.stdout)["files"]}
        misses, worst_ratio, worst_band = [], 0.0, 0.0
        for rate in RATES:
            which = tones_in(rate) & (TONES < HEARD / 2)
            sound = signal(HEARD, which)
            for name in conditions:
                samples, found_rate = read_wav(outputs[str(rate), name])
                if found_rate != HEARD:
                    misses.append(f"{name} from {rate} Hz: heard at {found_rate} Hz")
                    continue
                if name.startswith("aequevox/"):
                    samples = samples * SOFTER
                if name in RATIOS:
                    achieved = 10 * np.log10(np.sum(sound**2) / np.sum((samples - sound) ** 2))
                    error = abs(achieved - RATIOS[name])
                    worst_ratio = max(worst_ratio, error)
                    if error > 0.05:
                        misses.append(f"{name} from {rate} Hz: {achieved:.3f} dB")
                    continue
                hertz, found = levels(samples)
                there = np.isin(hertz, TONES[which])
                expected = BANDS[name](hertz.astype(float))
                known = there & ~np.isnan(expected)
                loud = known & (expected > -30)
                errors = np.abs(found - expected)[loud]
                worst_band = max(worst_band, float(errors.max(initial=0)))
                if np.any(errors > 1):
                    misses.append(f"{name} from {rate} Hz: {hertz[loud][errors.argmax()]} Hz is {errors.max():.2f} dB off")
                soft = known & (expected <= -30)
                if np.any(found[soft] > -29):
                    misses.append(f"{name} from {rate} Hz: {hertz[soft][found[soft].argmax()]} Hz at {found[soft].max():.1f} dB")
        print(f"ratios: at most {worst_ratio:.4f} dB off; bands: at most {worst_band:.2f} dB off")
        print("\n".join(misses) if misses else "all as published")
        sys.exit(1 if misses else 0)


main()
