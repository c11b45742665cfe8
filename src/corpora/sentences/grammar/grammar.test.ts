import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../base/random.ts';
import { grammarTexts, parseGrammar } from './read-grammar.ts';

const textsOf = (source: string, most = 100) => [
  ...grammarTexts(parseGrammar(source, 'g.jsgf'), most, createRandom('a test')),
];

test('A small grammar says everything it can, in the order of its rules.', () => {
  const source = `#JSGF V1.0;
    grammar orders; // a comment
    <where> = left | right /* another */ | /0.5/ "straight on";
    public <order> = [please] turn <where> {tag} | stop <NULL>;`;
  assert.deepEqual(textsOf(source), [
    'please turn left',
    'please turn right',
    'please turn straight on',
    'turn left',
    'turn right',
    'turn straight on',
    'stop',
  ]);
});

test('Of a grammar that can say more, texts are drawn by their weights, each once, the same for the same seed.', () => {
  const digits = '<d> = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;';
  const source = `${digits} public <number> = (/9/ plus | /1/ minus) <d> <d> <d> <d>;`;
  const texts = textsOf(source, 500);
  assert.equal(new Set(texts).size, 500);
  assert.deepEqual(texts, textsOf(source, 500));
  // 450 are expected with a standard deviation of 6.7.
  const plus = texts.filter((text) => text.startsWith('plus')).length;
  assert.ok(plus > 415 && plus < 485, `${plus}`);
});

test('Rules that double each other make no text without end.', () => {
  const rules = Array.from({ length: 60 }, (_, rule) => `<r${rule}> = <r${rule + 1}> <r${rule + 1}>;`).join('\n');
  const [text] = textsOf(`${rules} <r60> = a | b; public <all> = <r0>;`, 1);
  assert.equal(text!.split(' ').length, 5000);
});

const refused: readonly [string, string, RegExp][] = [
  ['a rule that is part of itself', 'public <a> = x <b>;\n<b> = y <a>;', /^g\.jsgf:2:1: .*<b> is a part of itself/],
  [
    'a rule that does not exist',
    'public <a> = x <dirction>;\n<direction> = y;',
    /^g\.jsgf:1:8: .*did you mean <direction>/,
  ],
  ['a repeat', 'public <a> = x*;', /^g\.jsgf:1:15: expected no repeats/],
  ['a bracket that stays open', 'public <a> = (x | y;', /^g\.jsgf:1:20: expected "\)"/],
  ['no public rule', '<a> = x;', /^g\.jsgf: expected a public rule/],
  ['an alternative of nothing', 'public <a> = x | ;', /^g\.jsgf:1:18: expected words/],
  [
    'a rule that stands twice',
    'public <a> = x;\n<a> = y;',
    /^g\.jsgf:2:1: expected each rule once \(the other is at g\.jsgf:1:8\)/,
  ],
  ['a sign that stands for nothing', 'public <a> = x } y;', /^g\.jsgf:1:16: .*"}"/],
  ['brackets without end', `public <a> = ${'('.repeat(50_000)}`, /at most 100 brackets/],
];
for (const [what, source, message] of refused) {
  test(`${what} is refused with file, line and column`, () => {
    assert.throws(
      () => parseGrammar(source, 'g.jsgf'),
      (error: Error) => message.test(error.message),
    );
  });
}
