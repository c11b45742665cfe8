import { clippedShare as shareOf } from '../../audio/levels.ts';
import { plainMeasure } from '../shared/plain-measure.ts';

/** How many samples stand at full scale, where whatever was louder is lost. */
export const clippedShare = plainMeasure({
  name: 'clipped-share',
  version: 1,
  about: 'Share of samples at full scale or beyond, as 16 bits have it (32767 / 32768).',
  values: { clippedShare: 'Share of all samples, 0 to 1' },
  needsClean: false,
  sampleRate: null,
  of: ({ samples }) => (samples.length === 0 ? 'the clip is empty' : { clippedShare: shareOf(samples) }),
});
