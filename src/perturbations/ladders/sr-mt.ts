import type { Step } from '../../model/trial.ts';
import type { Ladder } from '../contract.ts';
import { ladderFamily } from './srb-table.ts';

/** The collection that the noise comes from: under this name in the config, usually NOISEX-92. */
const noiseCollection = 'noisex-92';

/**
 * As its program mixes: from anywhere in a file, sample by sample, whatever rate the noise was recorded at. A clip has one kind of noise at all
 * SNRs, as in the paper, whose curves are each of one kind: rank means the SNR alone.
 */
const noise = (snrDb: number): Step => ({
  perturbation: 'sound-noise',
  parameters: { sounds: noiseCollection, snrDb, start: 'same', resampled: false, channel: 'mean', select: {} },
});

/** In its files' names and its text, 1.25 and 0.75 are how much longer the speech gets, although the paper calls them rates. */
const longer = (durationFactor: number): Step => ({
  perturbation: 'wsola',
  parameters: { rate: null, durationFactor },
});

/** Its factor r stretches by r and plays that in the time it had: the pitch is multiplied by 1 / r. */
const tone = (factor: number): Step => ({
  perturbation: 'tone',
  parameters: { pitchFactor: 1 / factor, repair: 'raised' },
});

/**
 * The four metamorphic relations of SR-MT with the factors of its data. design/sr-mt.md lists where this differs, and every
 * name.
 */
export const srMt: Ladder = {
  name: 'sr-mt',
  about: 'Noise, slower and faster speech, higher and lower voices, slow speech in noise',
  source:
    'Wang, Ben, Zhang: Metamorphic testing of speech recognition software (MET 2022), relations MR-1 to MR-4, and the data and programs that its authors published',
  rateHz: 16_000,
  families: [
    ladderFamily('noise', 'MR-1: a recorded noise', 'signal-to-noise ratio', [50, 30, 10, 0], ' dB', (snrDb) => [
      noise(snrDb),
    ]),
    ladderFamily('slow', 'MR-2: slower, at the same pitch', 'duration factor', [1.25], '', (factor) => [
      longer(factor),
    ]),
    ladderFamily('fast', 'MR-2: faster, at the same pitch', 'duration factor', [0.75], '', (factor) => [
      longer(factor),
    ]),
    ladderFamily(
      'tone-up',
      'MR-3: a higher voice, at the same tempo',
      'factor (pitch / factor)',
      [0.75, 0.7, 0.6],
      '',
      (r) => [tone(r)],
    ),
    ladderFamily(
      'tone-down',
      'MR-3: a lower voice, at the same tempo',
      'factor (pitch / factor)',
      [1.25, 1.5],
      '',
      (r) => [tone(r)],
    ),
    ladderFamily('slow-noise', 'MR-4: slower, then a recorded noise', 'signal-to-noise ratio', [10], ' dB', (snrDb) => [
      longer(1.25),
      noise(snrDb),
    ]),
  ],
};
