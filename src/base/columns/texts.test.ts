import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markOf, speakerOfRow, usualColumn } from './roles.ts';
import { textColumns, textsOfSide } from './texts.ts';

const said = ['the train leaves at seven', 'put the letters down', 'nobody expected snow', 'she sells sea shells'];
const heard = ['the train leave at seven', 'put letters down', 'nobody expected know', 'she sells she shells'];
const worse = ['a train leaves seven', 'put the letter town', 'no body expected snow', 'sea cells sea shells'];
const file = ['1.wav', '2.wav', '3.wav', '4.wav'];

const table = (columns: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(columns).map(([name, values]) => ({ name, values }));
const rolesOf = (columns: Readonly<Record<string, readonly string[]>>) => {
  const { references, outputs, unclear } = textColumns(table(columns));
  return [references, outputs, unclear];
};

test('the reference is never a column with the mark of a recognizer, in whatever order columns stand', () => {
  for (const [reference, hypothesis] of [
    ['gold', 'hyp'],
    ['ref', 'pred'],
    ['ground_truth', 'whisper'],
    ['target', 'prediction'],
    ['ref', 'whisper_small'],
    ['Ground Truth', 'ASR output'],
    ['text', 'pred_text'],
    ['sentence', 'wav2vec2-large'],
    ['label', 'model_output'],
    ['manual_transcript', 'google'],
    ['transcription', 'hypothesis'],
    ['Referenz', 'Hypothese'],
    ['corrected', 'text'],
    ['normalized_text', 'deepgram_nova'],
    ['Soll', 'Ist'],
    ['vérité', 'reconnu'],
    ['正解', '認識結果'],
    ['标注', '语音识别'],
    ['эталон', 'распознано'],
    ['референс', 'гипотеза'],
    ['corrected', 'raw'],
    ['corrected_transcript', 'transcript'],
    ['transcript_edited', 'transcript'],
    ['edited', 'text'],
    ['corrected', 'original'],
    ['corrected_text', 'original_text'],
    ['confirmed', 'transcript'],
    ['verified', 'text'],
    ['text', 'whisper_corrected'],
    ['annotations.result.value.text', 'predictions.result.value.text'],
  ] as const) {
    const expected = [[reference], [hypothesis], []];
    assert.deepEqual(rolesOf({ file, [reference]: said, [hypothesis]: heard }), expected);
    assert.deepEqual(rolesOf({ file, [hypothesis]: heard, [reference]: said }), expected);
  }
});

test('what a person made of a text who read it again is the reference; where a name may be either, both are given', () => {
  assert.deepEqual(rolesOf({ file, transcript: heard, google: heard, amazon: worse, corrected: said }), [
    ['corrected'],
    ['google', 'amazon'],
    ['transcript'],
  ]);
  assert.deepEqual(rolesOf({ file, text: heard, label: said })[0], ['text', 'label']);
  assert.deepEqual(rolesOf({ file, label: said, text: heard })[0], ['text', 'label']);
  assert.deepEqual(rolesOf({ file, prompt: said, google: heard, amazon: worse, 'actual words': heard })[0], [
    'prompt',
    'actual words',
  ]);
  const name = (service: string) => `${service}.result.value.text`;
  assert.deepEqual(
    rolesOf({ id: file, 'data.text': heard, [name('annotations')]: said, [name('predictions')]: heard }),
    [[name('annotations')], [name('predictions')], []],
  );
});

test('columns whose names say nothing are told by the words that they share, and where two may be it both are given', () => {
  assert.deepEqual(rolesOf({ file, spoken: said, whisper: heard, canary: worse }), [
    ['spoken'],
    ['whisper', 'canary'],
    [],
  ]);
  assert.deepEqual(rolesOf({ file, erste: said, zweite: heard }), [['erste', 'zweite'], [], []]);
  assert.deepEqual(rolesOf({ file, sentence: said, transcript: heard }), [['sentence', 'transcript'], [], []]);
  assert.deepEqual(rolesOf({ file, ref: said, gold: heard, hyp: worse }), [['ref', 'gold'], ['hyp'], []]);
  assert.deepEqual(rolesOf({ file, whisper: heard, canary: worse }), [[], ['whisper', 'canary'], []]);
  // The same words in two spellings are one reference, the first.
  const shown = said.map((text) => `${text.toUpperCase()}.`);
  assert.deepEqual(rolesOf({ file, text: said, sentence: shown, hyp: heard }), [['text'], ['hyp'], []]);
  assert.deepEqual(rolesOf({ file, text: said, normalized_text: shown, hyp: heard }), [['text'], ['hyp'], []]);
  assert.deepEqual(rolesOf({ file, reference: said, transcript: heard }), [['reference'], ['transcript'], []]);
  assert.deepEqual(rolesOf({ file, reference: said, transcript: heard, hyp: worse }), [
    ['reference'],
    ['hyp'],
    ['transcript'],
  ]);
});

test('classes, names of files and numbers are no words; a recognizer that wrote nothing still has its column', () => {
  const label = ['happy', 'sad', 'happy', 'sad'];
  assert.deepEqual(rolesOf({ file, label, spoken: said, hyp: heard }), [['spoken'], ['hyp'], []]);
  assert.deepEqual(rolesOf({ id: file, target: ['0', '1', '1', '0'], text: said, hyp: heard }), [
    ['text'],
    ['hyp'],
    [],
  ]);
  assert.deepEqual(rolesOf({ file, text: said, hyp: ['', '', '', ''] }), [['text'], ['hyp'], []]);
  assert.deepEqual(rolesOf({ file, text: ['4 3 9', '1 2', '7 7', '5 0'], hyp: ['4 3', '1 2', '7', '5'] }), [
    ['text'],
    ['hyp'],
    [],
  ]);
  const digits = ['25', '٢٥', '7', '90'];
  assert.deepEqual(rolesOf({ file, reference: digits, hypothesis: digits, year: digits }), [
    ['reference'],
    ['hypothesis'],
    [],
  ]);
  assert.deepEqual(rolesOf({ file, text: said, hyp: digits }), [['text'], ['hyp'], []]);
  assert.deepEqual(rolesOf({ file, gold: digits, text: said, hyp: heard }), [['text'], ['hyp'], []]);
  assert.deepEqual(textsOfSide(table({ file, year: digits, text: digits }), 'reference'), ['text']);
  assert.deepEqual(textsOfSide(table({ utterance: file, words: said }), 'reference'), ['words']);
  assert.deepEqual(textsOfSide(table({ file, text: said, pred_text: heard }), 'hypothesis'), ['pred_text']);
  assert.deepEqual(textsOfSide(table({ file, text: said, pred_text: heard }), 'reference'), ['text']);
  assert.deepEqual(textsOfSide(table({ file, asr_v2: heard }), 'reference'), []);
});

test('names are known in any letter case and with any mark between their parts', () => {
  assert.equal(usualColumn(['Audio FilePath', 'Client ID'], 'speaker'), 'Client ID');
  const tables = [
    ['id', 'name', 'sex'],
    ['name', 'sex'],
    ['sex', 'Sprecher'],
    ['sex', 'age'],
  ];
  assert.deepEqual(tables.map(speakerOfRow), ['id', 'name', 'Sprecher', undefined]);
  assert.deepEqual(['WhisperLargeV3', 'refText', 'hyp2', 'target_pred', 'Accent', 'normalised-text'].map(markOf), [
    'output',
    'reference',
    'output',
    'output',
    'unknown',
    'words',
  ]);
});
