import type { ChannelEnvelopes } from './gammatone-envelopes.ts';

/** Modulation filters: centre frequencies in Hz, evenly spaced in pitch, and quality. */
export const modulationCentresHz: readonly number[] = Array.from({ length: 8 }, (_, n) => 4 * 32 ** (n / 7));
export const modulationQ = 2;

/** Stretches over which energies are taken, in frames of 2.5 ms: 256 ms every 64 ms, rounded up. */
const stretch = 103;
const step = 26;

/** How many stretches there are in so many frames. */
export function countStretches(frames: number): number {
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
