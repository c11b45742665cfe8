import type { Clip } from '../../audio/clip.ts';
import { besselI0, kaiserBeta } from '../../audio/kaiser.ts';
import { keepRecent } from '../../audio/kept-samples.ts';
import { resample } from '../../audio/resample.ts';
import { isSilent, pairWithReference } from '../contract.ts';
import { plainMeasure } from '../shared/plain-measure.ts';
import { bandEnvelopes, type EnvelopePair, removeSilence, thirdOctaveBands } from './band-envelopes.ts';

/** Stop band of Octave's design, and the window that follows from it. */
const rejectionDb = 60;
const beta = kaiserBeta(rejectionDb);

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

const epsilon = Number.EPSILON;

/** Taal et al., 2011, section II. */
const sampleRate = 10_000;
const frameLength = 256;
const transformSize = 512;
const bandCount = 15;
const minCentreHz = 150;
const dynamicRangeDb = 40;
/** Frames that are compared at once: 384 ms. */
const stretch = 30;
/** Lowest signal-to-distortion ratio that counts, -15 dB, as the ratio of the envelopes. */
const largestRatio = 1 + 10 ** (15 / 20);

const bands = thirdOctaveBands(minCentreHz, bandCount, sampleRate, transformSize);

/**
 * Short-time objective intelligibility (C. H. Taal, R. C. Hendriks, R. Heusdens and J. Jensen, IEEE Trans. Audio, Speech and
 * Language Processing 19, 2011), and the extended one (`segmentCorrelation`), as pystoi 0.4.1 computes them. Nothing is aligned.
 */
export const stoi = plainMeasure({
  name: 'stoi',
  version: 2,
  about:
    'Short-time objective intelligibility against the clean clip, plain (Taal et al., 2011) and extended (Jensen and Taal, 2016), as pystoi computes them.',
  values: {
    stoi: 'Intelligibility, near 0 for none, 1 for the clean clip',
    estoi: 'The same by the extended measure, which noises that come and go mislead less',
  },
  needsClean: true,
  sampleRate,
  of(clip, clean) {
    const pair = pairWithReference(clip, clean);
    if ('reason' in pair) return pair.reason;
    if (isSilent(pair.clean.samples)) return 'the clean clip is digital silence';
    if (isSilent(pair.clip.samples)) return 'the clip is digital silence';
    const envelopes = bandEnvelopes(
      removeSilence(
        resampleAsOctave(pair.clip, sampleRate),
        resampleAsOctave(pair.clean, sampleRate),
        frameLength,
        dynamicRangeDb,
      ),
      bands,
      frameLength,
      transformSize,
    );
    if (envelopes.frames < stretch) return 'fewer than 0.4 seconds of the clean clip are not silent';
    return {
      stoi: meanCorrelation(envelopes, bandCount, stretch, largestRatio),
      estoi: segmentCorrelation(envelopes, bandCount, stretch),
    };
  },
});

/**
 * Mean, over all stretches of `stretch` frames, of the correlation between both spectrograms, each band's envelope made free of
 * mean and norm over the stretch and then each frame's spectrum over the bands (J. Jensen and C. H. Taal, "An algorithm for
 * predicting the intelligibility of speech masked by modulated noise maskers", IEEE/ACM Trans. Audio, Speech and Language
 * Processing 24, 2016, equations 3 to 8). Envelopes and spectra without any spread have no direction and count as 0; pystoi adds
 * noise of the machine's precision there.
 */
function segmentCorrelation({ frames, clip, clean }: EnvelopePair, bands: number, stretch: number): number {
  const stretches = frames - stretch + 1;
  const first = new Float64Array(bands * stretch);
  const second = new Float64Array(bands * stretch);
  let total = 0;
  for (let start = 0; start < stretches; start++) {
    normalizedSegment(clip, frames, start, bands, stretch, first);
    normalizedSegment(clean, frames, start, bands, stretch, second);
    for (let n = 0; n < first.length; n++) total += first[n]! * second[n]!;
  }
  return total / (stretch * stretches);
}

/** One stretch of all bands, normalized over time and then over bands; written to `segment`, band after band. */
function normalizedSegment(
  envelopes: Float64Array,
  frames: number,
  start: number,
  bands: number,
  stretch: number,
  segment: Float64Array,
): void {
  for (let band = 0; band < bands; band++) {
    const from = band * frames + start;
    for (let n = 0; n < stretch; n++) segment[band * stretch + n] = envelopes[from + n]!;
    normalize(segment, band * stretch, 1, stretch);
  }
  for (let frame = 0; frame < stretch; frame++) normalize(segment, frame, stretch, bands);
}

/** Takes mean and norm from `count` values, `step` apart. */
function normalize(values: Float64Array, from: number, step: number, count: number): void {
  const end = from + step * count;
  let sum = 0;
  for (let at = from; at < end; at += step) sum += values[at]!;
  const mean = sum / count;
  let squares = 0;
  for (let at = from; at < end; at += step) {
    values[at]! -= mean;
    squares += values[at]! * values[at]!;
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let at = from; at < end; at += step) values[at]! *= scale;
}

/**
 * Mean, over all bands and all stretches of `stretch` frames, of the correlation between both envelopes, after that of the clip
 * is scaled to the clean one's norm and limited to a ratio above it (Taal et al., 2011, equations 3 to 6).
 *
 * @param largestRatio the clipped envelope over the clean one, at most
 */
function meanCorrelation(
  { frames, clip, clean }: EnvelopePair,
  bands: number,
  stretch: number,
  largestRatio: number,
): number {
  const stretches = frames - stretch + 1;
  const limited = new Float64Array(stretch);
  let total = 0;
  for (let band = 0; band < bands; band++) {
    const start = band * frames;
    for (let place = start; place < start + stretches; place++) {
      let cleanPower = 0;
      let clipPower = 0;
      let cleanSum = 0;
      for (let n = place; n < place + stretch; n++) {
        const cleanValue = clean[n]!;
        const clipValue = clip[n]!;
        cleanPower += cleanValue * cleanValue;
        clipPower += clipValue * clipValue;
        cleanSum += cleanValue;
      }
      const scale = Math.sqrt(cleanPower) / (Math.sqrt(clipPower) + epsilon);
      let limitedSum = 0;
      for (let n = 0, at = place; n < stretch; n++, at++) {
        const scaled = clip[at]! * scale;
        const most = clean[at]! * largestRatio;
        const value = scaled < most ? scaled : most;
        limited[n] = value;
        limitedSum += value;
      }
      const cleanMean = cleanSum / stretch;
      const limitedMean = limitedSum / stretch;
      let product = 0;
      let cleanSpread = 0;
      let limitedSpread = 0;
      for (let n = 0, at = place; n < stretch; n++, at++) {
        const cleanOff = clean[at]! - cleanMean;
        const limitedOff = limited[n]! - limitedMean;
        product += cleanOff * limitedOff;
        cleanSpread += cleanOff * cleanOff;
        limitedSpread += limitedOff * limitedOff;
      }
      total += product / ((Math.sqrt(cleanSpread) + epsilon) * (Math.sqrt(limitedSpread) + epsilon));
    }
  }
  return total / (bands * stretches);
}

/**
 * Converts a clip as pystoi does, which has the filter of Octave's `resample` (60 dB, roll-off a tenth of the cutoff).
 * The house's own conversion is sharper and rings longer, and it works on spectra in single precision: where the clip falls
 * silent and the clean one does not, STOI scales up whatever is left, so that a trace 135 dB down moves it by hundredths.
 * Here silence stays silence. Length: the next whole number of samples.
 *
 * Rates that are not whole, or have no short ratio, are brought to 16 kHz first.
 */
function resampleAsOctave(clip: Clip, sampleRate: number): Float32Array | Float64Array {
  if (clip.sampleRate === sampleRate) return clip.samples;
  const divisor = greatestCommonDivisor(sampleRate, clip.sampleRate);
  const [up, down] = [sampleRate / divisor, clip.sampleRate / divisor];
  if (!Number.isInteger(down) || Math.max(up, down) > 5000) return resampleAsOctave(resample(clip, 16_000), sampleRate);
  return convert(clip.samples, phasesFor({ up, down }));
}

interface Phases {
  readonly up: number;
  readonly down: number;
  /** For each phase: its filter in the order of the samples, and how far its first sample lies from the place of the output. */
  readonly filters: readonly { readonly first: number; readonly taps: Float64Array }[];
}

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
