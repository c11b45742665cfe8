import { isSilent, pairWithReference } from '../contract.ts';
import { plainMeasure } from '../shared/plain-measure.ts';

/**
 * Signal-to-noise ratio against the clean clip: everything by which a clip differs from it counts as noise, a change of level
 * or a shift too. Null where nothing differs: the ratio is infinite.
 */
export const snr = plainMeasure({
  name: 'snr',
  version: 1,
  about: 'Signal-to-noise ratio over the whole clip, taking every difference from the clean clip as noise.',
  values: { snrDb: 'Energy of the clean clip over that of the difference, in decibels' },
  needsClean: true,
  sampleRate: null,
  of(clip, clean) {
    const pair = pairWithReference(clip, clean);
    if ('reason' in pair) return pair.reason;
    if (isSilent(pair.clean.samples)) return 'the clean clip is digital silence';
    const ratio = snrDb(pair.clip.samples, pair.clean.samples);
    return ratio === null ? 'the clip is the clean one: there is no noise' : { snrDb: ratio };
  },
});

/** Null for equal samples. */
function snrDb(clip: Float32Array, clean: Float32Array): number | null {
  let signal = 0;
  let noise = 0;
  for (let n = 0; n < clean.length; n++) {
    const sample = clean[n]!;
    const difference = clip[n]! - sample;
    signal += sample * sample;
    noise += difference * difference;
  }
  return noise > 0 ? 10 * Math.log10(signal / noise) : null;
}
