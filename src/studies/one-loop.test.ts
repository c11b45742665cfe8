// One utterance in a loop: each study that prints a rate which it moves says which, what the rate is without it, and how to hear it.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import type { Utterance } from '../model/utterance.ts';
import { aequevox } from '../perturbations/ladders/aequevox.ts';
import { adversarial } from './adversarial/adversarial.ts';
import type { Study } from './contract.ts';
import { degradation } from './degradation/degradation.ts';
import { disparity } from './disparity/disparity.ts';
import { fewReferences } from './few-references/few-references.ts';
import { gapDecomposition } from './gap-decomposition/gap-decomposition.ts';
import { hallucination } from './hallucination/hallucination.ts';
import { metamorphic } from './metamorphic/metamorphic.ts';
import { robustness } from './robustness/robustness.ts';
import {
  type Invention,
  inventedContext,
  inventedMeasurement,
  inventedRun,
  recognizerNamed,
  spoken,
} from './shared/testing/testing.ts';

const words = Array.from({ length: 14 }, (_, place) => `word${place}`);
const people: Utterance[] = Array.from({ length: 90 }, (_, place) => {
  const number = Math.floor(place / 3);
  const random = createRandom(['text', place]);
  const text = Array.from({ length: 10 }, () => words[random.integer(words.length)]!).join(' ');
  return spoken(`u${place}`, text, {
    speaker: `s${number}`,
    sound: { file: `${place}.wav` },
    attributes: { sex: number % 2 === 0 ? 'female' : 'male' },
  });
});
const looped = 'u24';
const loop = Array.from({ length: 110 }, () => 'thank you').join(' ');

/** Every word is missed by chance; where nobody speaks, every second clip has a word. */
const says: Invention = ({ utterance, recognizer, condition, draw, repeat }) => {
  const random = createRandom([utterance.id, recognizer, condition.name, draw, repeat]);
  if (condition.name === 'earwitness/silence') return random.next() < 0.5 ? 'so' : '';
  const chance = 0.08 + 0.08 * random.next();
  return utterance
    .reference!.split(' ')
    .map((word) => (random.next() < chance ? 'x' : word))
    .join(' ');
};
const saysLoop: Invention = (trial) =>
  trial.utterance.id === looped && trial.recognizer === 'alpha' ? loop : says(trial);
/** Of changed clips alone: where the clean transcript is the reference, that is no loop. */
const saysLoopIfChanged: Invention = (trial) => (trial.condition.steps.length === 0 ? says : saysLoop)(trial);

const conditions = ['aequevox/noise:1', 'aequevox/noise:4'];
const few = { resamples: 200 };
const sr = { relations: [{ name: 'R', conditions, output: 'equal' }], ...few };
const situations: readonly { readonly study: unknown; readonly options: object; readonly halfTranscribed?: true }[] = [
  { study: robustness, options: { conditions, ...few, groupBy: ['sex'] } },
  { study: disparity, options: { ...few, permutations: 1000 } },
  { study: degradation, options: { conditions, ...few, permutations: 1000, groupBy: ['sex'] } },
  { study: metamorphic, options: { profile: 'sr-mt', ...sr } },
  { study: metamorphic, options: sr },
  { study: adversarial, options: { attacks: ['pgd'], snrDb: [20, 10], groupBy: ['sex'], ...few } },
  { study: hallucination, options: { groupBy: ['sex'], ...few } },
  { study: gapDecomposition, options: { causes: ['rarity'], bent: false, equalize: [], groupBy: ['sex'] } },
  { study: fewReferences, options: { groupBy: ['sex'] } },
  { study: fewReferences, options: { groupBy: ['sex'] }, halfTranscribed: true },
];

/** Studies that print no rate of a recognizer which more words than were said could move, and why. */
const without: Readonly<Record<string, string>> = {
  corpus: 'it asks no recognizer',
  'sound-quality': 'it asks no recognizer',
  threshold: 'a share of the words that were said is recognized',
  differential: 'a text is failed or not',
  'fault-validation': 'a sentence is failed or not',
  'fault-words': 'times that words were heard, by the published rule',
};

for (const { study: given, options, halfTranscribed } of situations) {
  const study = given as Study<never>;
  test(`${study.name}${JSON.stringify(options).includes('sr-mt') ? ' as published' : ''}${halfTranscribed ? ' with half of the references' : ''} names the utterance of a loop, and nobody where there is none.`, async () => {
    const transcribed = people.map((one, place) => {
      if (!halfTranscribed || (place % 2 === 1 && one.id !== looped)) return one;
      const { reference: _, ...rest } = one;
      return rest;
    });
    const context = inventedContext(
      halfTranscribed ? transcribed : people,
      ['alpha', 'beta'].map((name) => recognizerNamed(name, { differentiable: true })),
      { ladders: [aequevox] },
    );
    const said =
      (invention: Invention): Invention =>
      (trial) =>
        invention({ ...trial, utterance: people.find(({ id }) => id === trial.utterance.id)! });
    const run = (invention: Invention) =>
      inventedRun(study, options, context, said(invention), [], inventedMeasurement);
    const { warnings, sections } = await run(given === metamorphic ? saysLoopIfChanged : saysLoop);
    const told = warnings.filter((warning) => warning.includes('search for it in `earwitness view`'));
    assert.ok(told.length >= 1, warnings.join('\n'));
    assert.match(
      warnings.find((warning) => /^alpha\b(?! and)/.test(warning))!,
      /^alpha\b.*one of \d+ utterances, u24, moves the .* from .* to .*: it has .*2 words repeated 110 times/,
    );
    const rows = sections.flatMap(({ id, tables = [] }) =>
      id.endsWith('-decided') ? tables.flatMap((table) => table.rows) : [],
    );
    assert.ok(rows.length >= 1 && rows.every(({ who }) => who === looped), JSON.stringify(rows));
    const quiet = await run(says);
    // Its speaker says other sentences, which are understood.
    const ofSpeakers = (all: readonly string[]) =>
      all.filter((warning) => /hardly understood|who say more/.test(warning));
    assert.deepEqual(ofSpeakers(warnings), ofSpeakers(quiet.warnings));
    assert.deepEqual(
      quiet.warnings.filter((warning) => warning.includes('moves the')),
      [],
    );
  });
}

test('Every study either says who decides its rates, or prints none that a loop moves.', () => {
  const asked = new Set(situations.map(({ study }) => (study as Study<never>).name));
  const studies = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .map(({ name }) => name);
  for (const name of studies) assert.notEqual(asked.has(name), Object.hasOwn(without, name), name);
});
