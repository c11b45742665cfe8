import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Estimate, Finding, Table } from '../../model/finding.ts';
import { estimateAt } from '../../model/finding-rows.ts';
import { reasonText } from '../../model/reason.ts';
import type { StudyRecognizer } from '../contract.ts';
import {
  type Invention,
  inventedContext,
  inventedRun,
  near,
  recognizerNamed,
  rowOf,
  spoken,
  withErrors,
} from '../shared/testing/testing.ts';
import { robustness } from './robustness.ts';

const tableIn = (finding: Finding, id: string): Table =>
  finding.sections.flatMap(({ tables = [] }) => tables).find((table) => table.id === id)!;
const cellValue = (table: Table, recognizer: string, key: string): number | null =>
  (table.rows.find((row) => row.recognizer === recognizer)?.[key] as Estimate | null | undefined)?.value ?? null;

/** A thousand words: a rate of one decimal in per cent is a whole number of errors. */
const thousand = Array.from({ length: 1000 }, (_, index) => `w${index}`).join(' ');
const open = (name: string) => recognizerNamed(name, { differentiable: true });
const run = (
  recognizers: readonly StudyRecognizer[],
  invent: Invention,
  { options = {}, corpora = ['LibriSpeech'], reference = thousand, speakers = 2 } = {},
) =>
  inventedRun(
    robustness,
    { conditions: ['srb/pgd'], profile: 'srb', minimumSpeakers: 2, resamples: 200, ...options },
    inventedContext(
      corpora.flatMap((corpus) =>
        Array.from({ length: speakers }, (_, speaker) =>
          spoken(`${corpus} ${speaker}`, reference, {
            language: 'en',
            speaker: `${corpus} ${speaker}`,
            attributes: { corpus, sex: speaker % 2 === 0 ? 'female' : 'male' },
          }),
        ),
      ),
      recognizers,
    ),
    invent,
  );

/** Table 7 of Speech Robust Bench (arXiv 2403.07937v3): clean WER and WERD under both attacks, in per cent. */
const published: Readonly<Record<string, Readonly<Record<string, readonly [clean: number, ua: number, us: number]>>>> =
  {
    'wsp-lg': { LibriSpeech: [3.9, 3.4, 43.6], TEDLIUM: [12.1, 9.0, 63.6] },
    'wsp-md': { LibriSpeech: [3.9, 1.7, 51.9], TEDLIUM: [12.0, 5.7, 61.3] },
    'wsp-bs': { LibriSpeech: [5.9, 3.6, 96.7], TEDLIUM: [13.3, 1.7, 80.3] },
    'w2v2-lg-slf': { LibriSpeech: [1.8, 12.5, 58.0], TEDLIUM: [13.5, 1.5, 24.0] },
    'w2v2-lg': { LibriSpeech: [3.0, 29.0, 44.3], TEDLIUM: [16.5, 4.2, 17.9] },
    'hubt-xl': { LibriSpeech: [2.1, 26.7, 54.4], TEDLIUM: [14.7, 1.2, 19.1] },
  };
/** Table 1, English: the same over both corpora, and their mean. */
const tableOne: Readonly<Record<string, readonly [ua: number, us: number, average: number]>> = {
  'wsp-lg': [6.2, 53.6, 29.9],
  'wsp-md': [3.7, 56.6, 30.1],
  'wsp-bs': [2.7, 88.5, 45.6],
  'w2v2-lg-slf': [7.0, 41.0, 24.0],
  'w2v2-lg': [16.6, 31.1, 23.8],
  'hubt-xl': [13.9, 36.8, 25.3],
};

test('from the rates of Table 7 by corpus come the columns of attacks of Table 1', async () => {
  const finding = await run(
    Object.keys(published).map(open),
    ({ condition: { name }, recognizer, utterance }) => {
      const [clean, ua, us] = published[recognizer]![utterance.attributes.corpus!]!;
      if (name.startsWith('srb/universal_adv')) assert.notEqual(utterance.speaker, `${utterance.attributes.corpus} 1`);
      const lost = name === 'clean' ? 0 : name.startsWith('srb/pgd') ? us : ua;
      const errors = Math.round(10 * (clean + lost));
      // More than a hundred per cent are words added.
      return `${withErrors(thousand, Math.min(1000, errors))}${' x'.repeat(Math.max(0, errors - 1000))}`;
    },
    {
      corpora: ['LibriSpeech', 'TEDLIUM'],
      options: { conditions: ['srb/pgd', 'srb/universal_adv'], fitSpeakers: ['LibriSpeech 1', 'TEDLIUM 1'] },
    },
  );
  const table = tableIn(finding, 'robustness-table-1');
  for (const [name, expected] of Object.entries(tableOne)) {
    // Printed with one decimal, of numbers with one decimal.
    for (const [place, key] of ['adversarial (UA)', 'adversarial (US)', 'attacks'].entries()) {
      assert.ok(Math.abs(100 * cellValue(table, name, key)! - expected[place]!) <= 0.0501, `${name} ${key}`);
    }
  }
  const apart = tableIn(finding, 'robustness-levels-apart').rows.filter(
    ({ scope, recognizer, name }) => scope === 'corpus TEDLIUM' && recognizer === 'wsp-lg' && name === 'all attacks',
  );
  near((apart[0]!.degradation as Estimate).value!, (0.636 + 0.09) / 2);
});

const ten = 'a b c d e f g h i j';

test('each recognizer hears sounds made against itself, and one that cannot be looked into hears none', async () => {
  const heard: string[] = [];
  const finding = await run(
    [open('one'), recognizerNamed('closed'), open('two'), recognizerNamed('names', { input: 'names' })],
    ({ condition, recognizer }) => {
      const made = condition.steps.map(({ perturbation, parameters }) => [perturbation, parameters]);
      heard.push(JSON.stringify([recognizer, condition.name, ...made]));
      return withErrors(ten, condition.name === 'clean' ? 0 : 4);
    },
    { reference: ten, options: { conditions: ['srb/pgd:3'], attackSteps: 7 } },
  );
  const rate = ['sample-rate', { rateHz: 16_000 }];
  const pgd = (source: string) => ['pgd', { snrDb: 20, steps: 7, relativeStep: 0.4, source }];
  assert.deepEqual(
    new Set(heard.filter((line) => !line.includes('"clean"'))),
    new Set([
      JSON.stringify(['one', 'srb/pgd:3 against one', rate, pgd('one')]),
      JSON.stringify(['two', 'srb/pgd:3 against two', rate, pgd('two')]),
      JSON.stringify(['names', 'srb/pgd:3']),
    ]),
  );
  const table = tableIn(finding, 'robustness-attacks');
  assert.equal(cellValue(table, 'closed', 'attacks'), null);
  for (const name of ['one', 'two', 'names']) near(cellValue(table, name, 'attacks')!, 0.4);
});

test('attacks are in no average of other scenarios, have no difficulty, and are no worst condition', async () => {
  const steps = [{ perturbation: 'gain', parameters: { factor: 2 } }];
  const finding = await run(
    [open('one'), open('two')],
    ({ condition: { name }, recognizer }) =>
      withErrors(ten, name === 'clean' ? 1 : name === 'loud' ? 3 : recognizer === 'one' ? 9 : 8),
    { reference: ten, options: { conditions: ['srb/pgd', { name: 'loud', steps }], difficulties: { loud: 50 } } },
  );
  const level = (name: string) => rowOf(finding, 'robustness-levels', { name, recognizer: 'one' });
  assert.ok(finding.answer.some(({ text }) => text.includes('in loud')));
  near(level('all scenarios').degradation, 0.2);
  near(level('all scenarios').normalizedDegradation, 0.4);
  near(level('all attacks').degradation, 0.8);
  const { value, reason } = estimateAt(level('adversarial (US)'), 'normalizedDegradation');
  assert.equal(value, null);
  assert.match(reasonText(reason!), /heard sounds of its own/);
  const planes = finding.sections.find(({ id }) => id === 'robustness-attacks')!.planes!;
  assert.deepEqual(
    planes.map(({ points }) => points.map(({ x, y }) => [x.value, y.value].map((value) => Number(value!.toFixed(9))))),
    [
      [
        [0.1, 0.8],
        [0.1, 0.7],
      ],
      [
        [0.4, 0.8],
        [0.4, 0.7],
      ],
    ],
  );
  const names = finding.sections.flatMap(({ examples = [] }) => examples.map(({ conditionName }) => conditionName));
  assert.ok(names.length > 0 && names.every((name) => !name.includes('pgd')));
});

test('facts of models stand beside what attacks cost them, and groups have their ratio under attacks', async () => {
  const models = Array.from({ length: 8 }, (_, place) =>
    recognizerNamed(`m${place}`, {
      differentiable: true,
      facts: {
        parameters: 10 ** (6 + place / 4),
        family: place < 4 ? 'small' : 'large',
        architecture: place % 2 === 0 ? 'CTC' : 'encoder-decoder',
      },
    }),
  );
  const finding = await run(
    models,
    ({ condition: { name }, recognizer, utterance }) => {
      if (name === 'clean') return ten;
      const base = recognizer === 'm7' ? 4 : 2;
      return withErrors(ten, name === 'loud' ? 1 : base * (utterance.attributes.sex === 'female' ? 2 : 1));
    },
    {
      reference: ten,
      speakers: 4,
      options: {
        conditions: ['srb/pgd', { name: 'loud', steps: [{ perturbation: 'gain', parameters: { factor: 2 } }] }],
      },
    },
  );
  const section = finding.sections.find(({ id }) => id === 'robustness-facts')!;
  assert.ok(section.planes!.some(({ title }) => title === 'Size of the model and change under attacks'));
  assert.deepEqual(
    section
      .boxPlots!.filter(({ title }) => title === 'Change under attacks by architecture')
      .map(({ boxes }) => boxes.map(({ name }) => name)),
    [['CTC', 'encoder-decoder']],
  );
  assert.ok(tableIn(finding, 'robustness-fact-effects').rows.some(({ of }) => of === 'Change under attacks'));
  const ratio = tableIn(finding, 'robustness-group-ratios').rows.find(
    ({ recognizer, category }) => recognizer === 'm0' && category === 'adversarial (US)',
  )!;
  near((ratio.ratio as Estimate).value!, 1);
});

test('attacks that nobody of the run can be given are refused in one sentence', async () => {
  await assert.rejects(
    run([recognizerNamed('closed')], () => ten),
    /expected a recognizer whose network can be differentiated, for srb\/pgd/,
  );
});
