import { createBlockResampler } from './block-resampler.ts';
import type { Clip } from './clip.ts';
import { interpolate } from './interpolate.ts';
import { keepRecent } from './recently-used.ts';
import { releaseSamples } from './release-samples.ts';

/** Where the pass band ends, as a share of half the lower of the two rates; it is stopped from 1 on. */
const passBand = 0.93;

/**
 * The clip at another sample rate, of length round(length x rate out / rate in), without delay; the sound outside the clip
 * counts as silence. A Kaiser-windowed sinc filter: flat within 1e-6 up to 93 % of half the lower rate, 127 dB down from
 * half the lower rate on, rounding 130 dB below the level of a tone (measured by bench/resampling.ts). Peaks between samples may come out above the input's. The same
 * rate gives the same clip.
 *
 * @param sampleRate samples per second, above 0, not necessarily whole
 * @throws RangeError for a rate that is not a positive number
 * @example resample({ samples, sampleRate: 44100 }, 16000)
 */
export function resample(clip: Clip, sampleRate: number): Clip {
  if (!(sampleRate > 0) || !Number.isFinite(sampleRate)) {
    throw new RangeError(`expected a sample rate above 0, got ${sampleRate}`);
  }
  if (sampleRate === clip.sampleRate) return clip;
  const { samples } = clip;
  const length = Math.round((samples.length * sampleRate) / clip.sampleRate);
  if (length === 0 || samples.length === 0) return { samples: new Float32Array(length), sampleRate };

  const stop = Math.min(0.5, (0.5 * sampleRate) / clip.sampleRate);
  const ratio = wholeRatio(sampleRate, clip.sampleRate);
  const direct = ratio && filterFor({ ...ratio, stop });
  if (direct) return { samples: direct(samples, length), sampleRate };

  // No fast transform fits the ratio. The sharp filter runs at a simple one, up to where the sound fills at most half of
  // the band; between such samples a short kernel can be read at any place.
  const up = stop <= 0.25 ? 1 : 2;
  const filter = filterFor({ up, down: 1, stop });
  if (!filter)
    throw new RangeError(`cannot resample from ${clip.sampleRate} to ${sampleRate}: the rates lie too far apart`);
  const dense = filter(samples, samples.length * up);
  const changed = { samples: interpolate(dense, (clip.sampleRate * up) / sampleRate, length), sampleRate };
  releaseSamples(dense);
  return changed;
}

/** Filters are kept for the ratios used last. Each holds at most a few megabytes. */
const filterFor = keepRecent(
  16,
  ({ up, down, stop }: { up: number; down: number; stop: number }) => `${up}/${down}/${stop}`,
  ({ up, down, stop }) => createBlockResampler({ up, down, pass: stop * passBand, stop }),
);

function wholeRatio(rateOut: number, rateIn: number): { up: number; down: number } | null {
  if (!Number.isSafeInteger(rateOut) || !Number.isSafeInteger(rateIn)) return null;
  let divisor = rateOut;
  for (let rest = rateIn; rest !== 0; ) [divisor, rest] = [rest, divisor % rest];
  return { up: rateOut / divisor, down: rateIn / divisor };
}
