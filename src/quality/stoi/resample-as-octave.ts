import type { Clip } from '../../audio/clip.ts';
import { besselI0, kaiserBeta } from '../../audio/kaiser.ts';
import { keepRecent } from '../../audio/recently-used.ts';
import { resample } from '../../audio/resample.ts';

/** Stop band of Octave's design, and the window that follows from it. */
const rejectionDb = 60;
const beta = kaiserBeta(rejectionDb);

/**
 * Converts a clip as pystoi does, which has the filter of Octave's `resample` (60 dB, roll-off a tenth of the cutoff).
 * The house's own conversion is sharper and rings longer, and it works on spectra in single precision: where the clip falls
 * silent and the clean one does not, STOI scales up whatever is left, so that a trace 135 dB down moves it by hundredths.
 * Here silence stays silence. Length: the next whole number of samples.
 *
 * Rates that are not whole, or have no short ratio, are brought to 16 kHz first.
 */
export function resampleAsOctave(clip: Clip, sampleRate: number): Float32Array | Float64Array {
  if (clip.sampleRate === sampleRate) return clip.samples;
  const divisor = greatestCommonDivisor(sampleRate, clip.sampleRate);
  const [up, down] = [sampleRate / divisor, clip.sampleRate / divisor];
  if (!Number.isInteger(down) || Math.max(up, down) > 5000) {
    return resampleAsOctave(resample(clip, 16_000), sampleRate);
  }
  return convert(clip.samples, phasesFor({ up, down }));
}

interface Phases {
  readonly up: number;
  readonly down: number;
  /** For each phase: its filter in the order of the samples, and how far its first sample lies from the place of the output. */
  readonly filters: readonly { readonly first: number; readonly taps: Float64Array }[];
}

const phasesFor = keepRecent(
  8,
  ({ up, down }: { up: number; down: number }) => `${up}/${down}`,
  ({ up, down }): Phases => {
    const cutoff = 1 / (2 * Math.max(up, down));
    const half = Math.ceil((rejectionDb - 8) / (28.714 * (cutoff / 10)));
    const response = new Float64Array(2 * half + 1);
    let sum = 0;
    for (let n = -half; n <= half; n++) {
      const angle = 2 * Math.PI * cutoff * n;
      const window = besselI0(beta * Math.sqrt(1 - (n / half) ** 2)) / besselI0(beta);
      response[half + n] = (n === 0 ? 1 : Math.sin(angle) / angle) * window;
      sum += response[half + n]!;
    }
    const filters = Array.from({ length: up }, (_, phase) => {
      const first = Math.ceil((phase - half) / up);
      const last = Math.floor((phase + half) / up);
      const taps = Float64Array.from(
        { length: last - first + 1 },
        (_value, n) => (up * response[half + phase - up * (first + n)]!) / sum,
      );
      return { first, taps };
    });
    return { up, down, filters };
  },
);

function convert(samples: Float32Array, { up, down, filters }: Phases): Float64Array {
  const converted = new Float64Array(Math.ceil((samples.length * up) / down));
  for (let n = 0, phase = 0, place = 0; n < converted.length; n++) {
    const { first, taps } = filters[phase]!;
    const start = place + first;
    const from = Math.max(0, -start);
    const to = Math.min(taps.length, samples.length - start);
    let sum = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    let tap = from;
    for (; tap + 3 < to; tap += 4) {
      sum += taps[tap]! * samples[start + tap]!;
      second += taps[tap + 1]! * samples[start + tap + 1]!;
      third += taps[tap + 2]! * samples[start + tap + 2]!;
      fourth += taps[tap + 3]! * samples[start + tap + 3]!;
    }
    for (; tap < to; tap++) sum += taps[tap]! * samples[start + tap]!;
    converted[n] = sum + second + (third + fourth);
    phase += down;
    const whole = Math.floor(phase / up);
    place += whole;
    phase -= whole * up;
  }
  return converted;
}

function greatestCommonDivisor(first: number, second: number): number {
  let [divisor, rest] = [first, second];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return divisor;
}
