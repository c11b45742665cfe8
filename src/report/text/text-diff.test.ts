import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiffPair } from '../prepare/diff.ts';
import { createPaint } from './display-width.ts';
import { textDiff } from './text-diff.ts';

const pairs = (text: string): DiffPair[] =>
  text.split(' ').map((pair) => {
    const [reference = '', hypothesis = reference] = pair.split('/');
    return { reference: reference || null, hypothesis: hypothesis || null };
  });
const page = { width: 60, paint: createPaint(false) };

test('words stand beneath the reference, and a letter beneath each error says which it is', () => {
  assert.deepEqual(
    textDiff(
      [
        { label: 'clean', aligned: pairs('please put the/a letters on the table') },
        { label: 'noise', aligned: pairs('please/these put /it the letters/letter on/ the table/stable /now') },
      ],
      page,
    ),
    [
      'REF   please put ** the letters on the table  ***',
      'clean please put    a   letters on the table',
      '                    S',
      'noise these  put it the letter  ** the stable now',
      '      S          I      S       D      S      I',
    ],
  );
});

test('an optional word that nobody said is no error', () => {
  const aligned: DiffPair[] = [{ reference: 'uh', hypothesis: null, leftOut: true }, ...pairs('yes')];
  assert.deepEqual(textDiff([{ label: 'HYP', aligned }], page), ['REF uh yes', 'HYP ** yes', '    O']);
});

test('long ones are folded word under word, and control characters are shown, never sent', () => {
  const aligned = pairs('one two three four/\u001b[31mfour five');
  assert.deepEqual(textDiff([{ label: 'clean', aligned }], { ...page, width: 24 }), [
    'REF   one two three',
    'clean one two three',
    '',
    'REF   four',
    'clean ⟨U+001B⟩[31mfour',
    '      S',
    '',
    'REF   five',
    'clean five',
  ]);
});

test('of a long recording the places that differ are shown, each with a word before and behind', () => {
  const words = Array.from({ length: 400 }, (_, index) => `w${index}`);
  const wrong = words.map((word, index) => ([50, 90].includes(index) ? `${word}/no` : word)).join(' ');
  const rows = [
    { label: 'clean', aligned: pairs(wrong) },
    { label: 'noise', aligned: pairs(words.slice(0, 300).join(' ')) },
  ];
  const excerpt = [
    'REF   … w49 w50 w51 … w89 w90 w91 …',
    'clean … w49 no  w51 … w89 no  w91 …',
    '            S             S',
    'noise … w49 w50 w51 … w89 w90 w91 …',
  ];
  assert.deepEqual(textDiff(rows, page), excerpt);
  assert.ok(textDiff(rows, { ...page, maxBlocks: 1000 }).length > 100, 'all of it where that is asked for');
});

test('names of recognizer and condition stand whole up to 32 columns and lose their middle then; long words lose their end', () => {
  const row = (label: string) => textDiff([{ label, aligned: pairs(`${'a'.repeat(50)}/b`) }], { ...page, width: 90 });
  assert.match(row('pocketsphinx-narrow, clean')[1]!, /^pocketsphinx-narrow, clean b/);
  assert.match(row('pocketsphinx-narrow, earwitness/gnoise:3')[1]!, /^pocketsphinx-nar…itness\/gnoise:3 b/);
  assert.match(row('x')[0]!, / a{39}…$/);
});
