import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { Utterance } from '../../model/utterance.ts';
import { assertRefused, corpusOf, temporaryFolder, testServices, utterancesOf } from '../conformance.ts';
import { manifest } from '../manifest/manifest.ts';
import { select, selectionOptions } from './selection.ts';

type SelectionOptions = Parameters<typeof select>[1];

const utterance = (id: string, attributes: Record<string, string> = {}, rest: Partial<Utterance> = {}): Utterance => ({
  id,
  language: 'en',
  attributes,
  tags: [],
  ...rest,
});

const people = [
  utterance('a', { sex: 'F', age: '23' }, { speaker: 's1', tags: ['noisy'] }),
  utterance('b', { sex: 'M', age: '30' }, { speaker: 's2', language: 'de' }),
  utterance('c', { sex: 'F', age: 'thirties' }, { speaker: 's1' }),
  utterance('d', { age: '41' }),
];

async function idsOf(utterances: readonly Utterance[], options: SelectionOptions): Promise<string[]> {
  return (await utterancesOf(select(corpusOf(utterances), options))).map(({ id }) => id);
}

test('attributes are selected by text, list and range, and fields like attributes', async () => {
  assert.deepEqual(await idsOf(people, { where: { sex: 'F' } }), ['a', 'c']);
  assert.deepEqual(await idsOf(people, { where: { sex: ['F', 'M'] } }), ['a', 'b', 'c']);
  assert.deepEqual(await idsOf(people, { where: { age: { min: 23, max: 30 } } }), ['a', 'b']);
  assert.deepEqual(await idsOf(people, { where: { age: { min: 24 } } }), ['b', 'd']);
  assert.deepEqual(await idsOf(people, { where: { speaker: 's1', tag: 'noisy' } }), ['a']);
  assert.deepEqual(await idsOf(people, { where: { language: 'de' } }), ['b']);
  assert.deepEqual(await idsOf(people, { where: { sex: 'F' }, limit: 1 }), ['a']);
  assert.deepEqual(await idsOf(people, {}), ['a', 'b', 'c', 'd']);
});

test('a language has its regions and scripts in it, and a region is itself alone', async () => {
  const languages = ['zh', 'zh-CN', 'zh-Hant-TW', 'yue', 'en', 'und'];
  const spoken = languages.map((language) => utterance(language, {}, { language }));
  assert.deepEqual(await idsOf(spoken, { where: { language: 'zh' } }), ['zh', 'zh-CN', 'zh-Hant-TW']);
  assert.deepEqual(await idsOf(spoken, { where: { language: 'zh_cn' } }), ['zh-CN']);
  assert.deepEqual(await idsOf(spoken, { where: { language: ['Cantonese', 'zh-Hant'] } }), ['zh-Hant-TW', 'yue']);
  assert.deepEqual(await idsOf(spoken, { where: { language: { not: ['zh'] } } }), ['yue', 'en', 'und']);
  // A column of the user's own is what it is.
  const own = ['zh', 'zh-CN'].map((language) => utterance(language, { language }));
  assert.deepEqual(await idsOf(own, { where: { language: 'zh' } }), ['zh']);
});

test('where no blanks are written between words, each character is one', async () => {
  const counts = {
    '我们今天开会讨论项目。': 10,
    '我用 excel 写的': 5,
    我用excel写的2页: 7,
    ที่นี่: 2,
    'བོད་སྐད་': 4,
    'ありがとう！': 5,
    'the cat – sat': 4,
    '안녕하세요 여러분': 2,
  };
  const texts = Object.keys(counts).map((reference) => utterance(reference, {}, { reference }));
  for (const [text, words] of Object.entries(counts)) {
    const exactly = await idsOf(texts, { where: { words: { min: words, max: words } } });
    assert.ok(exactly.includes(text), `${text}: ${words}`);
  }
});

test('any value but some is one that is there, and words of the reference are counted', async () => {
  const accents = [
    utterance('a', { accent: 'us' }, { reference: 'yes' }),
    utterance('b', { accent: 'ghana' }, { reference: 'one  two\nthree' }),
    utterance('c', { accent: ' ' }, { reference: '' }),
    utterance('d'),
    utterance('e', { accent: 'india' }),
  ];
  assert.deepEqual(await idsOf(accents, { where: { accent: { not: ['us'] } } }), ['b', 'e']);
  assert.deepEqual(await idsOf(accents, { where: { words: { max: 1 } } }), ['a', 'c']);
  assert.deepEqual(await idsOf(accents, { where: { words: { min: 3 } } }), ['b']);
});

const refused: readonly [what: string, options: SelectionOptions, message: RegExp][] = [
  [
    'an attribute that no utterance has',
    { where: { sxe: 'F' } },
    /no utterance has the attribute "sxe"; did you mean "sex"\?/,
  ],
  [
    'a group attribute that no utterance has',
    { sample: 1, stratify: ['accent'] },
    /no utterance has the attribute "accent"; they have sex, age/,
  ],
  [
    'a value that no utterance has',
    { where: { sex: 'f' } },
    /nothing is left.*of the 4 utterances has sex "f"; did you mean "F"\?/,
  ],
  [
    'a range that is empty',
    { where: { age: { min: 50 } } },
    /has age from 50 to any number; its numbers go from 23 to 41/,
  ],
  ['a range over texts', { where: { sex: { min: 1 } } }, /its values are no numbers \("F", …\)/],
  [
    'filters that leave nothing together',
    { where: { sex: 'M', language: 'en' } },
    /none of the 1 utterances that passed the filters before it has language "en"/,
  ],
];
for (const [what, options, message] of refused) {
  test(`${what} is refused, saying what removed all`, () => assertRefused(idsOf(people, options), message));
}

test('a corpus without utterances is refused', () =>
  assertRefused(idsOf([], { where: { sex: 'F' } }), /no utterances/));

test('options are checked', () => {
  for (const wrong of [
    { stratify: ['sex'] },
    { sample: 0 },
    { where: { age: {} } },
    { where: { age: { min: 3, max: 2 } } },
    { smple: 3 },
  ]) {
    assert.equal(selectionOptions.safeParse(wrong).success, false, JSON.stringify(wrong));
  }
  assert.equal(
    selectionOptions.safeParse({ sample: 5, stratify: ['sex'], seed: 1, limit: 3, where: { a: ['b'] } }).success,
    true,
  );
});

const corpora = fc.uniqueArray(fc.record({ id: fc.string({ minLength: 1 }), sex: fc.constantFrom('F', 'M', '') }), {
  selector: ({ id }) => id,
  minLength: 1,
  maxLength: 60,
});
const utterancesFrom = (rows: readonly { id: string; sex: string }[]) =>
  rows.map(({ id, sex }) => utterance(id, { known: 'yes', ...(sex !== '' && { sex }) }));

test('a sample is the same whatever the order of the utterances, and keeps their order', () =>
  fc.assert(
    fc.asyncProperty(corpora, fc.nat(), fc.integer({ min: 1, max: 70 }), fc.nat(), async (rows, seed, sample, turn) => {
      const some = utterancesFrom(rows);
      const turned = [...some.slice(turn % some.length), ...some.slice(0, turn % some.length)].reverse();
      const ids = await idsOf(some, { sample, seed });
      assert.deepEqual((await idsOf(turned, { sample, seed })).toSorted(), ids.toSorted());
      assert.equal(ids.length, Math.min(sample, some.length));
      assert.deepEqual(
        ids,
        some.map(({ id }) => id).filter((id) => ids.includes(id)),
      );
    }),
    { numRuns: 100 },
  ));

test('whether an utterance is in a sample does not depend on which others stand before it: removing one lets at most one in', () =>
  fc.assert(
    fc.asyncProperty(corpora, fc.nat(), fc.integer({ min: 1, max: 20 }), async (rows, seed, sample) => {
      const some = utterancesFrom(rows);
      if (some.length < 2) return;
      const before = await idsOf(some, { sample, seed });
      const after = await idsOf(some.slice(1), { sample, seed });
      for (const id of before) if (id !== some[0]!.id) assert.ok(after.includes(id));
    }),
    { numRuns: 100 },
  ));

test('a smaller sample is part of a larger one', async () => {
  const some = Array.from({ length: 200 }, (_, n) => utterance(`u${n}`));
  const small = await idsOf(some, { sample: 20, seed: 3 });
  const large = new Set(await idsOf(some, { sample: 50, seed: 3 }));
  assert.ok(small.every((id) => large.has(id)));
  assert.notDeepEqual(await idsOf(some, { sample: 20, seed: 4 }), small);
});

test('every utterance is alike likely to be drawn', async () => {
  const some = Array.from({ length: 20 }, (_, n) => utterance(`u${n}`));
  const drawn = new Map<string, number>();
  const seeds = 1000;
  for (let seed = 0; seed < seeds; seed++) {
    for (const id of await idsOf(some, { sample: 5, seed })) drawn.set(id, (drawn.get(id) ?? 0) + 1);
  }
  // Each count is binomial with mean 250 and standard deviation sqrt(1000 * .25 * .75) = 13.7; drawing without
  // replacement, (19 / 20) * sum of squares / (n p q) is near chi-squared with 19 degrees: 99.99 % lie below 50.8.
  const square = some.reduce((sum, { id }) => sum + ((drawn.get(id) ?? 0) - 250) ** 2, 0);
  assert.ok(((19 / 20) * square) / (seeds * 0.25 * 0.75) < 50.8);
});

test('a stratified sample has so many of each group, also of those without a value', () =>
  fc.assert(
    fc.asyncProperty(corpora, fc.nat(), fc.integer({ min: 1, max: 9 }), async (rows, seed, sample) => {
      const some = utterancesFrom([{ id: '\u0001f', sex: 'F' }, ...rows]);
      const ids = new Set(await idsOf(some, { sample, seed, stratify: ['sex'] }));
      for (const sex of ['F', 'M', undefined]) {
        const group = some.filter(({ attributes }) => attributes.sex === sex);
        assert.equal(group.filter(({ id }) => ids.has(id)).length, Math.min(sample, group.length));
      }
    }),
    { numRuns: 100 },
  ));

test('a group attribute that differs from utterance to utterance is refused', async () => {
  const some = Array.from({ length: 10_001 }, (_, n) => utterance(`u${n}`, { number: String(n) }));
  await assertRefused(idsOf(some, { sample: 1, stratify: ['number'] }), /at most 10000 groups by number/);
});

const sharedData = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

/** 160 rows of TIMIT's regions and ten of another corpus, in the columns of the list beside the repository. */
function inventedList(): string {
  const rows = Array.from({ length: 170 }, (_, index) => {
    const corpus = index < 160 ? 'timit' : 'vctk';
    const sex = index % 2 === 0 ? 'F' : 'M';
    const dialect = corpus === 'timit' ? `dialect=DR${1 + (Math.floor(index / 2) % 8)};prompt=sa1` : '';
    return `${corpus}/${index}.wav\t${corpus}\tu${index}\ts${index}\t${sex}\ten\tHello.\t${dialect}\n`;
  });
  return `path\tcorpus\tutt\tspeaker\tsex\tlang\ttext\textra\n${rows.join('')}`;
}

test('recordings are sampled by sex and dialect', async () => {
  await using made = await temporaryFolder({ 'speech/manifest.tsv': inventedList() });
  const services = testServices(existsSync(sharedData) ? sharedData : made.path);
  const all = await manifest.open({ file: 'speech/manifest.tsv' }, services);
  const options = { where: { corpus: 'timit' }, sample: 2, stratify: ['sex', 'dialect'], seed: 1 };
  const chosen = await utterancesOf(select(all, options));
  // TIMIT's part: two sexes in each of eight dialect regions.
  assert.equal(chosen.length, 32);
  assert.equal(new Set(chosen.map(({ attributes }) => `${attributes.sex} ${attributes.dialect}`)).size, 16);
});

test('who has an unwanted value among several is left out, and so is who has none', async () => {
  const tagged = [
    utterance('a', {}, { tags: ['noisy', 'far'] }),
    utterance('b', {}, { tags: ['far'] }),
    utterance('c'),
  ];
  assert.deepEqual(await idsOf(tagged, { where: { tag: { not: ['noisy'] } } }), ['b']);
});
