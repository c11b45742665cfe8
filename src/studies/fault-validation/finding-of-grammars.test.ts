import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell, Estimate, Finding } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import type { GrammarComplaint } from '../../model/text-services.ts';
import { type CheckedGrammar, findingOfGrammars } from './finding-of-grammars.ts';

const complaint = (about: GrammarComplaint['about']): GrammarComplaint => ({
  kind: 'Some',
  about,
  message: 'It should not.',
  words: 'of of',
});

/** A grammar with so many sentences, the first of which have complaints. */
function grammarOf(name: string, sentences: number, found: GrammarComplaint[][], whole = false): CheckedGrammar {
  return {
    name,
    whole,
    sentences: Array.from({ length: sentences }, (_, place) => ({
      text: `${name} ${place}`,
      complaints: found[place] ?? [],
    })),
  };
}

const settings = {
  sentences: 100,
  seed: 1,
  checker: { engine: 'checker', version: '1' },
  limits: 'It sees commas alone.',
};
const rows = ({ sections }: Finding, section = 0): readonly Readonly<Record<string, Cell>>[] =>
  sections[section]!.tables![0]!.rows;
const shares = (row: Readonly<Record<string, Cell>>) =>
  [row.overall, row.correctness, row.clarity].map((cell) => (cell as Estimate).value);

test('a sentence counts once, however many complaints it has, overall and by what they are about', () => {
  const found = [[complaint('correctness'), complaint('correctness')], [complaint('clarity')], [complaint('clarity')]];
  const finding = findingOfGrammars([grammarOf('good', 100, []), grammarOf('bad', 100, found)], settings);
  assert.deepEqual(rows(finding).map(shares), [
    [1, 1, 1],
    [0.97, 0.99, 0.98],
  ]);
  // Clopper and Pearson by their definition: at either end 97 of 100 or something farther off has a chance of .025.
  const { low, high } = rows(finding)[1]!.overall as Estimate;
  const upTo = (count: number, share: number) => {
    let chance = (1 - share) ** 100;
    let sum = 0;
    for (let hits = 0; hits <= count; hits++) {
      sum += chance;
      chance *= (((100 - hits) / (hits + 1)) * share) / (1 - share);
    }
    return sum;
  };
  assert.ok(Math.abs(1 - upTo(96, low!) - 0.025) < 1e-6 && Math.abs(upTo(97, high!) - 0.025) < 1e-6, `${low} ${high}`);
  const complained = rows(finding, 1).filter(({ about }) => about !== null);
  assert.deepEqual([rows(finding, 1).length, complained.length], [201, 4]);
  assert.deepEqual(complained[0], {
    grammar: 'bad',
    sentence: 'bad 0',
    words: 'of of',
    about: 'correctness',
    kind: 'Some',
    message: 'It should not.',
  });
  assert.match(finding.answer[0]!.text, /accepts 197 of 200 sentences of 2 grammars\.$/);
  assert.match(finding.answer[1]!.text, /smallest for bad\.$/);
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
});

test('where every sentence of a grammar was looked at there is no interval, and the reason is said', () => {
  const finding = findingOfGrammars([grammarOf('small', 4, [[complaint('clarity')]], true)], settings);
  const { value, low, reason } = rows(finding)[0]!.overall as Estimate;
  assert.deepEqual([value, low], [0.75, null]);
  assert.match(reasonText(reason!), /these are all there are/);
  assert.match(finding.warnings.join('\n'), /small: the grammar has fewer than 100 sentences/);
  assert.match(finding.warnings[0]!, /may still be wrong.* It sees commas alone\.$/);
});
