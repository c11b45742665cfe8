// One quantity has one interval, wherever it stands: in every table, chart and sentence of a study, and in other studies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import type { Comparison, Estimate, Finding } from '../model/finding.ts';
import type { Utterance } from '../model/utterance.ts';
import { aequevox } from '../perturbations/ladders/aequevox.ts';
import { renderCsv } from '../report/csv/render-csv.ts';
import { renderJson } from '../report/json/render-json.ts';
import { reportSchema } from '../report/json/report-schema.ts';
import { sampleReport } from '../report/testing/sample-report.ts';
import type { Study } from './contract.ts';
import { corpus } from './corpus/corpus.ts';
import { degradation } from './degradation/degradation.ts';
import { disparity } from './disparity/disparity.ts';
import { faultWords } from './fault-words/fault-words.ts';
import { fewReferences } from './few-references/few-references.ts';
import { gapDecomposition } from './gap-decomposition/gap-decomposition.ts';
import { hallucination } from './hallucination/hallucination.ts';
import { metamorphic } from './metamorphic/metamorphic.ts';
import { robustness } from './robustness/robustness.ts';
import {
  harder,
  type Invention,
  inventedContext,
  inventedRun,
  type OtherInvention,
  recognizerNamed,
  spoken,
} from './shared/testing/testing.ts';
import { soundQuality } from './sound-quality/sound-quality.ts';
import { threshold } from './threshold/threshold.ts';

/** Recordings of 28 speakers who say more or less, of both sexes and three accents. */
const people: Utterance[] = Array.from({ length: 140 }, (_, place) => {
  const number = Math.floor(place / 5);
  const length = 40 + ((place * 37) % 101);
  const reference = Array.from({ length }, (__, word) => `word${(word * place) % 97}`).join(' ');
  return spoken(`u${place}`, reference, {
    speaker: `s${number}`,
    sound: { file: `${place}.wav` },
    attributes: { sex: number % 2 === 0 ? 'female' : 'male', accent: ['north', 'south', 'west'][number % 3]! },
  });
});

const says: Invention = ({ utterance, recognizer, condition }) => {
  const random = createRandom([utterance.id, recognizer, condition.name]);
  const chance = 0.1 * (harder(recognizer) + harder(utterance.speaker!) + harder(condition.name));
  return utterance
    .reference!.split(' ')
    .flatMap((word) => (random.next() > chance ? [word] : random.next() < 0.3 ? [] : ['x']))
    .join(' ');
};

const measured: OtherInvention = (question) => {
  assert.ok(question.ask === 'measurement');
  const facts = { durationSeconds: 5, sampleRate: 16_000, levelDbfs: -28, clippedShare: 0, facts: [], sampleHash: '' };
  const quality = {
    invented: { values: { mos: 1 + 4 * harder(`${question.utterance.id} ${question.condition.name}`) } },
  };
  return { ...question, measurement: { ...facts, quality } };
};

const conditions = ['aequevox/noise:1', 'aequevox/noise:4', 'aequevox/clipping:2'];
const few = { resamples: 200 };
const situations: readonly { readonly study: Study<never>; readonly options: object }[] = [
  { study: robustness as Study<never>, options: { conditions, ...few, groupBy: ['sex', 'accent'] } },
  { study: disparity as Study<never>, options: { ...few, permutations: 1000 } },
  {
    study: degradation as Study<never>,
    options: { conditions, ...few, permutations: 1000, groupBy: ['sex', 'accent'] },
  },
  {
    study: metamorphic as unknown as Study<never>,
    options: {
      profile: 'sr-mt',
      relations: [{ name: 'R', conditions: conditions.slice(0, 2), output: 'equal' }],
      ...few,
    },
  },
  { study: hallucination as Study<never>, options: { corpus: 'sounds', ...few } },
  {
    study: gapDecomposition as Study<never>,
    options: { causes: ['rarity'], bent: false, equalize: [], groupBy: ['sex'] },
  },
  { study: fewReferences as Study<never>, options: { groupBy: ['sex'] } },
  { study: soundQuality as Study<never>, options: { conditions, ...few } },
];

const context = inventedContext(
  people,
  ['one', 'two', 'three'].map((name) => recognizerNamed(name)),
  {
    ladders: [aequevox],
    quality: [{ name: 'invented', values: { mos: 'How good it sounds' }, needsClean: false }],
  },
);

/** Every estimate with an interval, wherever it stands in a finding, and the way to it. */
function* estimatesIn(value: unknown, path: string): Generator<{ readonly path: string; readonly estimate: Estimate }> {
  if (typeof value !== 'object' || value === null) return;
  const one = value as Partial<Estimate>;
  if (typeof one.value === 'number' && typeof one.low === 'number' && one.n !== undefined && one.method !== undefined) {
    yield { path, estimate: one as Estimate };
  }
  for (const [key, member] of Object.entries(value)) yield* estimatesIn(member, `${path}.${key}`);
}

/**
 * What is the same quantity: value, how much stands behind it, level and method. Its sign is left out, since a difference may be
 * told from either side. Degrees of freedom, which come from the counts alone, tell quantities apart that are alike by chance.
 */
function quantityOf({ value, n, level, method }: Estimate): string {
  const size = [n.utterances, n.speakers, n.words ?? null, n.pairs ?? null];
  return JSON.stringify([Math.abs(value!).toPrecision(9), ...size, level, method]);
}

/** Quantities that stand in several places, and those of them that have several intervals. */
function quantitiesIn(findings: readonly Finding[]) {
  const all = findings
    .flatMap((finding) => [...estimatesIn(finding, finding.study.name)])
    // A robustness level is a whole number from 1 to 5.
    .filter(({ estimate }) => !estimate.method.startsWith('level of'));
  const several = [...Map.groupBy(all, ({ estimate }) => quantityOf(estimate)).values()].filter(
    (places) => places.length > 1,
  );
  const torn = several.flatMap((places) => {
    const intervals = Map.groupBy(places, ({ estimate: { value, low, high } }) =>
      (value! < 0 ? [0 - high!, 0 - low!] : [low!, high!]).map((end) => end.toPrecision(9)).join(' to '),
    );
    if (intervals.size === 1) return [];
    return [[...intervals].map(([ends, [first]]) => `${first!.path}: ${first!.estimate.value} is ${ends}`).join('; ')];
  });
  const studies = (places: typeof all) => new Set(places.map(({ path }) => path.split('.')[0])).size;
  return { several: several.length, inSeveralStudies: several.filter((places) => studies(places) > 1).length, torn };
}

/** Tables of which a file would have columns without a name of their own, or rows that nothing tells apart. */
function unlabelled({ sections }: Finding): string[] {
  return sections
    .flatMap(({ tables }) => tables ?? [])
    .flatMap((table) => {
      const [head] = renderCsv(table).split('\r\n');
      // Commas inside of quotes part nothing.
      const names = head!.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);
      const faults = names.filter(
        (name, place) => /^(|(group|column|part) ?\d+)(_low)?$/.test(name) || names.indexOf(name) < place,
      );
      const labels = table.rows.map((row) =>
        JSON.stringify(table.columns.map(({ key }) => (typeof row[key] === 'object' ? null : row[key]))),
      );
      if (labels.length > 1 && new Set(labels).size < labels.length) faults.push('rows alike');
      return faults.map((fault) => `${table.id}: ${fault}`);
    });
}

/** Tables with a corrected p value and no raw one beside it. */
function correctedAlone({ sections }: Finding): string[] {
  return sections
    .flatMap(({ tables }) => tables ?? [])
    .filter(({ columns }) => {
      const keys = columns.map(({ key }) => key);
      return keys.includes('adjustedPValue') && !keys.includes('pValue');
    })
    .map(({ id }) => id);
}

/** Every comparison that stands in a finding, and the way to it. */
function* comparisonsIn(value: unknown, path: string): Generator<{ readonly path: string; readonly one: Comparison }> {
  if (typeof value !== 'object' || value === null) return;
  const one = value as Partial<Comparison>;
  if (one.verdict !== undefined && one.difference !== undefined && one.test !== undefined)
    yield { path, one: one as Comparison };
  for (const [key, member] of Object.entries(value)) yield* comparisonsIn(member, `${path}.${key}`);
}

/** What has no verdict and does not say why: sentences of the answer, and comparisons that were tested. */
function openWithoutReason({ study, answer, sections }: Finding): string[] {
  const sentences = answer
    .filter(({ verdict, comparison }) => verdict === 'cannot tell' && comparison?.difference.value !== null)
    .filter(
      ({ text }) =>
        !/ (No verdict|The \w+ nearest to a verdict, [^:]+(:\d[^:]*)?): |^There is nothing to compare/.test(text),
    )
    .map(({ text }) => text);
  const comparisons = [...comparisonsIn({ answer, sections }, study.name)]
    .filter(({ one: { verdict, difference, pValue, open, reason } }) => {
      const why = open ?? reason ?? difference.reason;
      return verdict === 'cannot tell' && why === undefined && pValue !== null;
    })
    .map(({ path }) => path);
  return [...sentences, ...comparisons];
}

/** Studies that measure and count, in situations that give their tables more columns. */
const tabular: typeof situations = [
  {
    study: robustness as Study<never>,
    options: { conditions, ...few, corpusBy: 'accent', recorded: [{ name: 'west', where: { accent: 'west' } }] },
  },
  {
    study: disparity as Study<never>,
    options: { ...few, permutations: 1000, domains: { attribute: 'accent', values: ['north', 'south'] } },
  },
  {
    study: corpus as Study<never>,
    options: {
      coverage: { attributes: ['sex', 'accent'], corpusBy: 'sex' },
      card: { by: ['sex'], shares: ['accent'] },
    },
  },
  { study: threshold as Study<never>, options: { conditions: ['aequevox/noise'], design: 'grid', gridClips: 20 } },
  { study: faultWords as Study<never>, options: { conditions } },
];

for (const { study, options } of tabular) {
  test(`${study.name}: every column of a table has a name, no two rows are alike, and what is open says why`, async () => {
    const finding = await inventedRun(study, options, context, says, [], measured);
    assert.ok(finding.sections.some(({ tables }) => (tables ?? []).some(({ rows }) => rows.length > 1)));
    assert.deepEqual(unlabelled(finding), []);
    assert.deepEqual(correctedAlone(finding), []);
    assert.deepEqual(openWithoutReason(finding), []);
  });
}

const findings: Finding[] = [];

for (const { study, options } of situations) {
  test(`${study.name}: one quantity has one interval in all of its tables, charts and sentences`, async () => {
    const finding = await inventedRun(study, options, context, says, [], measured);
    findings.push(finding);
    // In passing: a report of it is of the documented form.
    const read = JSON.parse(renderJson({ ...sampleReport(), findings: [finding] }));
    assert.deepEqual(reportSchema.parse(read), read);
    assert.deepEqual(unlabelled(finding), []);
    assert.deepEqual(correctedAlone(finding), []);
    assert.deepEqual(openWithoutReason(finding), []);
    const { several, torn } = quantitiesIn([finding]);
    assert.deepEqual(torn, []);
    assert.ok(several > 0);
  });
}

test('One quantity has one interval in all studies of a run.', () => {
  assert.equal(findings.length, situations.length);
  const { inSeveralStudies, torn } = quantitiesIn(findings);
  assert.deepEqual(torn, []);
  // Rates of everybody and of groups.
  assert.ok(inSeveralStudies >= 10, `only ${inSeveralStudies} quantities are in several studies`);
});
