import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../base/errors.ts';
import type { EditCounts } from './edit-counts.ts';
import { applyGlm, foldAsciiCase, glmNetwork, parseGlm } from './glm.ts';
import { splitWords } from './normalizers/normalizer.ts';
import { alignNetwork } from './reference-network/align-network.ts';
import { parseReference } from './reference-network/reference-network.ts';

const slashed = (counts: EditCounts) =>
  [counts.correct, counts.substitutions, counts.deletions, counts.insertions].join('/');

const english = parseGlm(
  [
    ';;  File: some rules in the style of an evaluation',
    '* name "some.glm"',
    "* format = 'NIST1'",
    "* max_nrules = '2500'",
    "* copy_no_hit = 'T'",
    "* case_sensitive = 'F'",
    '',
    'UH      =>  %HESITATION     / [ ] __ [ ] ;; hesitation token',
    'HUH-UH  =>  %BCNACK    / [ ] __ [ ]',
    'JETLINER => JET LINER',
    '[Falkner] => [Faulkner] / [William ] __',
    "AIN'T            => [{ARE NOT / HAVE NOT}] / [ ] __ [ ]",
    'GONNA => {GONNA / GOING TO}',
    ';; INPUT_DEPENDENT_APPLICATION = "hyp"',
    "[HE'S] => [{HE'S / HE IS / HE HAS}] / [ ] __ [ ]",
  ].join('\r\n'),
);

test('A file of rules gives its headers, and rules with contexts, outputs and sides.', () => {
  assert.equal(english.name, 'some.glm');
  assert.equal(english.caseSensitive, false);
  assert.equal(english.keepUnmatched, true);
  assert.deepEqual(english.rules[0], {
    input: 'UH',
    output: '%HESITATION',
    leftContext: ' ',
    rightContext: ' ',
    side: null,
  });
  assert.deepEqual(english.rules[3], {
    input: 'Falkner',
    output: 'Faulkner',
    leftContext: 'William ',
    rightContext: '',
    side: null,
  });
  assert.equal(english.rules.at(-1)!.side, 'hyp');
});

test('Texts come out as rfilter1 (SCTK 2.4.10) rewrote them by the same rules.', () => {
  for (const [text, expected] of [
    ['uh UH huh-uh uh-oh', '%HESITATION %HESITATION %BCNACK uh-oh'],
    ['a jetliner and jetliners', 'a JET LINER and JET LINERs'],
    ['falkner william falkner', 'falkner william Faulkner'],
    ["ain't it", '{ARE NOT / HAVE NOT} it'],
    ["he's here", "{HE'S / HE IS / HE HAS} here"],
  ] as const) {
    assert.equal(applyGlm(english, text, 'hyp'), expected);
  }
});

test('Rules of one side leave the other alone, and a word in parentheses stays optional.', () => {
  assert.equal(applyGlm(english, "he's (uh) here", 'ref'), "he's (%HESITATION) here");
});

test('Alternatives by rules meet the reference, whatever signs the words themselves hold.', () => {
  const lower = (text: string) => splitWords(foldAsciiCase(text));
  const reference = parseReference(applyGlm(english, 'he is gonna { see / look } (uh)', 'ref'), lower);
  const heard = glmNetwork(english, ["he's", 'going', 'to', 'look'], 'hyp', lower);
  assert.equal(slashed(alignNetwork(reference, heard).counts), '5/0/0/0');
  const hostile = ['{', '}', '/', '@', '(uh)', '{a/b}', '\u202e', '\ud800'];
  assert.deepEqual(
    glmNetwork(english, hostile, 'hyp').arcs.map(({ word }) => word),
    hostile,
  );
});

test('A file without header or with other comment signs is read, and braces need no brackets.', () => {
  assert.deepEqual(parseGlm('[taxpayer] => {tax payer / taxpayer}\n;; no').rules.length, 1, 'a rule first');
  assert.equal(parseGlm('%% rules\nA => B %% why\n').rules[0]!.output, 'B');
  assert.equal(parseGlm(';;\nA =>').rules[0]!.output, '');
  assert.equal(applyGlm(parseGlm(';;\n* copy_no_hit "F"\nA => B'), 'xAyA', 'ref'), 'BB');
  assert.equal(applyGlm(parseGlm(';;\nÄ => B'), 'äÄ', 'ref'), 'äB');
});

test('A bad line is told in one sentence with file and line.', () => {
  for (const [text, message] of [
    [';; rules\nA > B', /^en\.glm:2: expected a rule such as .*, but here is “A > B”$/],
    [';; rules\n\n* name some', /^en\.glm:3: expected a header with its value in quotes/],
    [';; rules\n => B', /^en\.glm:2: expected the words to be replaced/],
    [';;\n;; INPUT_DEPENDENT_APPLICATION = "("', /^en\.glm:2: expected a regular expression/],
    [';;\n\u001b[31mred', /^en\.glm:2: \P{Cc}*$/u],
  ] as const) {
    assert.throws(
      () => parseGlm(text, 'en.glm'),
      (error) => error instanceof EarwitnessError && message.test(error.message),
      text,
    );
  }
});
