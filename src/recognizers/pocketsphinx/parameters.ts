import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { oneOf, whole } from '../../base/option-kinds.ts';
import { streamingOptions } from '../shared/model-options.ts';
import { blockSamples } from './decoder.ts';

/** Settings of the decoder. Whatever is left out stays as the library and the acoustic model have it. */
export const pocketsphinxOptions = z.strictObject({
  acousticModel: z
    .string()
    .optional()
    .describe("Folder of the acoustic model (mdef, means, variances, …). Default: Debian's US English."),
  languageModel: z
    .string()
    .optional()
    .describe("N-gram language model (ARPA or binary). Default: Debian's US English."),
  dictionary: z.string().optional().describe("Pronouncing dictionary. Default: Debian's US English."),
  grammar: z.string().optional().describe('JSGF grammar, in place of a language model.'),
  beams: oneOf(['default', 'narrow'])
    .default('default')
    .describe('Preset of beam widths; numbers in parameters go before it. "narrow" is faster and makes more errors.'),
  maxHmmsPerFrame: whole(-1).optional().describe('Max HMMs alive in a frame, -1 for no limit (-maxhmmpf).'),
  maxWordsPerFrame: whole(-1).optional().describe('Max words that end in a frame, -1 for no limit (-maxwpf).'),
  downsample: whole(1, 100).optional().describe('Computes Gaussians only in every n-th frame (-ds).'),
  sampleRate: whole(4000, 192_000)
    .optional()
    .describe("Rate the acoustic model was trained for, in Hz. Default: the model's feat.params, else 16000."),
  parameters: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe(
      'Further parameters of the library by name: {"-remove_noise": false}, {"-lw": 6.5}. Files are meant from the config.',
    ),
  // At 16 kHz, the blocks of batch mode: then both modes hear alike.
  ...streamingOptions(blockSamples / 16_000),
});

export type PocketsphinxOptions = z.infer<typeof pocketsphinxOptions>;

/** Parameters that name a file the library reads: their content is part of the identity, not their path. */
export const fileParameters: readonly string[] = [
  '-allphone',
  '-fdict',
  '-featparams',
  '-fsg',
  '-kws',
  '-lda',
  '-mdef',
  '-mean',
  '-mixw',
  '-mllr',
  '-sendump',
  '-senmgau',
  '-tmat',
  '-var',
];

/** Searches that stand in place of a language model. */
export const otherSearches: readonly string[] = ['-fsg', '-kws', '-keyphrase', '-allphone'];

const refused: Readonly<Record<string, string>> = {
  '-hmm': 'use acousticModel',
  '-lm': 'use languageModel',
  '-dict': 'use dictionary',
  '-jsgf': 'use grammar',
  '-samprate': 'use sampleRate',
  '-lmctl': 'the models it lists would not be part of the identity; use languageModel',
  '-lmname': 'it belongs to -lmctl, which cannot be used',
  '-logfn': 'it writes files',
  '-mfclogdir': 'it writes files',
  '-rawlogdir': 'it writes files',
  '-senlogdir': 'it writes files',
  '-backtrace': 'it only writes to the log',
  '-debug': 'it only writes to the log',
  '-verbose': 'it only writes to the log',
  '-input_endian': 'sound is given in memory',
  '-mmap': 'it changes no answer',
};

/**
 * Settings other than files, by the library's parameter names. The seed of dithering is fixed, since the library would
 * else take the time of day.
 *
 * @throws EarwitnessError `bad-config` for a parameter that is another option's, or writes files
 */
export function settingsOf(options: PocketsphinxOptions): Readonly<Record<string, string>> {
  const extra: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.parameters)) {
    const reason = refused[name];
    if (reason !== undefined) throw badConfig(`parameters: ${name} cannot be set here: ${reason}`);
    if (!fileParameters.includes(name))
      extra[name] = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  }
  const named: Readonly<Record<string, number | string | undefined>> = {
    '-seed': 1,
    ...beamPresets[options.beams],
    ...defined({
      '-maxhmmpf': options.maxHmmsPerFrame,
      '-maxwpf': options.maxWordsPerFrame,
      '-ds': options.downsample,
      '-samprate': options.sampleRate,
    }),
  };
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(named)) if (value !== undefined) settings[name] = String(value);
  return { ...settings, ...extra };
}

/**
 * @param known names that the library has
 * @throws EarwitnessError `bad-config` for a name that it has not, with the nearest one
 */
export function checkParameterNames(names: readonly string[], known: readonly string[]): void {
  const set = new Set(known);
  for (const name of names) {
    if (set.has(name)) continue;
    const near = nearestName(name, known);
    const hint = near === null ? 'pocketsphinx_batch without arguments lists them' : `did you mean ${near}?`;
    throw badConfig(`parameters: the library has no parameter ${JSON.stringify(name)}; ${hint}`);
  }
}

function defined<T>(values: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined));
}

/** Beam widths by the library's parameter names. */
const beamPresets: Readonly<Record<PocketsphinxOptions['beams'], Readonly<Record<string, number>>>> = {
  default: {},
  /** In place of 1e-48, 1e-48 and 7e-29. On 16 sentences of TIMIT: WER .47 in place of .30, in .57 of the processor time. */
  narrow: { '-beam': 1e-36, '-pbeam': 1e-36, '-wbeam': 1e-22 },
};
