import type { Clip } from '../../audio/clip.ts';
import { plainMeasure } from '../shared/plain-measure.ts';

const frameSeconds = 0.02;

/** With fewer frames (of 20 ms, each begun 10 ms after the one before) pauses and speech cannot be told apart. */
const minFrames = 20;

/** Which of the frames, the softest first, is taken for noise alone. */
const noisePlace = 0.1;

/** Frames by this factor above the noise (6 dB) are taken for speech. */
const speechFactor = 4;

/** How loud the noise of a recording is, and how far speech stands above it, without a clean clip. */
export const noiseLevel = plainMeasure({
  name: 'noise-level',
  version: 1,
  about: 'Level of the noise in pauses and the signal-to-noise ratio, estimated from the clip alone.',
  values: {
    snrDb: 'Power of speech over that of noise, in decibels',
    noiseDbfs: 'Level of the noise in decibels relative to full scale',
    speechDbfs: 'Level of the speech without the noise in decibels relative to full scale',
  },
  needsClean: false,
  sampleRate: null,
  of(clip) {
    const found = estimateNoise(clip);
    if (found === null) return 'the clip is too short, silent or steady: no speech stands out from pauses';
    const { snrDb, noiseDbfs, speechDbfs } = found;
    return { snrDb, noiseDbfs, speechDbfs };
  },
});

/** Noise beneath speech, from the clip alone. */
interface EstimatedNoise {
  readonly noiseDbfs: number;
  readonly speechDbfs: number;
  readonly snrDb: number;
}

/**
 * The signal-to-noise ratio of a clip without a clean one beside it: the softest tenth of frames of 20 ms is taken for noise
 * alone (its greatest power), frames 6 dB above that for speech and noise together, as NIST's `stnr` and minimum statistics (R.
 * Martin, IEEE Trans. Speech and Audio Processing 9, 2001) take pauses for noise. It needs pauses in a tenth of the clip and
 * noise that does not change: where speech never stops the noise is taken for too loud, and reverberation counts as noise.
 *
 * @returns null where frames are too few, all are digital silence or none stands out: a steady sound
 */
export function estimateNoise({ samples, sampleRate }: Clip): EstimatedNoise | null {
  const length = Math.max(1, Math.round(frameSeconds * sampleRate));
  const step = Math.max(1, Math.round(length / 2));
  const powers: number[] = [];
  for (let start = 0; start + length <= samples.length; start += step) {
    let sum = 0;
    for (let n = start; n < start + length; n++) sum += samples[n]! * samples[n]!;
    // Frames of digital silence were cut or gated: they tell nothing of the noise under speech.
    if (sum > 0) powers.push(sum / length);
  }
  if (powers.length < minFrames) return null;
  powers.sort((a, b) => a - b);
  const noise = powers[Math.floor(noisePlace * powers.length)]!;
  const loud = powers.filter((power) => power > speechFactor * noise);
  if (loud.length === 0) return null;
  const speech = loud.reduce((sum, power) => sum + power, 0) / loud.length - noise;
  const decibels = (power: number) => 10 * Math.log10(power);
  return { noiseDbfs: decibels(noise), speechDbfs: decibels(speech), snrDb: decibels(speech / noise) };
}
