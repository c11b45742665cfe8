import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  floatBytes,
  onnxModel,
  type WrittenNode,
  type WrittenValue,
  type WrittenWeights,
} from '../../../packages/testing/onnx-writer.ts';

/** Samples of a token at usual speed, at 16 kHz: 50 ms. */
export const tokenSamples = 800;
export const sampleRate = 16_000;
/** By how much speakers are higher than the first. */
const speakerFactors: readonly number[] = [1, 1.5, 2];

const letters = [...' abcdefghijklmnopqrstuvwxyz'];
/** Of Latin script and some others, for whoever speaks characters. */
const characters = [...' abcdefghijklmnopqrstuvwxyz0123456789,.!?-:;\'"', ...'áéïñüß你好'];
/** Words that the lexicon has, each spelled by its letters. */
const words = ['please', 'call', 'stella', 'ask', 'her', 'to', 'bring', 'these', 'things', 'hello', 'hey'];
/** IPA as eSpeak NG writes English, and the marks that Piper has. */
const phonemes = [..."_^$ !',-.:;?abcdefhijklmnoprstuvwxzæðŋɐɑɔəɚɛɜɡɪɹɾʃʊʌʒˈˌːθᵻ"];
const symbols = 80;

const scalar = (name: string, value: number): WrittenWeights => ({ name, shape: [], values: [value] });
const list = (name: string, ...values: number[]): WrittenWeights => ({
  name,
  shape: [values.length],
  type: 'int64',
  values,
});
const weights: readonly WrittenWeights[] = [
  // Radians a sample: from 200 Hz upwards.
  {
    name: 'pitches',
    shape: [symbols],
    values: Array.from({ length: symbols }, (_, id) => (2 * Math.PI * (200 + 20 * id)) / sampleRate),
  },
  { name: 'speakers', shape: [speakerFactors.length], values: speakerFactors },
  scalar('none', 0),
  scalar('one', 1),
  scalar('loud', 0.25),
  scalar('each', tokenSamples),
  list('column', -1, 1),
  list('line', 1, 1, -1),
];

/** A tone for each token of `ids`, `higher` than usual, `longer` than usual, with noise of the level `hiss`. */
const tones: readonly WrittenNode[] = [
  { operator: 'Gather', inputs: ['pitches', 'ids'], outputs: ['usual'] },
  { operator: 'Reshape', inputs: ['usual', 'column'], outputs: ['usualColumn'] },
  { operator: 'Mul', inputs: ['usualColumn', 'higher'], outputs: ['pitch'] },
  { operator: 'Mul', inputs: ['longer', 'each'], outputs: ['lengths'] },
  { operator: 'Floor', inputs: ['lengths'], outputs: ['wholes'] },
  { operator: 'Squeeze', inputs: ['wholes'], outputs: ['length'] },
  { operator: 'Add', inputs: ['length', 'one'], outputs: ['end'] },
  // From 1: a sample of 0 would be whatever is added to it, however little.
  { operator: 'Range', inputs: ['one', 'end', 'one'], outputs: ['times'] },
  { operator: 'Mul', inputs: ['pitch', 'times'], outputs: ['phases'] },
  { operator: 'Sin', inputs: ['phases'], outputs: ['waves'] },
  { operator: 'Reshape', inputs: ['waves', 'line'], outputs: ['full'] },
  { operator: 'RandomNormalLike', inputs: ['full'], outputs: ['drawn'] },
  { operator: 'Mul', inputs: ['drawn', 'hiss'], outputs: ['noise'] },
  { operator: 'Add', inputs: ['full', 'noise'], outputs: ['sum'] },
  { operator: 'Mul', inputs: ['sum', 'loud'], outputs: ['audio'] },
];

const same = (input: string, output: string): WrittenNode => ({
  operator: 'Identity',
  inputs: [input],
  outputs: [output],
});
const ints = (name: string, ...shape: (string | number)[]): WrittenValue => ({ name, type: 'int64', shape });
const floats = (name: string, ...shape: (string | number)[]): WrittenValue => ({ name, type: 'float', shape });
const sound = floats('audio', 1, 1, 'samples');
const bySpeaker: WrittenNode = { operator: 'Gather', inputs: ['speakers', 'sid'], outputs: ['higher'] };
const common = { sample_rate: String(sampleRate), n_speakers: String(speakerFactors.length) };

/** VITS as sherpa-onnx exports most: words by a lexicon, unless the metadata says otherwise. */
export const vits = (metadata: Readonly<Record<string, string>> = {}) =>
  onnxModel({
    nodes: [same('x', 'ids'), bySpeaker, same('length_scale', 'longer'), same('noise_scale', 'hiss'), ...tones],
    weights,
    inputs: [
      ints('x', 1, 'tokens'),
      ints('x_length', 1),
      floats('noise_scale', 1),
      floats('length_scale', 1),
      floats('noise_scale_w', 1),
      ints('sid', 1),
    ],
    outputs: [sound],
    metadata: { ...common, add_blank: '0', language: 'English', punctuation: ', .', comment: 'tiny', ...metadata },
  });

/** VITS as Piper has it: phonemes of eSpeak NG. */
const piperVits = onnxModel({
  nodes: [
    same('input', 'ids'),
    bySpeaker,
    { operator: 'Gather', inputs: ['scales', 'second'], outputs: ['longer'] },
    { operator: 'Gather', inputs: ['scales', 'first'], outputs: ['hiss'] },
    ...tones,
  ],
  weights: [...weights, list('first', 0), list('second', 1)],
  inputs: [ints('input', 1, 'tokens'), ints('input_lengths', 1), floats('scales', 3), ints('sid', 1)],
  outputs: [sound],
  metadata: { ...common, add_blank: '1', language: 'English', voice: 'en-us', comment: 'piper', has_espeak: '1' },
});

/** Kokoro's voices are styles: here each has one number for each length, by which it is higher. */
const maxTokens = 100;
const kokoroVoices = floatBytes(speakerFactors.flatMap((factor) => Array(maxTokens).fill(factor)));
export const kokoro = (metadata: Readonly<Record<string, string>> = {}) =>
  onnxModel({
    nodes: [
      same('tokens', 'ids'),
      { operator: 'Reshape', inputs: ['style', 'flat'], outputs: ['higher'] },
      { operator: 'Div', inputs: ['one', 'speed'], outputs: ['longer'] },
      same('none', 'hiss'),
      ...tones,
    ],
    weights: [...weights, list('flat', -1)],
    inputs: [ints('tokens', 1, 'tokens_count'), floats('style', 1, 1), floats('speed', 1)],
    outputs: [sound],
    metadata: {
      ...common,
      has_espeak: '1',
      voice: 'en-us',
      version: '1',
      style_dim: `${maxTokens},1,1`,
      speaker_names: 'af_alloy,bm_george,xx_odd',
      ...metadata,
    },
  });

/** Matcha whose spectrum is the wave in rows of one number, and a vocoder that puts them in one line. */
export const matcha = {
  acoustic: onnxModel({
    nodes: [
      same('x', 'ids'),
      same('one', 'higher'),
      same('length_scale', 'longer'),
      same('noise_scale', 'hiss'),
      ...tones,
      same('audio', 'mel'),
    ],
    weights,
    inputs: [ints('x', 1, 'tokens'), ints('x_length', 1), floats('noise_scale', 1), floats('length_scale', 1)],
    outputs: [floats('mel', 1, 1, 'frames')],
    metadata: {
      ...common,
      n_speakers: '1',
      model_type: 'matcha-tts',
      ...{ use_eos_bos: '1', pad_id: '0', has_espeak: '1', voice: 'en-us' },
    },
  }),
  vocoder: onnxModel({
    nodes: [{ operator: 'Identity', inputs: ['mel'], outputs: ['audio'] }],
    weights: [],
    inputs: [floats('mel', 1, 1, 'frames')],
    outputs: [floats('audio', 1, 1, 'frames')],
    metadata: { model_type: 'hifigan' },
  }),
};

const numbered = (tokens: readonly string[]) => tokens.map((token, id) => `${token} ${id}\n`).join('');

/** Writes the models, their tokens, their lexicon and their styles; gives the folder. */
export function writeTinyVoices(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const files: Readonly<Record<string, string | Buffer>> = {
    'vits.onnx': vits(),
    'characters.onnx': vits({ frontend: 'characters', bos_id: '0', eos_id: '0' }),
    'piper.onnx': piperVits,
    'kokoro.onnx': kokoro(),
    'matcha.onnx': matcha.acoustic,
    'vocoder.onnx': matcha.vocoder,
    'piper.onnx.json': JSON.stringify({ language: { code: 'en_GB' }, speaker_id_map: { bea: 1, amy: 0, cal: 2 } }),
    'voices.bin': kokoroVoices,
    'tokens.txt': numbered([...letters, ',', '.']),
    'characters.txt': numbered(characters),
    'phonemes.txt': numbered(phonemes),
    'lexicon.txt': words.map((word) => `${word} ${[...word].join(' ')}\n`).join(''),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
