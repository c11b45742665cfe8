import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseWeights } from './model-files.ts';
import { ctcWords, likeliestTokens } from './open-ctc.ts';
import { timedWords, writesNothing } from './open-writer.ts';
import { languageSetting, whisperLanguage, whisperLanguages } from './options.ts';

test('tokens that begin words are read from SentencePiece marks, silent ones and blanks are not written', () => {
  const tokens = ['<blk>', '▁he', 'llo', '▁a', '<s>'];
  const path = [4, 0, 1, 1, 2, 0, 2, 0, 3];
  const scores = path.flatMap((best) => tokens.map((_, token) => (token === best ? 0 : Math.log(1 / 4))));
  const frames = {
    scores,
    frames: path.length,
    tokens,
    blank: 0,
    delimiter: '▁',
    silent: new Set([4]),
    frameSeconds: 0.5,
  };
  const best = likeliestTokens(frames);
  assert.deepEqual(best, path);
  // Softmax of 1 against four times a quarter: one half, for every token.
  assert.deepEqual(
    ctcWords(frames, best).map(({ text, startSeconds, endSeconds, confidence }) => [
      text,
      startSeconds,
      endSeconds,
      confidence!.toFixed(6),
    ]),
    [
      ['hellollo', 1, 3.5, '0.500000'],
      ['a', 4, 4.5, '0.500000'],
    ],
  );
});

test('times of words stand in order and have a length, whatever attention says', () => {
  const words = timedWords([
    { text: ' She', timestamp: [0.5, 0.7] },
    { text: ' had', timestamp: [0.4, 0.4] },
    { text: ' ', timestamp: [0.7, 0.9] },
    { text: ' your', timestamp: [0.9, null] },
    { text: ' dark', timestamp: [null, null] },
  ]);
  assert.deepEqual(words, [
    { text: 'She', startSeconds: 0.5, endSeconds: 0.7 },
    { text: 'had', startSeconds: 0.5, endSeconds: 0.52 },
    { text: 'your', startSeconds: 0.9, endSeconds: 0.92 },
    { text: 'dark' },
  ]);
});

test("languages are told by Whisper's own codes, and English-only models are told nothing", () => {
  const generation = { is_multilingual: true, lang_to_id: { '<|en|>': 1, '<|no|>': 2, '<|jw|>': 3, '<|yue|>': 4 } };
  const known = whisperLanguages(generation)!;
  assert.deepEqual(known, ['en', 'no', 'jw', 'yue']);
  assert.deepEqual(
    ['en-US', 'nb', 'jv', 'yue-HK', 'de', '__proto__'].map((tag) => whisperLanguage(tag, known)),
    ['en', 'no', 'jw', 'yue', null, null],
  );
  assert.equal(whisperLanguages({ lang_to_id: { '<|en|>': 1 } }), null);
  assert.deepEqual(languageSetting('en-GB', null), {});
  assert.throws(() => languageSetting('de', null), /the utterance is in "de", but the model knows English alone/);
});

test('weights are taken as asked, else fp32, else the only kind that all graphs have', () => {
  const names = (...suffixes: string[]) =>
    new Set(
      suffixes.flatMap((suffix) => [`onnx/encoder_model${suffix}.onnx`, `onnx/decoder_model_merged${suffix}.onnx`]),
    );
  const kinds = (...parameters: Parameters<typeof chooseWeights>) =>
    Object.values(chooseWeights(...parameters)).map(({ kind }) => kind);
  assert.deepEqual(kinds(names('', '_quantized'), undefined, 'm'), ['fp32', 'fp32']);
  assert.deepEqual(kinds(names('_quantized'), undefined, 'm'), ['q8', 'q8']);
  assert.deepEqual(kinds(names('', '_q4'), { decoder_model_merged: 'q4' }, 'm'), ['fp32', 'q4']);
  assert.throws(() => kinds(names('_q4', '_quantized'), undefined, 'm'), /but there is q8, q4; name one/);
  const half = new Set(['onnx/encoder_model.onnx']);
  assert.throws(() => kinds(half, undefined, 'm'), /expected onnx\/decoder_model_merged\.onnx/);
});

test('A language that changes before the first word is no failure: what was written until then is nothing.', async () => {
  const { WhisperTokenizer } = await import('@huggingface/transformers');
  const special = ['<|endoftext|>', '<|startoftranscript|>', '<|en|>', '<|fr|>', '<|transcribe|>', '<|notimestamps|>'];
  const tokenizer = new WhisperTokenizer(
    {
      added_tokens: special.map((content, at) => ({ id: 2 + at, content, special: true })),
      model: { type: 'BPE', vocab: { a: 0, b: 1 }, merges: [], unk_token: null },
      decoder: { type: 'ByteLevel' },
      normalizer: null,
      pre_tokenizer: null,
      post_processor: null,
    },
    { tokenizer_class: 'WhisperTokenizer' },
  );
  writesNothing(tokenizer);
  // Start, English, transcribe, no times; then French, a, b, end.
  const [[text]] = [
    tokenizer._decode_asr([{ tokens: [3n, 4n, 6n, 7n, 5n, 0n, 1n, 2n], stride: [3, 0, 0] }], { time_precision: 0.02 }),
  ];
  assert.equal(text, 'ab');
});
