import { z } from 'zod';
import { writtenChannel } from '../../base/columns/channels.ts';
import { between, flag, list, matching, nonEmpty, oneOf, positive, whole } from '../../base/option-kinds.ts';
import { defaultSeed } from '../../base/random.ts';
import { gateOptions } from '../../compare/gate/limits.ts';
import { selectionOptions } from '../../corpora/shared/selection.ts';
import type { CorpusChannels } from '../../corpora/shared/with-channels.ts';
import { usualRateHz } from '../../model/trial.ts';
import { executors, trialForms } from './config.ts';

// What every config has, whichever members it names. Members' own options stand beside these keys and are checked by
// the members' own schemas.

/** Names that people give to recognizers, synthesizers, ladders and families: they stand in keys, tables and file names. */
const givenName = matching(
  /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/,
  'expected a name of up to 64 letters, digits, blanks, ".", "_" and "-" that begins with a letter or digit',
);

const price = z
  .strictObject({
    amount: z.number().nonnegative().describe('How much, in units of the currency'),
    currency: matching(/^[A-Z]{3}$/, 'expected an ISO 4217 code like "EUR"').describe('ISO 4217 code: EUR, USD, …'),
  })
  .describe('An amount of money');

/** Where neither a config nor the command line says in what share of its trials a recognizer may fail. */
export const defaultMaxShare = 0.2;

const limits = z
  .strictObject({
    concurrency: whole(1, 1000).optional().describe('Max calls at once; the default depends on the recognizer'),
    perSecond: positive().optional().describe('Max calls started in any second'),
    perMinute: positive().optional().describe('Max calls started in any minute'),
    timeLimitSeconds: positive(86_400)
      .optional()
      .describe('Max wait for one answer; default: 300, or ten times the duration of the audio'),
    openTimeLimitSeconds: positive(86_400)
      .optional()
      .describe('Max wait until the engine and its model are ready; default: 300'),
    attempts: whole(1, 20)
      .optional()
      .describe('Max calls for one trial, the first included, when a failure may be temporary; 4 by default'),
  })
  .describe('Limits of calls to the recognizer');

/** What is said of what is no choice of channels. */
export const channelsExpected = 'expected a channel from 1 to 256, left, right, A, B, mean or each';

/** What is heard of files with several channels, as configs and `--channels` have it. */
export const channelsOption = z.union([whole(1, 256), oneOf(['left', 'right', 'A', 'B', 'mean', 'each'])], {
  error: channelsExpected,
});

/** Which channels are meant. */
export function channelsMeant(written: z.infer<typeof channelsOption>): CorpusChannels {
  if (written === 'mean' || written === 'each' || typeof written === 'number') return written;
  return writtenChannel(written)!.value;
}

const type = nonEmpty(4096).describe("A member's name, or the path of a module of your own (./mine.ts)");

/** Keys that stand beside a recognizer's own options. */
export const recognizerFrame = z.strictObject({
  type,
  limits: limits.optional(),
  epoch: nonEmpty(200)
    .optional()
    .describe('Pins a recognizer that can change behind its name: stored answers of the same epoch are reused'),
  isolate: oneOf(['process', 'none'])
    .optional()
    .describe('Whether it runs in its own process; the default depends on the recognizer'),
  pricePerMinute: price.optional().describe('What a minute of audio costs, for the budget and the report'),
  facts: z
    .record(z.string(), z.json())
    .optional()
    .describe('Facts to print about the model: parameters, training hours, …'),
});

/** Keys that stand beside a corpus' own options. */
export const corpusFrame = z.strictObject({
  type,
  select: selectionOptions.optional().describe('Which utterances are used (default: all)'),
  mark: z
    .record(nonEmpty(100), z.string().max(200))
    .optional()
    .describe('Attributes added to every utterance, replacing its own: { corpus: far }'),
  channels: channelsOption
    .optional()
    .describe(
      'Which channel of files with several: 1 (the first; left, A), 2 (right, B), …, mean (mixed), or each (an utterance for each, id#1, id#2, with what is known of the file). Rows of a list that name theirs keep it. Default: files whose channels are unlike are refused',
    ),
});

/** Keys that stand beside a synthesizer's own options. */
export const synthesizerFrame = z.strictObject({
  type,
  pricePerMillionCharacters: price.optional().describe('What a million characters of text cost, for the budget'),
});

/** Keys that stand beside the own options of most others. */
export const memberFrame = z.strictObject({ type });

/** Keys that stand beside a study's own options. */
export const studyFrame = z.strictObject({
  type,
  name: givenName
    .optional()
    .describe('Distinguishes studies of one type in headings and file names (default: numbers)'),
});

/** One step; its parameters are checked by its perturbation's schema. */
export const stepFrame = z.strictObject({
  perturbation: nonEmpty(4096).describe('Name of a perturbation, or the path of a module of your own'),
  parameters: z.record(z.string(), z.json()).default({}).describe('Parameters of the perturbation'),
});

const ladder = z.strictObject({
  about: z.string().optional().describe('One sentence for the report'),
  source: z.string().optional().describe('Where the severities come from'),
  families: z
    .record(
      givenName,
      z.strictObject({
        about: z.string().optional().describe('Description of the audible effect'),
        axis: z.string().optional().describe('What the labels measure: SNR (dB)'),
        rungs: list(
          z.strictObject({
            label: nonEmpty(100).describe('The severity, as charts show it'),
            steps: list(stepFrame, 1, 100).describe('Perturbations of the clip, in order'),
          }),
          1,
        ).describe('From the mildest to the most destructive'),
      }),
    )
    .describe('Families of scenarios by name'),
});

/** Its `type` is checked with the member, by what can name the members there are. */
const member = z.looseObject({});

/** The whole config; members' own options are let through. */
export const configFrame = z.strictObject({
  $schema: z.string().optional().describe('For editors: path or address of earwitness.schema.json'),
  name: nonEmpty(200).optional().describe('Title of the report'),
  seed: whole(0).default(defaultSeed).describe('Random seed of the run'),
  store: nonEmpty()
    .default('.earwitness/store.sqlite')
    .describe('File that stores answers and runs, or postgres://user@host/database'),
  corpus: z
    .union([member, list(member, 1, 1000)])
    .describe('The utterances: recordings, or texts to speak; several corpora are joined in their order'),
  synthesizers: z.record(givenName, member).default({}).describe('Text-to-speech engines, by a name of your own'),
  sounds: z
    .record(givenName, member)
    .default({})
    .describe('Collections of noise, music, talkers and room responses for perturbations, by a name of your own'),
  recognizers: z.record(givenName, member).describe('The recognizers to test, by a name of your own'),
  studies: list(member, 1)
    .default([{ type: 'robustness' }])
    .describe('The studies to run'),
  spellings: list(nonEmpty(1000).regex(/^[^+]*$/, 'expected a name or a path without +'), 0, 50)
    .default([])
    .describe(
      'What is written otherwise and is no error, in every study: matters of taste by name (sharp-s, yo, …; docs/normalizers.md), and lists of your own (./mine.csv of two columns, ./mine.glm)',
    ),
  embedders: z
    .record(givenName, member)
    .default({})
    .describe('Sentence-embedding models for semantic similarity, by a name of your own'),
  predictors: z
    .record(givenName, member)
    .default({})
    .describe('Models that predict from text alone which texts will fail, for differential, by a name of your own'),
  quality: list(z.union([nonEmpty(4096), member]), 0, 32)
    .default([])
    .describe('Audio quality measures: a name, or a member with options; each clip is measured once'),
  ladders: z.record(givenName, ladder).default({}).describe('Ladders of scenarios of your own, by name'),
  perturbationRateHz: whole(4000, 192_000)
    .default(usualRateHz)
    .describe(
      'Sample rate at which clips are perturbed, in Hz, whatever that of their files, so that all recognizers hear the same; published ladders have their own (16000). A condition whose steps begin with sample-rate says its own',
    ),
  budget: z
    .strictObject({
      calls: whole(0).optional().describe('Calls to recognizers'),
      audioMinutes: z.number().nonnegative().optional().describe('Minutes of audio sent to recognizers'),
      money: price.optional().describe('What the calls may cost'),
    })
    .default({})
    .describe(
      'What one run may spend: it stops before it goes beyond. Every new run begins at 0, also --new, --fresh and --retry-failed; a run that is continued goes on counting, and what its --preview used counts too. No limit by default',
    ),
  failures: z
    .strictObject({
      maxShare: between(0, 1)
        .default(defaultMaxShare)
        .describe(
          'In what share of its trials a recognizer may fail before the run ends with exit code 12; 1: in any, and none is tried out before the run',
        ),
    })
    .prefault({})
    .describe('How many failures are too many'),
  gate: gateOptions.optional().describe('What `earwitness gate` holds a run against'),
  executor: oneOf(executors)
    .optional()
    .describe(
      'Where recognizers run: as each declares (auto), in this process (here), in processes of their own (processes), or where `earwitness worker` is started, with a store on a server (queue)',
    ),
  clips: nonEmpty()
    .optional()
    .describe(
      "Where audio lies between a run and its workers, beside `executor: queue`: a folder that all machines share, or s3://bucket/folder (default: the store's server)",
    ),
  workers: whole(1, 1024).optional().describe('Recognitions at once on this machine (default: one per core)'),
  report: z
    .strictObject({
      folder: nonEmpty().default('earwitness-report').describe('Where the report is written'),
      sound: flag(true).describe('Whether the report contains audio excerpts'),
      transcripts: flag(true).describe('Whether the report contains transcripts'),
      history: z
        .boolean()
        .optional()
        .describe('Whether the report ends with how its recognizers did over the runs of this name in the store'),
      trials: z
        .array(z.enum(trialForms))
        .default(['csv'])
        .describe('Formats in which all trials are written beside the report; none: []'),
    })
    .prefault({})
    .describe('The report'),
});

/** A config as written, its members' options not yet looked at. */
export type ConfigFrame = z.output<typeof configFrame>;
