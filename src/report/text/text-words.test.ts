import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlignedWord } from '../../model/finding.ts';
import { createPaint } from './display-width.ts';
import { textWords } from './text-words.ts';

const pairs = (text: string): AlignedWord[] =>
  text.split(' ').map((pair) => {
    const [reference = '', hypothesis = reference] = pair.split('/');
    return { reference: reference || null, hypothesis: hypothesis || null };
  });
const page = { width: 60, paint: createPaint(false) };

test('words stand beneath the reference: substitutions in capitals, deletions as stars, insertions in their place', () => {
  assert.deepEqual(
    textWords(
      [
        { label: 'clean', aligned: pairs('please put the/a letters on the table') },
        { label: 'noise', aligned: pairs('please/these put /it the letters/letter on/ the table/stable /now') },
      ],
      page,
    ),
    [
      'reference  please put    the letters on the table',
      'clean      please put    A   letters on the table',
      'noise      THESE  put IT the LETTER  ** the STABLE NOW',
    ],
  );
});

test('long ones are folded word under word, and control characters are shown, never sent', () => {
  const lines = textWords([{ label: 'clean', aligned: pairs('one two three four/\u001b[31mfour five') }], {
    ...page,
    width: 24,
  });
  assert.deepEqual(lines, [
    'reference  one two three',
    'clean      one two three',
    'reference  four',
    'clean      ⟨U+001B⟩[31MFOUR',
    'reference  five',
    'clean      five',
  ]);
});

test('of a long recording a few lines are shown from the first error on, also where one row was cut sooner', () => {
  const words = Array.from({ length: 400 }, (_, index) => `w${index}`);
  const wrong = words.map((word, index) => (index === 50 ? `${word}/no` : word)).join(' ');
  const cut = words.slice(0, 300).join(' ');
  const rows = [
    { label: 'clean', aligned: pairs(wrong) },
    { label: 'noise', aligned: pairs(cut) },
  ];
  const lines = textWords(rows, { ...page, width: 34 });
  assert.deepEqual(lines.slice(0, 3), [
    'reference  … w47 w48 w49 w50 w51',
    'clean      … w47 w48 w49 NO  w51',
    'noise      … w47 w48 w49 w50 w51',
  ]);
  assert.equal(lines.length, 12);
  assert.equal(lines.at(-1), 'noise      w62 w63 w64 w65 w66 …');
  assert.deepEqual(textWords([{ label: 'clean', aligned: pairs(cut) }], page).length, 8);
});

test('names of recognizer and condition stand whole up to 32 columns and lose their middle then; long words lose their end', () => {
  const row = (label: string) => textWords([{ label, aligned: pairs(`${'a'.repeat(40)}/b`) }], { ...page, width: 80 });
  assert.match(row('pocketsphinx-narrow, clean')[1]!, /^pocketsphinx-narrow, clean {2}B/);
  assert.match(row('pocketsphinx-narrow, earwitness/gnoise:3')[1]!, /^pocketsphinx-nar…itness\/gnoise:3 {2}B/);
  assert.match(row('x')[0]!, / {2}a{23}…$/);
});
