import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { conditionFolders, exportColumns, soundName, splitNames } from './export-form.ts';
import { attributionText, createLicenceLedger, forbidsDerivatives, refuseWithoutDerivatives } from './licences.ts';
import { inOrder } from './perturb-corpus.ts';

const rung = (ladder: string, family: string, rank: number): Condition => ({
  name: `${ladder}/${family}:${rank}`,
  steps: [],
  rung: { family: `${ladder}/${family}`, rank, label: '' },
});

test('splits are named as Speech Robust Bench names them, with the ladder only where two have the family', () => {
  // The pattern that `datasets` (naming.py) demands of splits.
  const allowed = /^\w+(\.\w+)*$/;
  const conditions = [
    rung('srb', 'gnoise', 3),
    rung('sr-mt', 'tone', 1),
    rung('a', 'tone', 1),
    { name: 'clean', steps: [] },
  ];
  const splits = splitNames(conditions);
  assert.deepEqual(splits, ['gnoise.3', 'sr_mt.tone.1', 'a.tone.1', 'clean']);
  for (const split of splits) assert.match(split, allowed);
  assert.deepEqual(conditionFolders(conditions), ['srb.gnoise.3', 'sr_mt.tone.1', 'a.tone.1', 'clean']);
  assert.deepEqual(splitNames([{ name: '../..', steps: [] }]), ['_']);
});

test('two conditions that would share a folder are refused', () => {
  const conditions = [rung('my', 'a-b', 1), rung('my', 'A_b', 1)];
  assert.throws(() => conditionFolders(conditions), /"my\/a-b:1" and "my\/A_b:1" would both be/);
  assert.throws(() => splitNames(conditions), /would both be/);
});

test('names of sounds stay below their folder, and different ids have different names', () => {
  assert.equal(soundName('train/dr1-a'), 'train/dr1-a');
  assert.equal(soundName('a b'), 'a%20b');
  const ids = [
    '../x',
    '..',
    '.',
    '',
    '/',
    '/etc/passwd',
    '--force',
    'a%20b',
    'a b',
    'ä',
    'a\u0308',
    'con',
    'x.',
    'x\\y',
    '\0',
  ];
  const names = [...ids, 'n'.repeat(400), `${'n'.repeat(400)}m`].map(soundName);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) {
    for (const part of name.split('/')) {
      assert.match(part, /^[A-Za-z0-9_%][A-Za-z0-9_.@+%-]*$/);
      assert.ok(part.length <= 150);
    }
  }
});

test('licences without derivatives are known by name, code and address', () => {
  for (const licence of [
    'CC BY-NC-ND 3.0',
    'cc-by-nd-4.0',
    'https://creativecommons.org/licenses/by-nc-nd/3.0/',
    'Attribution-NoDerivatives 4.0',
    'Attribution-NonCommercial-NoDerivs 3.0',
    'TED-LIUM 3',
  ])
    assert.ok(forbidsDerivatives(licence), licence);
  for (const licence of ['CC BY 4.0', 'CC BY-NC-SA 4.0', 'CC0', 'MIT', 'Apache-2.0', 'by Andy', 'public domain', ''])
    assert.ok(!forbidsDerivatives(licence), licence);
});

test('the ledger counts licences, refuses one without derivatives, and attributes with hostile text made harmless', () => {
  const ledger = createLicenceLedger();
  const utterance = (attributes: Utterance['attributes']): Utterance => ({
    id: 'u',
    language: 'en',
    attributes,
    tags: [],
  });
  ledger.addUtterance(utterance({ license: 'CC BY 4.0\u001b[2J', corpus: 'timit' }));
  ledger.addUtterance(utterance({}));
  ledger.addSound('musan', { licence: 'CC0' });
  ledger.addSound('musan', { licence: 'CC0' });
  assert.doesNotThrow(() => refuseWithoutDerivatives(ledger.declared()));
  const text = attributionText(ledger.declared(), 'earwitness 1');
  assert.match(text, /^- sounds of musan: 2 items, CC0$/m);
  assert.match(text, /^- speech: 1 item, no licence declared/m);
  assert.ok(!text.includes('\u001b'));
  ledger.addUtterance(utterance({ corpus: 'TEDLIUM' }));
  assert.throws(
    () => refuseWithoutDerivatives(ledger.declared()),
    /TEDLIUM.*CC BY-NC-ND 3\.0.*--accept-no-derivatives/,
  );
});

test('an attribute that is named like a column gets another name, and unknown values are null', () => {
  const survey = {
    utterances: 1,
    attributes: ['__proto__', 'attribute_text', 'audio', 'licence', 'sex', 'text'],
    hasReferences: true,
  };
  const columns = exportColumns([{ name: 'clean', steps: [] }], survey, { seed: 7, draw: 0 });
  const names = columns.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(names.slice(-5), ['__proto__', 'attribute_text', 'attribute_audio', 'sex', 'attribute_text_']);
  const measurement = {
    durationSeconds: 1,
    sampleRate: 8000,
    levelDbfs: null,
    clippedShare: 0,
    facts: [],
    sampleHash: '',
  };
  const utterance: Utterance = { id: 'u', language: 'en', attributes: { sex: 'F' }, tags: ['a', 'b'] };
  const sound = { utterance, name: 'u', condition: 0, measurement, bytes: null };
  const row = new Map(columns.map((column) => [column.name, column.value(sound)]));
  assert.deepEqual(
    ['sex', '__proto__', 'text', 'severity', 'seed', 'tags'].map((name) => row.get(name)),
    ['F', null, null, 0, 7, 'a;b'],
  );
});

test('answers come in the order of the things, never more at once than asked for', async () => {
  let underWay = 0;
  let most = 0;
  const answers: number[] = [];
  const work = async (thing: number) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    if (thing % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return thing * 10;
  };
  for await (const answer of inOrder([0, 1, 2, 3, 4, 5, 6], 3, work)) answers.push(answer);
  assert.deepEqual(answers, [0, 10, 20, 30, 40, 50, 60]);
  assert.equal(most, 3);
});
