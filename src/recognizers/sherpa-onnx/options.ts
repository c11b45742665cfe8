import { z } from 'zod';
import { between, nonEmpty, oneOf } from '../../base/option-kinds.ts';
import { languageTagOption, streamingOptions, threadsOption, whisperTask } from '../shared/model-options.ts';

const file = (about: string) => nonEmpty().describe(about);
const encoder = file('ONNX file of the encoder');
const decoder = file('ONNX file of the decoder');
const whole = file('ONNX file of the model');

/** What every kind of model has in common. */
const common = {
  folder: nonEmpty().optional().describe("Folder from which the files below are meant. Default: the config's"),
  tokens: nonEmpty().default('tokens.txt').describe('File with a token and its number in each line'),
  threads: threadsOption,
};
/** Of kinds that hear a sound as a whole. */
const offline = {
  ...common,
  chunkSeconds: between(2, 600)
    .default(30)
    .describe('Longest audio that is recognized at once; longer audio is cut at its quietest places'),
};
/** Of kinds that hear a sound while it is spoken. */
const online = { ...common, ...streamingOptions(0.16) };
const beams = {
  decoding: oneOf(['greedy_search', 'modified_beam_search'])
    .default('greedy_search')
    .describe('How the likeliest words are searched'),
};

/** Kept by modified_beam_search, as the library has it by itself. */
export const activePaths = 4;

/** One kind of model each, told apart by `kind`. */
export const sherpaOnnxOptions = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('transducer').describe('Zipformer or Conformer transducer'),
    encoder,
    decoder,
    joiner: file('ONNX file of the joiner'),
    ...beams,
    ...offline,
  }),
  z.strictObject({
    kind: z.literal('nemo-transducer').describe('NeMo transducer (Parakeet TDT and RNN-T)'),
    encoder,
    decoder,
    joiner: file('ONNX file of the joiner'),
    ...offline,
  }),
  z.strictObject({
    kind: z.literal('whisper').describe('Whisper, as sherpa-onnx exports it'),
    encoder,
    decoder,
    language: languageTagOption
      .default('en')
      .describe('Language that the model is told (BCP 47); utterances in others are refused'),
    task: whisperTask.default('transcribe').describe('What the model does; "translate" writes English'),
    ...offline,
  }),
  z.strictObject({
    kind: z.literal('moonshine').describe('Moonshine, as sherpa-onnx exports it'),
    preprocessor: file('ONNX file of the preprocessor'),
    encoder,
    uncachedDecoder: file('ONNX file of the decoder for the first token'),
    cachedDecoder: file('ONNX file of the decoder for the others'),
    ...offline,
  }),
  z.strictObject({ kind: z.literal('paraformer').describe('Paraformer'), model: whole, ...offline }),
  z.strictObject({ kind: z.literal('nemo-ctc').describe('NeMo CTC (Conformer, Parakeet)'), model: whole, ...offline }),
  z.strictObject({ kind: z.literal('zipformer-ctc').describe('Zipformer CTC'), model: whole, ...offline }),
  z.strictObject({
    kind: z.literal('online-transducer').describe('Streaming Zipformer transducer'),
    encoder,
    decoder,
    joiner: file('ONNX file of the joiner'),
    ...beams,
    ...online,
  }),
  z.strictObject({
    kind: z.literal('online-zipformer-ctc').describe('Streaming Zipformer CTC'),
    model: whole,
    ...online,
  }),
]);

export type SherpaOnnxOptions = z.output<typeof sherpaOnnxOptions>;
export type SherpaOnnxKind = SherpaOnnxOptions['kind'];
export type OnlineOptions = Extract<SherpaOnnxOptions, { kind: `online-${string}` }>;
export type OfflineOptions = Exclude<SherpaOnnxOptions, OnlineOptions>;
