import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { between, matching, nonEmpty, oneOf, whole } from '../../base/option-kinds.ts';
import { unusable } from '../../packages/model-files.ts';
import { RecognitionError } from '../contract.ts';
import { spokenLanguageOption, threadsOption, whisperTask } from '../shared/model-options.ts';

/** Kinds of numbers that transformers.js has names for, with the ends of their file names. */
export const weightSuffixes = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
  q2: '_q2',
  q2f16: '_q2f16',
  q1: '_q1',
  q1f16: '_q1f16',
} as const;

export type WeightKind = keyof typeof weightSuffixes;

const weightKind = z.enum(Object.keys(weightSuffixes) as [WeightKind, ...WeightKind[]]);

/** How the hub names a model: owner/name. */
export const hubId = /^[\w.-]{1,96}\/[\w.-]{1,96}$/;

export const transformersOptions = z
  .strictObject({
    model: nonEmpty()
      .optional()
      .describe(
        'Folder of the model as transformers.js has it (config.json, tokenizer.json, onnx/….onnx); where there is no such folder, owner/name of a model on the Hugging Face hub: openai/whisper-base',
      ),
    hub: matching(hubId, 'expected owner/name, like "onnx-community/whisper-tiny.en"')
      .refine((id) => !id.includes('..'), 'expected owner/name without ".."')
      .optional()
      .describe('In place of model: owner/name on the hub, even where a folder of that name is here'),
    revision: matching(/^[\w./-]{1,200}$/, 'expected a branch, tag or commit')
      .refine((revision) => !revision.includes('..'), 'expected a branch, tag or commit')
      .default('main')
      .describe('Branch, tag or commit of the model on the hub; what was downloaded for it once is used from then on'),
    endpoint: z
      .url({ protocol: /^https?$/, error: 'expected an address like https://huggingface.co' })
      .optional()
      .describe('Address of the hub. Default: HF_ENDPOINT, else https://huggingface.co'),
    cacheFolder: nonEmpty()
      .optional()
      .describe('Where downloaded models are kept. Default: EARWITNESS_CACHE or the folder for caches of this system'),
    dtype: z
      .union([weightKind, z.record(z.string(), weightKind)])
      .optional()
      .describe(
        'Kind of the weights (fp32, q8, …), or one for each graph: {"encoder_model": "fp32"}. Default: fp32, else the only one there is',
      ),
    device: oneOf(['cpu', 'cuda', 'webgpu', 'dml', 'coreml'])
      .default('cpu')
      .describe('What computes; others than cpu need drivers, and what onnxruntime says of them'),
    threads: threadsOption,
    language: spokenLanguageOption,
    task: whisperTask
      .optional()
      .describe('What a multilingual Whisper does; "translate" writes English. Default: transcribe'),
    wordTimes: z
      .boolean()
      .optional()
      .describe(
        'Whether words get times. Whisper needs a model exported with cross-attentions; CTC models always can. Default: where it costs nothing, which is with CTC',
      ),
    chunkSeconds: between(2, 600)
      .optional()
      .describe(
        'Longest audio that is recognized at once; longer audio is cut at its quietest places. Default and most for Whisper: 30',
      ),
    maxNewTokens: whole(1, 10_000)
      .optional()
      .describe('Most tokens written for one piece. Default: as the model has it'),
    temperature: between(0, 10)
      .default(0)
      .describe(
        '0 takes the likeliest token; above, tokens are drawn, by a seed that depends on the sound and the repeat',
      ),
  })
  .refine(({ model, hub }) => (model === undefined) !== (hub === undefined), {
    message: 'expected either model (a folder, or owner/name on the hub) or hub (owner/name)',
  });

export type TransformersOptions = z.output<typeof transformersOptions>;

/** Whisper's names for languages whose BCP 47 tags say otherwise. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['nb', 'no'],
  ['jv', 'jw'],
  ['fil', 'tl'],
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['cmn', 'zh'],
]);

/**
 * Codes of the languages that a Whisper model can be told; null for one that knows English alone and is told nothing.
 *
 * @param generation generation_config.json
 */
export function whisperLanguages(generation: JsonObject): readonly string[] | null {
  const { is_multilingual, lang_to_id } = generation;
  if (is_multilingual !== true || typeof lang_to_id !== 'object' || lang_to_id === null) return null;
  return Object.keys(lang_to_id).flatMap((token) => /^<\|([a-z]{2,3})\|>$/.exec(token)?.[1] ?? []);
}

/**
 * Whisper's code for a language.
 *
 * @param tag BCP 47
 * @returns null where the model does not know it
 * @example whisperLanguage('pt-BR', ['en', 'pt']) // 'pt'
 */
export function whisperLanguage(tag: string, known: readonly string[]): string | null {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0]!;
  const code = otherNames.get(primary) ?? primary;
  return known.includes(code) ? code : null;
}

/**
 * What the model is told for an utterance: nothing where it knows English alone.
 *
 * @throws RecognitionError `refused` for a language it does not know
 */
export function languageSetting(tag: string, known: readonly string[] | null): { readonly language?: string } {
  const language = whisperLanguage(tag, known ?? ['en']);
  if (language === null) {
    const knows = known === null ? 'English alone' : `${known.length} languages, but not this one`;
    throw new RecognitionError(
      'refused',
      `the utterance is in ${JSON.stringify(tag.slice(0, 40))}, but the model knows ${knows}`,
    );
  }
  return known === null ? {} : { language };
}

/** @throws EarwitnessError `bad-config` for a language or task that the model cannot be told */
export function checkLanguageOptions(
  { language, task }: { readonly language: string | undefined; readonly task: string | undefined },
  known: readonly string[] | null,
): void {
  if (known === null && task === 'translate') {
    throw unusable(
      'expected a multilingual model for "translate", but this one knows English alone; leave task out',
      undefined,
      'task',
    );
  }
  if (language !== undefined && whisperLanguage(language, known ?? ['en']) === null) {
    const there = known === null ? 'English alone' : known.slice(0, 10).join(', ');
    throw unusable(
      `expected a language that the model knows (${there}${known !== null && known.length > 10 ? ', …' : ''}), but got ${language}; correct it`,
      undefined,
      'language',
    );
  }
}
