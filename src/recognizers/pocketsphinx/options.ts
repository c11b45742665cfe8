import { z } from 'zod';
import { streamingOptions } from '../shared/streaming-options.ts';
import { blockSamples } from './decoder.ts';

const share = z.number().min(0).max(1);

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
  pronunciations: z
    .string()
    .optional()
    .describe(
      'Further pronunciations, in the format of a dictionary, as `earwitness cases words` writes them. Words that the dictionary lacks become words of the language model too.',
    ),
  grammar: z.string().optional().describe('JSGF grammar, in place of a language model.'),
  startRule: z.string().optional().describe("The grammar's rule to begin with. Default: its first public rule."),
  beams: z
    .enum(['default', 'narrow'])
    .default('default')
    .describe('Preset of beam widths; the numbers below go before it. "narrow" is faster and mishears more.'),
  beam: share.optional().describe('Beam width of every frame in the first pass (-beam); smaller is wider.'),
  phoneBeam: share.optional().describe('Beam width of phone transitions (-pbeam).'),
  wordBeam: share.optional().describe('Beam width of word exits (-wbeam).'),
  lastPhoneBeam: share.optional().describe('Beam width of the last phone in words (-lpbeam).'),
  lonePhoneBeam: share.optional().describe('Beam width of the last phone in words of one phone (-lponlybeam).'),
  flatBeam: share.optional().describe('Beam width of every frame in the second pass (-fwdflatbeam).'),
  flatWordBeam: share.optional().describe('Beam width of word exits in the second pass (-fwdflatwbeam).'),
  maxHmmsPerFrame: z.int().min(-1).optional().describe('Most HMMs alive in a frame, -1 for no limit (-maxhmmpf).'),
  maxWordsPerFrame: z.int().min(-1).optional().describe('Most words that end in a frame, -1 for no limit (-maxwpf).'),
  downsample: z.int().min(1).max(100).optional().describe('Computes Gaussians in every so-manieth frame only (-ds).'),
  languageWeight: z.number().positive().optional().describe('Weight of the language model (-lw).'),
  wordInsertionPenalty: z.number().positive().optional().describe('Factor for every further word (-wip).'),
  sampleRate: z
    .int()
    .min(4000)
    .max(192_000)
    .optional()
    .describe("Rate the acoustic model was trained for, in Hz. Default: the model's feat.params, else 16000."),
  parameters: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Further parameters of the library by name: {"-remove_noise": false}. Files are meant from the config.'),
  libraryFolder: z
    .string()
    .optional()
    .describe('Folder that holds libpocketsphinx.so.3 and libsphinxbase.so.3, where the system has them elsewhere.'),
  // At 16 kHz, the blocks of batch mode: then both modes hear alike.
  ...streamingOptions(blockSamples / 16_000),
});

export type PocketsphinxOptions = z.infer<typeof pocketsphinxOptions>;
