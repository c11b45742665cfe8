import { z } from 'zod';
import { between, flag, list, nonEmpty, oneOf, orNull, whole } from '../../base/option-kinds.ts';
import { isWrittenUnspaced } from '../../base/scripts.ts';
import type { Estimate } from '../../model/finding.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { conditionsOption, drawsOption, intervalOptions, normalizerOption, stepsOption } from '../shared/options.ts';
import { ratingsOption } from '../shared/validity/ratings.ts';
import { validityOption } from '../shared/validity/validity.ts';

/** What a robustness level may rest on: shares from 0 to 1, 1 the best (`accuracy` may be less than 0). */
const levelMetrics = [
  'fillRate',
  'accuracy',
  'bleu1',
  'bleu2',
  'bleu3',
  'bleu4',
  'similarity',
  'criticalWords',
] as const;

const name = nonEmpty(100);

const noises = z.strictObject({
  sounds: nonEmpty(4096).describe('A sound collection by its name in the config, or a folder of audio files'),
  kinds: z
    .union([
      z.literal('files'),
      z
        .record(name, z.record(z.string().max(200), z.union([z.string().max(1000), z.number(), z.boolean()])))
        .refine((kinds) => Object.keys(kinds).length > 0, 'expected at least one kind of noise'),
    ])
    .describe(
      'files: each file of the collection is a kind, under its name; or kinds by name, with the facts of their sounds: { babble: { name: babble.wav } }',
    ),
  snrDb: list(between(-60, 120), 1, 100).describe('Signal-to-noise ratios in decibels'),
  steps: stepsOption.default([]).describe('What is done before the noise is added: slower speech, say'),
  resampled: flag(true).describe('Whether noise with another sample rate is resampled to keep its pitch'),
});

/** What must hold between the transcript of the clip and that of the changed clip. */
const output = z.union([
  oneOf(['equal', 'contains']),
  z.strictObject({ repeated: whole(2, 20).describe('The words occur this many times') }),
  z.strictObject({
    followedBy: nonEmpty(1000).describe(
      'Id of the utterance whose audio was appended: its words follow those of the clip',
    ),
  }),
]);

const relation = z
  .strictObject({
    name: name.describe('Unique among the relations'),
    conditions: conditionsOption
      .default([])
      .describe('What is done to the clip: scenarios, families, ladders, or conditions of your own'),
    noises: orNull(noises).describe('Each kind of noise at each ratio as a condition of its own'),
    output: output
      .default('equal')
      .describe('What the words of the changed clip must be: equal to, or containing, those of the clip; or see above'),
  })
  .refine(({ conditions, noises: some }) => conditions.length > 0 || some !== null, {
    message: 'expected conditions or noises',
    path: ['conditions'],
  });

const byRatings = ratingsOption.extend({
  per: oneOf(['case', 'relation'])
    .default('relation')
    .describe('Whether each changed clip passes by itself, or a relation on a corpus as a whole'),
});

/** Options of the study `metamorphic`. */
export const metamorphicOptions = z.strictObject({
  profile: orNull(oneOf(['sr-mt'])).describe(
    'sr-mt: relations and computation of the published study; null: corrected ones',
  ),
  relations: orNull(list(relation, 1, 1000)).describe(
    'What must hold when the audio is changed; null: the relations of the profile, or some that need no noise recordings',
  ),
  normalizer: orNull(normalizerOption.unwrap()).describe(
    'What makes words of transcripts; null: by-language, in the profile sr-mt none',
  ),
  unit: orNull(oneOf(['words', 'characters'])).describe(
    'Unit of comparison; null: characters for languages written without spaces, else words',
  ),
  identity: z
    .strictObject({
      repeats: whole(0, 100)
        .default(2)
        .describe('How often the clean clip is recognized again; 0: no identity control'),
      sample: whole(1, 100_000)
        .default(20)
        .describe('Clips for which this is checked where a recognizer declares itself deterministic (facts)'),
    })
    .prefault({})
    .describe('Variation between recognitions of the same clip'),
  draws: drawsOption,
  robustness: z
    .strictObject({
      bands: z
        .array(between(-1, 1))
        .length(4)
        .refine(
          (bands) => bands.every((edge, index) => index === 0 || edge < bands[index - 1]!),
          'expected falling edges',
        )
        .default([0.8, 0.6, 0.4, 0.2])
        .describe('Lowest value of levels 5, 4, 3 and 2'),
      metrics: list(z.enum(levelMetrics), 1)
        .default(['accuracy', 'bleu4'])
        .describe('The lowest of these makes the level'),
      criticalWords: list(nonEmpty(200), 0, 10_000)
        .default([])
        .describe('Words that must not be lost, whatever else is: not, stop, numbers'),
    })
    .prefault({})
    .describe('How the robustness level from 1 to 5 is made'),
  similarity: orNull(
    z.strictObject({
      embedder: name.describe('Name of one of the config’s embedders'),
      utterances: whole(1, 100_000).default(200).describe('Utterances drawn for it; all where there are fewer'),
      anyLanguage: flag(false).describe('Also in languages that the model does not declare, as published for SR-MT'),
    }),
  ).describe('Similarity of meaning'),
  validity: orNull(z.union([byRatings, validityOption])).describe(
    'Which changed clips listeners would call valid: results are given with and without the others',
  ),
  ...intervalOptions,
});

export type MetamorphicOptions = z.infer<typeof metamorphicOptions>;
export type RelationOptions = z.infer<typeof relation>;

/**
 * Robustness level from 1 to 5 (SR-MT, section 3.5): 5 from the first edge on, 4 from the second, … 1 below the last; edges
 * belong to the higher level. The paper leaves open how several metrics make one level; the lowest of them is what fits
 * its Table 4 best (design/sr-mt.md).
 *
 * @param edges lowest value of levels 5, 4, 3 and 2, falling
 * @example levelOf(0.8, [0.8, 0.6, 0.4, 0.2]) // 5
 */
function levelOf(value: number, edges: readonly number[]): number {
  const reached = edges.findIndex((edge) => value >= edge);
  return reached === -1 ? 1 : edges.length + 1 - reached;
}

/** The level of the lowest metric, with the levels of the ends of intervals: of the lowest low end and the lowest high end. */
export function levelEstimate(metrics: readonly Estimate[], edges: readonly number[]): Estimate {
  const [first] = metrics;
  const method = 'level of the lowest of its metrics; the ends are the levels of the lowest ends of their intervals';
  const missing = metrics.find(({ value }) => value === null);
  const { level, n } = first!;
  if (missing)
    return { value: null, low: null, high: null, level, n, reason: missing.reason ?? { code: 'no-value' }, method };
  const lowest = (end: (estimate: Estimate) => number | null): number | null => {
    const ends = metrics.map(end);
    return ends.includes(null) ? null : levelOf(Math.min(...(ends as number[])), edges);
  };
  const [low, high] = [lowest((one) => one.low), lowest((one) => one.high)];
  const reason = metrics.find((one) => one.low === null)?.reason;
  return {
    value: lowest((one) => one.value),
    low,
    high,
    level,
    n,
    ...(reason === undefined ? {} : { reason }),
    method,
  };
}

/** What must hold between the tokens of a clip and those of the changed clip. */
export type OutputRelation = RelationOptions['output'];

/**
 * The tokens that the changed clip should have: those of the clip, so many times, or followed by those of the utterance
 * that was appended.
 *
 * @param appended tokens of the appended utterance; for other relations not looked at
 */
export function expectedTokens(
  relation: OutputRelation,
  source: readonly string[],
  appended: readonly string[] | null,
): readonly string[] {
  if (typeof relation === 'string') return source;
  if ('repeated' in relation) return Array.from({ length: relation.repeated }, () => source).flat();
  return [...source, ...(appended ?? [])];
}

/** Whether a follow-up is what was expected; `contains` lets words come before and after. */
export function holds(relation: OutputRelation, expected: readonly string[], followUp: readonly string[]): boolean {
  return relation === 'contains' ? containsRun(followUp, expected) : same(expected, followUp);
}

/** Whether two texts have the same tokens in the same order. */
export function same(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((token, index) => token === second[index]);
}

/** Knuth, Morris and Pratt (1977): time grows with both lengths, and not with their product. */
function containsRun(tokens: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return true;
  const borders = new Int32Array(run.length);
  for (let place = 1, border = 0; place < run.length; place++) {
    while (border > 0 && run[place] !== run[border]) border = borders[border - 1]!;
    if (run[place] === run[border]) border++;
    borders[place] = border;
  }
  let matched = 0;
  for (const token of tokens) {
    while (matched > 0 && token !== run[matched]) matched = borders[matched - 1]!;
    if (token === run[matched]) matched++;
    if (matched === run.length) return true;
  }
  return false;
}

/** The relation in a sentence. */
export function relationInWords(relation: OutputRelation): string {
  if (relation === 'equal') return 'the same words';
  if (relation === 'contains') return 'the same words, with others before or after them';
  if ('repeated' in relation) return `the same words, ${relation.repeated} times`;
  return `the same words, and then those of utterance ${relation.followedBy.slice(0, 80)}`;
}

export type Unit = 'words' | 'characters';

/** The language without region and script: results are kept apart by it. */
export function primaryLanguage(language: string): string {
  return language.toLowerCase().split('-', 1)[0]!;
}

/** What is compared in a language, as `primaryLanguage` has it, where nobody says: characters where blanks do not part words. */
export function unitOf(language: string, wanted: Unit | null): Unit {
  return wanted ?? (isWrittenUnspaced(primaryLanguage(language)) ? 'characters' : 'words');
}

/** Normalized words of a transcript, or the code points of these without blanks. */
export function tokensOf(text: string, unit: Unit, normalizer: Normalizer, language?: string): string[] {
  const words = normalizer.words(text, language);
  return unit === 'words' ? words : [...words.join('')];
}
