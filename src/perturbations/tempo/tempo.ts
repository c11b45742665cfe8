import { z } from 'zod';
import { type StretchSegments, stretchTime } from '../../audio/wsola.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between, oneOf, orNull } from '../../base/option-kinds.ts';
import type { PlainPerturbation } from '../contract.ts';
import { linearTimeMap } from '../shared/effect-pairs.ts';

/**
 * Lengths of the segments in seconds, the power of the factor by which they get shorter, and what parts of them the
 * cross-fade and the search are. Those of SoX 14.4.2: `general` is its default, the others `-s`, `-m` and `-l`.
 */
const profiles = {
  general: { segmentSeconds: 0.082, power: 0, overlapPart: 6.833, searchPart: 5.587 },
  music: { segmentSeconds: 0.082, power: 1, overlapPart: 7, searchPart: 6 },
  speech: { segmentSeconds: 0.035, power: 0.33, overlapPart: 2.5, searchPart: 2.14 },
  linear: { segmentSeconds: 0.02, power: 1, overlapPart: 2, searchPart: Number.POSITIVE_INFINITY },
} as const;

const parameters = z.strictObject({
  factor: between(0.1, 10).describe('Tempo: 1.25 is faster and takes four fifths of the time'),
  profile: oneOf(['speech', 'music', 'linear', 'general'])
    .default('speech')
    .describe(
      'How segments are cut where their lengths are not given, as SoX does for -s, -m, -l and without an option',
    ),
  segmentSeconds: orNull(between(0.01, 0.12)).describe(
    'Length of the segments in seconds, 0.01 to 0.12; null: that of the profile',
  ),
  searchSeconds: orNull(between(0, 0.03)).describe(
    'Range of the search for a fitting segment in seconds, up to 0.03; null: in proportion to the segments',
  ),
  overlapSeconds: orNull(between(0, 0.03)).describe(
    'Length of the cross-fades in seconds, up to 0.03; null: in proportion to the segments',
  ),
});

type TempoParameters = z.output<typeof parameters>;

/**
 * Another tempo at the same pitch: the effect `tempo` of SoX. Speech Robust Bench calls it with segments of 30 ms, that is
 * `{ profile: 'general', segmentSeconds: 0.03 }`.
 */
export const tempo: PlainPerturbation<TempoParameters> = {
  name: 'tempo',
  version: 1,
  about: 'Speaks faster or slower at the same pitch.',
  parameters,
  random: false,
  identity: { factor: 1, profile: 'speech', segmentSeconds: null, searchSeconds: null, overlapSeconds: null },
  example: { factor: 1.25, profile: 'speech', segmentSeconds: null, searchSeconds: null, overlapSeconds: null },
  apply(clip, parameters) {
    const { factor } = parameters;
    const segments = segmentsFor(parameters);
    const facts = { segmentSeconds: segments.segmentSeconds };
    if (factor === 1) return { clip, facts };
    if (clip.sampleRate * segments.segmentSeconds < 16) {
      throw new InapplicableStep(
        `tempo: expected a clip of at least ${Math.ceil(16 / segments.segmentSeconds)} samples per second, but it has ${clip.sampleRate}; choose longer segments, or leave this clip out`,
      );
    }
    const samples = stretchTime(clip.samples, clip.sampleRate, factor, segments);
    const changed = { samples, sampleRate: clip.sampleRate };
    return { clip: changed, facts, timeMap: linearTimeMap(clip, changed) };
  },
};

function segmentsFor({ factor, profile, ...given }: TempoParameters): StretchSegments {
  const { segmentSeconds, power, overlapPart, searchPart } = profiles[profile];
  const segment = given.segmentSeconds ?? Math.max(0.01, segmentSeconds / Math.max(factor ** power, 1));
  return {
    segmentSeconds: segment,
    searchSeconds: given.searchSeconds ?? segment / searchPart,
    overlapSeconds: Math.min(given.overlapSeconds ?? segment / overlapPart, segment / 2),
  };
}
