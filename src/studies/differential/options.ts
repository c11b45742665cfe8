import { z } from 'zod';
import { between, flag, list, matching, nonEmpty, oneOf, orNull, positive, whole } from '../../base/option-kinds.ts';
import { conditionsOption, defaultNormalizer, intervalOptions, normalizerOption } from '../shared/options.ts';

const limit = orNull(whole(1, 100_000_000));

const stop = z
  .strictObject({
    failures: limit.describe('A search ends when it has found this many failed tests'),
    iterations: whole(1, 10_000)
      .nullable()
      .default(5)
      .describe('A search ends after this many iterations; null: when all its texts have been tried'),
    minutes: orNull(positive()).describe('No iteration begins when the study has been at work so long, by the clock'),
    calls: limit.describe(
      'No more recognitions are asked for, answers stored before counted as calls; retries come on top',
    ),
    money: orNull(
      z.strictObject({
        amount: positive().describe('How much, in units of the currency'),
        currency: matching(/^[A-Z]{3}$/, 'expected an ISO 4217 code like "EUR"').describe('ISO 4217 code'),
      }),
    ).describe(
      'No iteration begins that would cost more, by what texts have cost so far, answers stored before included',
    ),
  })
  .describe('When searches end: whichever comes first, or when all texts have been tried');

/** By one of which its texts are compared where the options name none: CrossASR's for English, each language's own for others. */
export const usualNormalizers = ['crossasr', defaultNormalizer] as const;

const tolerant = z
  .strictObject({
    normalizer: normalizerOption
      .default('english')
      .describe('Text normalizer of this rule: a name, or a module of your own'),
    variants: list(list(nonEmpty(200), 2, 100), 0, 10_000)
      .default([])
      .describe('Spellings that are the same: [[taxpayers, tax payers], [colour, color]]'),
    ignoreBlanks: flag(true).describe('Whether words written together or apart are the same'),
    distance: between(0, 1)
      .default(0)
      .describe('Least edits between the letters, as a share of those of the text, that still are the same'),
  })
  .describe('What the rule tolerant takes for the same');

/** Options of the study `differential`. */
export const differentialOptions = z
  .strictObject({
    predictor: nonEmpty(64)
      .nullable()
      .default('text-features')
      .describe(
        'Who says which texts will fail: a predictor of the config, or text-features; null: texts are drawn at random',
      ),
    batch: orNull(whole(1, 1_000_000)).describe(
      'Texts of an iteration (n); null: 210, or a tenth of the texts if that is fewer',
    ),
    keep: orNull(whole(1, 10_000_000)).describe(
      'Stage 1 keeps this many texts that are likely to be determinable (k); null: 400 for 210',
    ),
    learnAfter: orNull(whole(1, 1_000_000)).describe(
      'After this many texts of an iteration the predictor learns from them and selects the next ones; null: a third of the batch; the same as the batch: once, as published',
    ),
    ranking: oneOf(['two-stage', 'yield'])
      .default('yield')
      .describe(
        'yield: by the failed tests to be expected for each recognition; two-stage, as published: of the k likeliest to be determinable, those likeliest to fail',
      ),
    asking: oneOf(['all', 'best-first'])
      .default('all')
      .describe(
        'all: every recognizer is asked about every text; best-first: after the first texts, the one that got most of them right is asked about a text first, and the others only if it is right, which takes far fewer recognitions and finds no more failures of that one',
      ),
    askedOpenly: whole(1, 1_000_000)
      .default(20)
      .describe(
        'With best-first, all recognizers are asked about this many texts of the first iteration, which show who is best and give the shares of texts drawn at random; as many again until one has been right',
      ),
    acrossVoices: flag(true).describe(
      'Whether the transcripts of a text from other voices, or in other conditions, count when texts are selected; false, as published: each search uses its own',
    ),
    voiceBy: nonEmpty(100)
      .default('voice')
      .describe(
        'The attribute of recordings that names the voice (festival:kal_diphone, or any name): each voice has its own search; recordings without it are one voice',
      ),
    candidates: whole(1, 100_000_000)
      .default(100_000)
      .describe('Max number of untried texts to consider for an iteration, drawn at random if there are more'),
    stop: stop.prefault({}),
    rule: oneOf(['exact', 'tolerant', 'majority'])
      .default('exact')
      .describe(
        'When a transcript matches the text: exact: the same words; tolerant: see there; majority: the words that most recognizers gave replace the text',
      ),
    tolerant: tolerant.prefault({}),
    normalizer: orNull(normalizerOption).describe(
      'Text normalizer: a name, or a module of your own (./mine.ts); null: crossasr, the one of the papers, for texts in English or of an unknown language, by-language for all others',
    ),
    conditions: conditionsOption
      .default(['clean'])
      .describe('Conditions for the synthesized clips: each has its own search; clean: unchanged'),
    replicates: whole(0, 100)
      .default(0)
      .describe(
        'Compares the predictor with random selection: number of seeds, each with the predictor, without it, and with either stage alone; costs recognitions where answers are not stored yet',
      ),
    wholePool: flag(false).describe(
      'Every text is asked in the end: for tables over all texts and for what an oracle would reach',
    ),
    maxCases: whole(0, 1_000_000).default(5000).describe('Max number of rows kept with the finding, failed ones first'),
    causes: whole(0, 1000)
      .default(20)
      .describe('Max number of causes that the failed tests are read as: words that came out otherwise. 0: none'),
    level: intervalOptions.level,
  })
  .refine(({ batch, keep }) => batch === null || keep === null || keep >= batch, {
    message: 'expected keep to be at least batch: stage 1 keeps the texts of which stage 2 chooses',
    path: ['keep'],
  })
  .refine(({ asking, rule }) => asking === 'all' || rule !== 'majority', {
    message: 'expected all with the rule majority: the majority is known only if all recognizers were asked',
    path: ['asking'],
  });

export type DifferentialOptions = z.infer<typeof differentialOptions>;
