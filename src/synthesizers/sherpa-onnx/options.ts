import { z } from 'zod';
import { between, list, matching, nonEmpty, whole } from '../../base/option-kinds.ts';
import { answerLimit } from '../../system/asked-processes.ts';

const file = (about: string) => nonEmpty(4000).describe(about);
const tag = matching(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'expected a BCP 47 tag like "en" or "pt-BR"').describe(
  'BCP 47 tag: en, en-GB',
);

const common = {
  folder: file("Folder from which the files below are meant. Default: the config's").optional(),
  tokens: file('File with a token and its number in each line').default('tokens.txt'),
  dataDir: file(
    'Folder espeak-ng-data, for models that speak phonemes of eSpeak NG. Default: that of the folder',
  ).optional(),
  language: tag.optional().describe('BCP 47 tag of what voices speak. Default: as the model says'),
  voices: list(
    z.strictObject({
      name: nonEmpty(100).describe('A name of your own'),
      speaker: whole(0, 100_000).default(0).describe('Number of the speaker in the model, from 0'),
      language: tag.optional(),
      attributes: z.record(z.string(), z.string()).default({}).describe('sex, accent and the like'),
    }),
    1,
  )
    .optional()
    .describe('The voices that speak. Default: all speakers of the model, by their names where it has them.'),
  threads: whole(1, 256).default(1).describe('Threads that compute one text'),
  workers: whole(1, 256).default(1).describe('Processes that speak side by side. Each loads the model for itself.'),
  timeoutSeconds: answerLimit('one text', 300),
};
const lexicon = file('File with the tokens of a word in each line, for models that need one').optional();
const model = file('ONNX file of the model. Default: the only one in the folder').optional();
const noiseScale = between(0, 2)
  .default(0.667)
  .describe('How much of the sound is drawn. The draw has no seed: a text is spoken alike again at 0 alone');

/** One kind of model each, told apart by `kind`. */
export const sherpaOnnxVoiceOptions = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('vits').describe('VITS, with the voices of Piper, Coqui, MMS, MeloTTS and icefall'),
    model,
    lexicon,
    noiseScale,
    noiseScaleW: between(0, 2).default(0.8).describe('How much of the lengths of sounds is drawn; without seed too'),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('matcha').describe('Matcha, with a vocoder'),
    model: file('ONNX file of the acoustic model'),
    vocoder: file('ONNX file of the vocoder (HiFi-GAN or Vocos)'),
    lexicon,
    noiseScale,
    ...common,
  }),
  z.strictObject({
    kind: z.literal('kokoro').describe('Kokoro'),
    model,
    styles: file('File with the styles of its voices').default('voices.bin'),
    lexicon: z
      .array(file('File with the tokens of a word in each line'))
      .default([])
      .describe('Words that are not spoken by eSpeak NG. Default: lexicon-zh.txt of the folder, if it is there.'),
    ...common,
  }),
]);

export type SherpaOnnxVoiceOptions = z.output<typeof sherpaOnnxVoiceOptions>;
