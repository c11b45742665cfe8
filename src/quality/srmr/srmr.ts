import { z } from 'zod';
import { createFft } from '../../audio/fft.ts';
import { resample } from '../../audio/resample.ts';
import { isSilent, type QualityMeasure, undefinedValues } from '../contract.ts';

/** Glasberg and Moore's equivalent rectangular bandwidths (Hearing Research 47, 1990): quality and least bandwidth in Hz. */
const earQ = 9.26449;
const minBandwidthHz = 24.7;
/** Bandwidth of a gammatone filter of order 4 over its equivalent rectangular one. */
const bandwidthRatio = 1.019;

/** 10 ms and 2.5 ms at 16 kHz, and twice the first to the next power of two. */
const windowLength = 160;
const hop = 40;
const transformSize = 512;

/** Modulation filters: centre frequencies in Hz, evenly spaced in pitch, and quality. */
const modulationCentresHz: readonly number[] = Array.from({ length: 8 }, (_, n) => 4 * 32 ** (n / 7));
const modulationQ = 2;

/** Stretches over which energies are taken, in frames of 2.5 ms: 256 ms every 64 ms, rounded up. */
const stretch = 103;
const step = 26;

const bands = modulationCentresHz.length;
/** Bands up to here hold the modulation of speech, those above also that of reverberation. */
const speechBands = 4;

type NoOptions = Record<string, never>;

const sampleRate = 16_000;
const envelopeRate = 400;
const channels = 23;
const lowestHz = 125;

/**
 * Speech-to-reverberation modulation energy ratio (T. H. Falk, C. Zheng and W.-Y. Chan, IEEE Trans. Audio, Speech and Language
 * Processing 18, 2010) in its spectral form, the default of SRMRpy (`fast=True`): gammatone envelopes are taken from spectra.
 * The other form runs the filters and differs by up to a quarter; it is not offered.
 */
export const srmr: QualityMeasure<NoOptions> = {
  name: 'srmr',
  version: 1,
  about:
    'Speech-to-reverberation modulation energy ratio without the clean clip (Falk et al., 2010), in the spectral form of SRMRpy (fast=True).',
  values: {
    srmr: 'Slow over fast modulation of the envelopes, above 0: lower with reverberation and noise',
    srmrNorm: 'The same after energies are limited to a range of 30 dB (SRMRnorm), which depends less on the speaker',
  },
  needsClean: false,
  sampleRate,
  options: z.strictObject({}),
  async open() {
    const centres = centreFrequencies(lowestHz, sampleRate / 2, channels);
    return {
      identity: { measure: srmr.name, version: srmr.version, form: 'spectral' },
      async measure(clip) {
        const { samples } = resample(clip, sampleRate);
        if (countStretches(countFrames(samples.length)) === 0) {
          return undefinedValues(srmr.values, 'the clip is shorter than 0.29 seconds');
        }
        if (isSilent(samples)) return undefinedValues(srmr.values, 'the clip is digital silence');
        const energies = modulationEnergies(gammatoneEnvelopes(samples, sampleRate, centres), envelopeRate);
        const ratio = (of: Float64Array) => modulationRatio(of, channels, { lowestHz, sampleRate });
        const [plain, limited] = [ratio(energies), ratio(limitEnergies(energies, channels))];
        return plain === null || limited === null
          ? undefinedValues(srmr.values, 'the clip has no modulation to speak of')
          : { values: { srmr: plain, srmrNorm: limited } };
      },
      async close() {},
    };
  },
};

/**
 * Brings energies into 30 dB below the largest mean over the channels, as SRMRnorm does (J. F. Santos, M. Senoussaoui and
 * T. H. Falk, "An improved non-intrusive intelligibility metric for noisy and reverberant speech", IWAENC 2014).
 *
 * @param energies one row of bands and stretches for each channel
 * @returns new energies
 */
function limitEnergies(energies: Float64Array, channels: number): Float64Array {
  const row = energies.length / channels;
  let largest = 0;
  for (let place = 0; place < row; place++) {
    let sum = 0;
    for (let at = place; at < energies.length; at += row) sum += energies[at]!;
    largest = Math.max(largest, sum / channels);
  }
  const least = largest / 1000;
  return energies.map((energy) => Math.min(largest, Math.max(least, energy)));
}

/**
 * Energy of the slow modulation bands over that of the fast ones, of which the bandwidth of the channel that completes 90 % of
 * the energy says how many count (Falk et al., 2010, section IV). As in SRMRpy's spectral form the energy is summed from the
 * highest channel down, while bandwidths are taken from the lowest up, and the bands' edges are those at the sample rate.
 *
 * @param energies as `modulationEnergies` gives them
 * @returns null where there is no energy
 */
function modulationRatio(
  energies: Float64Array,
  channels: number,
  { lowestHz, sampleRate }: { lowestHz: number; sampleRate: number },
): number | null {
  const stretches = energies.length / (channels * bands);
  const means = Float64Array.from({ length: channels * bands }, (_, row) => {
    let sum = 0;
    for (let place = row * stretches; place < (row + 1) * stretches; place++) sum += energies[place]!;
    return sum / stretches;
  });
  const total = means.reduce((sum, mean) => sum + mean, 0);
  if (!(total > 0)) return null;
  let reached = 0;
  let channel = channels;
  while (channel > 0 && reached <= 0.9 * total) {
    channel--;
    for (let band = 0; band < bands; band++) reached += means[channel * bands + band]!;
  }
  const centres = centreFrequencies(lowestHz, sampleRate / 2, channels);
  const bandwidthHz = equivalentBandwidthHz(centres[channels - 1 - channel]!);
  let counted = speechBands + 1;
  while (counted < bands && bandwidthHz > lowerEdgeHz(modulationCentresHz[counted]!, sampleRate)) counted++;
  let slow = 0;
  let fast = 0;
  for (let row = 0; row < means.length; row++) {
    const band = row % bands;
    if (band < speechBands) slow += means[row]!;
    else if (band < counted) fast += means[row]!;
  }
  return slow / fast;
}

function lowerEdgeHz(centreHz: number, sampleRate: number): number {
  const halfWidth = Math.tan((Math.PI * centreHz) / sampleRate) / modulationQ;
  return centreHz - (halfWidth * sampleRate) / (2 * Math.PI);
}

/** How many stretches there are in so many frames. */
function countStretches(frames: number): number {
  return frames < stretch ? 0 : 1 + Math.floor((frames - stretch) / step);
}

/**
 * Energy of each modulation band of each channel in each stretch, weighted by a Hamming window:
 * `[(channel * 8 + band) * stretches + place]`.
 *
 * @param envelopeRate frames per second
 */
export function modulationEnergies({ frames, values }: ChannelEnvelopes, envelopeRate: number): Float64Array {
  const channels = values.length / frames;
  const stretches = countStretches(frames);
  const squaredWindow = Float64Array.from(
    { length: stretch },
    (_, n) => (0.54 - 0.46 * Math.cos((2 * Math.PI * n) / stretch)) ** 2,
  );
  const bands = modulationCentresHz.length;
  const energies = new Float64Array(channels * bands * stretches);
  const squares = new Float64Array(frames);
  for (let channel = 0; channel < channels; channel++) {
    const envelope = values.subarray(channel * frames, (channel + 1) * frames);
    for (let band = 0; band < bands; band++) {
      squaredBand(envelope, modulationCentresHz[band]!, envelopeRate, squares);
      const row = (channel * bands + band) * stretches;
      for (let place = 0; place < stretches; place++) {
        let energy = 0;
        for (let n = 0, at = place * step; n < stretch; n++, at++) energy += squaredWindow[n]! * squares[at]!;
        energies[row + place] = energy;
      }
    }
  }
  return energies;
}

/** A band pass of order 2 by the bilinear transform, from rest; squares of its output. */
function squaredBand(envelope: Float64Array, centreHz: number, rate: number, squares: Float64Array): void {
  const warped = Math.tan((Math.PI * centreHz) / rate);
  const width = warped / modulationQ;
  const first = 1 + width + warped * warped;
  const gain = width / first;
  const a1 = (2 * warped * warped - 2) / first;
  const a2 = (1 - width + warped * warped) / first;
  let lastInput = 0;
  let lastButOneInput = 0;
  let last = 0;
  let lastButOne = 0;
  for (let n = 0; n < envelope.length; n++) {
    const input = envelope[n]!;
    const output = gain * (input - lastButOneInput) - a1 * last - a2 * lastButOne;
    squares[n] = output * output;
    lastButOneInput = lastInput;
    lastInput = input;
    lastButOne = last;
    last = output;
  }
}

/** Envelope of each channel, lowest first, at `sampleRate / hop`. */
interface ChannelEnvelopes {
  readonly frames: number;
  /** `frames` values for one channel after another. */
  readonly values: Float64Array;
}

/** How many frames there are of so many samples. */
function countFrames(samples: number): number {
  return Math.max(0, 1 + Math.floor((samples - transformSize) / hop));
}

/**
 * Envelopes of a gammatone filter bank, taken from spectra: in each frame of 10 ms the magnitudes of all bins are added up,
 * weighted by each filter (D. Ellis, "Gammatone-like spectrograms", 2009; `fft_gtgram` of the Python package gammatone). Scaled
 * as there, with the frame that ends exactly with the sound left at zero as there.
 */
function gammatoneEnvelopes(samples: Float32Array, sampleRate: number, centresHz: readonly number[]): ChannelEnvelopes {
  const frames = countFrames(samples.length);
  const filled = Math.ceil((samples.length - transformSize) / hop);
  const weights = centresHz.map((centre) =>
    gammatoneWeights(centre, sampleRate, transformSize).map((weight) => weight / transformSize),
  );
  const half = windowLength / 2;
  const window = Float64Array.from(
    { length: windowLength - 1 },
    (_, n) => 0.5 + 0.5 * Math.cos((Math.PI * (n + 1 - half)) / half),
  );
  const windowStart = transformSize / 2 - half + 1;
  const fft = createFft(transformSize);
  const real = new Float64Array(transformSize);
  const imaginary = new Float64Array(transformSize);
  const bins = transformSize / 2 + 1;
  const one = new Float64Array(bins);
  const other = new Float64Array(bins);
  const values = new Float64Array(frames * centresHz.length);

  for (let frame = 0; frame < filled; frame += 2) {
    const paired = frame + 1 < filled;
    // Moving the window within the transform changes no magnitude.
    for (let n = 0, at = frame * hop + windowStart; n < window.length; n++, at++) {
      real[n] = window[n]! * samples[at]!;
      imaginary[n] = paired ? window[n]! * samples[at + hop]! : 0;
    }
    real.fill(0, window.length);
    imaginary.fill(0, window.length);
    fft.forward(real, imaginary);
    for (let bin = 0; bin < bins; bin++) {
      const mirrored = bin === 0 ? 0 : transformSize - bin;
      const sumReal = real[bin]! + real[mirrored]!;
      const differenceReal = real[bin]! - real[mirrored]!;
      const sumImaginary = imaginary[bin]! + imaginary[mirrored]!;
      const differenceImaginary = imaginary[bin]! - imaginary[mirrored]!;
      one[bin] = Math.sqrt(sumReal * sumReal + differenceImaginary * differenceImaginary) / 2;
      other[bin] = Math.sqrt(sumImaginary * sumImaginary + differenceReal * differenceReal) / 2;
    }
    for (let channel = 0; channel < weights.length; channel++) {
      const ofChannel = weights[channel]!;
      let oneSum = 0;
      let otherSum = 0;
      for (let bin = 0; bin < bins; bin++) {
        const weight = ofChannel[bin]!;
        oneSum += weight * one[bin]!;
        otherSum += weight * other[bin]!;
      }
      values[channel * frames + frame] = oneSum;
      if (paired) values[channel * frames + frame + 1] = otherSum;
    }
  }
  return { frames, values };
}

/** Centre frequencies evenly spaced on the ERB scale, rising from `lowestHz` to one step below `highestHz`. */
export function centreFrequencies(lowestHz: number, highestHz: number, channels: number): number[] {
  const offset = earQ * minBandwidthHz;
  const ratio = Math.log((lowestHz + offset) / (highestHz + offset));
  return Array.from(
    { length: channels },
    (_, n) => Math.exp((ratio * (channels - n)) / channels) * (highestHz + offset) - offset,
  );
}

/** Equivalent rectangular bandwidth at a frequency, in Hz. */
function equivalentBandwidthHz(frequencyHz: number): number {
  return frequencyHz / earQ + minBandwidthHz;
}

/**
 * How much a gammatone filter of order 4 lets through at each bin of a spectrum, 1 at its centre: the magnitude of Slaney's
 * digital filter (Apple Technical Report 35, 1993), which has four zeros and a pole pair of order 4.
 */
export function gammatoneWeights(centreHz: number, sampleRate: number, transformSize: number): Float64Array {
  const angle = (2 * Math.PI * centreHz) / sampleRate;
  const radius = Math.exp((-2 * Math.PI * bandwidthRatio * equivalentBandwidthHz(centreHz)) / sampleRate);
  const zeros = [Math.sqrt(3 + 2 ** 1.5), Math.sqrt(3 - 2 ** 1.5)].flatMap((root) => [
    radius * (Math.cos(angle) + root * Math.sin(angle)),
    radius * (Math.cos(angle) - root * Math.sin(angle)),
  ]);
  const magnitudeAt = (at: number) => {
    const [cosine, sine] = [Math.cos(at), Math.sin(at)];
    const numerator = zeros.reduce((product, zero) => product * Math.hypot(cosine - zero, sine), 1);
    const poles =
      Math.hypot(radius * Math.cos(angle) - cosine, radius * Math.sin(angle) - sine) *
      Math.hypot(radius * Math.cos(angle) - cosine, radius * Math.sin(angle) + sine);
    return numerator / poles ** 4;
  };
  const gain = magnitudeAt(angle);
  return Float64Array.from(
    { length: transformSize / 2 + 1 },
    (_, bin) => magnitudeAt((2 * Math.PI * bin) / transformSize) / gain,
  );
}
