import { z } from 'zod';
import { energyOf } from '../../audio/energies.ts';
import { fftRadices } from '../../audio/fft.ts';
import { createRealFft } from '../../audio/real-fft.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { refuseSilence } from '../shared/signal-to-noise.ts';

/**
 * Takes the weakest parts of the spectrum away, as many as the ratio allows: an attack that needs neither a model nor a question, and that
 * people hardly hear (H. Abdullah et al., "Hear 'No Evil', See 'Kenansville'", IEEE S&P 2021, section IV, the variant by discrete Fourier
 * transform). The transform is of the whole clip, with silence behind it up to a size that is quickly transformed; bins go in order of their
 * energy, the weakest first, until the next would take more than the ratio allows. Ratio: energy of the clip to energy of what was taken.
 */
export const kenansville = plainPerturbation({
  name: 'kenansville',
  version: 1,
  about: 'Takes the weakest parts of the spectrum away: an attack that asks no recognizer.',
  parameters: z.strictObject({
    snrDb: between(0, 120).describe('Ratio of the clip to what is taken away, at least, in decibels: lower takes more'),
  }),
  random: false,
  adversarial: true,
  identity: null,
  example: { snrDb: 15 },
  apply({ samples, sampleRate }, { snrDb }) {
    const facts = (achieved: number | null, removed: number, bins: number) => ({
      askedSnrDb: snrDb,
      achievedSnrDb: achieved,
      removedBins: removed,
      bins,
    });
    if (samples.length === 0) return { clip: { samples: new Float32Array(0), sampleRate }, facts: facts(null, 0, 0) };
    const signal = energyOf(samples);
    refuseSilence('kenansville', signal, snrDb);
    const fft = createRealFft(transformSize(samples.length));
    const [real, imaginary] = [new Float64Array(fft.bins), new Float64Array(fft.bins)];
    const padded = new Float64Array(fft.size);
    padded.set(samples);
    fft.forward(padded, real, imaginary);
    const energies = real.map((value, bin) => {
      // All bins but the first and the last stand for two.
      const times = bin === 0 || bin === fft.bins - 1 ? 1 : 2;
      return (times * (value ** 2 + imaginary[bin]! ** 2)) / fft.size;
    });
    const weakestFirst = Uint32Array.from(energies.keys()).sort((a, b) => energies[a]! - energies[b]! || a - b);
    const allowed = signal / 10 ** (snrDb / 10);
    let removed = 0;
    for (let taken = 0; removed < weakestFirst.length; removed++) {
      const bin = weakestFirst[removed]!;
      taken += energies[bin]!;
      if (taken > allowed) break;
      real[bin] = 0;
      imaginary[bin] = 0;
    }
    fft.inverse(real, imaginary, padded);
    const left = Float32Array.from(padded.subarray(0, samples.length));
    let gone = 0;
    for (let n = 0; n < left.length; n++) gone += (samples[n]! - left[n]!) ** 2;
    const achieved = gone === 0 ? null : 10 * Math.log10(signal / gone);
    return { clip: { samples: left, sampleRate }, facts: facts(achieved, removed, fft.bins) };
  },
});

/** The next even size that is transformed. */
function transformSize(length: number): number {
  for (let half = Math.ceil(length / 2); ; half++) if (fftRadices(half) !== null) return 2 * half;
}
