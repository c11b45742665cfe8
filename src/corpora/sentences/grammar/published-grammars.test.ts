import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedGrammars } from './published-grammars.ts';
import { readGrammarTexts } from './read-grammar.ts';

/** AequeVox, Table 6: which recognizer, which side, what was said. */
const table6: readonly (readonly [string, readonly string[]])[] = [
  ['aequevox/ms-robust', ['Ashley likes fresh smoothies', 'Paul adores spoons of cinnamon']],
  ['aequevox/ms-non-robust', ['Ashley detests thick smoothies', 'Ryan likes slabs of cake']],
  ['aequevox/gcp-robust', ['Karen loves plastic straws', 'Donald hates big decisions']],
  ['aequevox/gcp-non-robust', ['John loves spoons of cinnamon', 'Robert loves bags of concrete']],
  ['aequevox/ibm-robust', ['William detests plastic cups', 'Steven detests big flags']],
  ['aequevox/ibm-non-robust', ['Betty likes scoops of ice cream', 'Amanda is fond of things like groceries']],
];

/** The words in bold of Table 6, with Figure 6. */
const targets: Readonly<Record<string, readonly string[]>> = {
  'aequevox/ms-robust': ['fresh', 'spoons'],
  'aequevox/ms-non-robust': ['thick', 'slabs'],
  'aequevox/gcp-robust': ['plastic', 'big'],
  'aequevox/gcp-non-robust': ['bags', 'spoons'],
  'aequevox/ibm-robust': ['plastic', 'big'],
  'aequevox/ibm-non-robust': ['things', 'scoops'],
};

for (const [name, examples] of table6) {
  test(`${name} says the paper's examples, more than 100 sentences, and one target word in each`, async () => {
    const texts = [...(await readGrammarTexts(name, '/', { most: 10_000, seed: 1 }))];
    for (const example of examples) assert.ok(texts.includes(example), example);
    assert.ok(texts.length > 100);
    for (const text of texts) {
      assert.equal(text.split(' ').filter((word) => targets[name]!.includes(word)).length, 1, text);
    }
  });
}

test('there are no others', () => {
  assert.deepEqual([...publishedGrammars.keys()].sort(), table6.map(([name]) => name).sort());
});
