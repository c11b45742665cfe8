import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ageGroupOf, attributeNames, capitalized, knownText, parseAge, sexOf } from './attributes.ts';

test('sexes have one spelling, and what was not said is absent', () => {
  for (const text of ['F', 'f', 'Female', ' female_feminine ']) assert.equal(sexOf(text), 'female');
  for (const text of ['M', 'male', 'male_masculine']) assert.equal(sexOf(text), 'male');
  for (const text of ['', 'NA', 'N/A', '???', 'do_not_wish_to_say', undefined]) assert.equal(sexOf(text), undefined);
  assert.equal(sexOf('Non-Binary'), 'non-binary');
  assert.equal(sexOf('constructor'), 'constructor');
});

test('ages are whole years, and groups of ages ranges', () => {
  assert.deepEqual(['27', '27.0', '27.9', ' 6 '].map(parseAge), ['27', '27', '27', '6']);
  assert.deepEqual(['0', '0.0', '200', '22?', '-1', 'N/A', '1e1'].map(parseAge), Array(7).fill(undefined));
  assert.deepEqual(['teens', 'fourties', '18 - 22', '66+', 'NA'].map(ageGroupOf), [
    'under 19',
    '40-49',
    '18-22',
    '66+',
    undefined,
  ]);
});

test('names get capitals only where they have none', () => {
  assert.deepEqual(['south korea', 'guinea-bissau', 'USA', 'fyn, denmark'].map(capitalized), [
    'South Korea',
    'Guinea-Bissau',
    'USA',
    'Fyn, Denmark',
  ]);
  assert.equal(knownText(' prefer not to say '), undefined);
});

test('the documentation has every name and says the same of it', () => {
  const docs = readFileSync(new URL('../../../docs/corpora.md', import.meta.url), 'utf8');
  for (const [name, about] of Object.entries(attributeNames)) {
    assert.ok(docs.includes(`| \`${name}\` | ${about} |`), `${name}: ${about}`);
  }
});
