import { z } from 'zod';
import { type Clip, fitLength } from '../../audio/clip.ts';
import { releaseSamples } from '../../audio/kept-samples.ts';
import { shortestVocoderSamples, stretchByPhaseVocoder } from '../../audio/phase-vocoder.ts';
import { resample } from '../../audio/resample.ts';
import { resampleHann } from '../../audio/resample-hann.ts';
import { stretchTime } from '../../audio/wsola.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between, oneOf } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';

/** Parts of a segment that SoX searches and fades over, and its length. */
const segments = { segmentSeconds: 0.082, searchSeconds: 0.082 / 5.587, overlapSeconds: 0.082 / 6.833 };

/**
 * Another pitch at the same tempo: stretched, then played at another rate. The formants move with it, so that the voice
 * becomes that of a smaller or larger speaker.
 */
export const pitchShift = plainPerturbation({
  name: 'pitch-shift',
  version: 1,
  about: 'Speaks higher or lower at the same tempo.',
  parameters: z.strictObject({
    semitones: between(-24, 24).describe('How much higher, in semitones: 12 is an octave, below 0 is lower'),
    method: oneOf(['wsola', 'phase-vocoder'])
      .default('wsola')
      .describe(
        'wsola: as pitch of SoX, which keeps the level. phase-vocoder: as PitchShift of torchaudio, which loses 3 dB',
      ),
  }),
  random: false,
  identity: { semitones: 0, method: 'wsola' },
  example: { semitones: 3, method: 'wsola' },
  apply(clip, { semitones, method }) {
    const raise = 2 ** (semitones / 12);
    if (clip.samples.length === 0 || semitones === 0) return { clip, facts: { pitchFactor: raise } };
    const shifted = method === 'wsola' ? shiftByWsola(clip, raise) : shiftByPhaseVocoder(clip, semitones);
    const samples = fitLength(shifted, clip.samples.length);
    releaseSamples(shifted);
    return { clip: { samples, sampleRate: clip.sampleRate }, facts: { pitchFactor: raise } };
  },
});

function shiftByWsola({ samples, sampleRate }: Clip, raise: number): Float32Array {
  if (sampleRate * segments.segmentSeconds < 16) {
    throw new InapplicableStep(
      `pitch-shift: expected a clip of at least 200 samples per second, but it has ${sampleRate}; leave this clip out`,
    );
  }
  // SoX hands the tempo on in six digits, which decides where segments begin.
  const tempo = Number((1 / raise).toPrecision(6));
  const stretched = stretchTime(samples, sampleRate, tempo, segments);
  const played = { samples: stretched, sampleRate: nearWhole(sampleRate / tempo) };
  const shifted = resample(played, sampleRate);
  if (shifted !== played) releaseSamples(stretched);
  return shifted.samples;
}

/** With the roundings of torchaudio, whose rates are whole. */
function shiftByPhaseVocoder({ samples, sampleRate }: Clip, semitones: number): Float32Array {
  if (samples.length < shortestVocoderSamples) {
    throw new InapplicableStep(
      `pitch-shift: expected a clip of at least ${shortestVocoderSamples} samples for the phase vocoder, but it has ${samples.length}; choose the method wsola, or leave this clip out`,
    );
  }
  const rate = 2 ** (-semitones / 12);
  const stretched = stretchByPhaseVocoder(samples, rate);
  const played = { samples: stretched, sampleRate: Math.floor(sampleRate / rate) };
  const shifted = resampleHann(played, sampleRate);
  if (shifted !== played) releaseSamples(stretched);
  return shifted.samples;
}

/** Products such as 16000 x 2 ** (12 / 12) are meant to be whole; whole ratios are resampled faster. */
function nearWhole(rate: number): number {
  return Math.abs(rate - Math.round(rate)) < 1e-6 ? Math.round(rate) : rate;
}
