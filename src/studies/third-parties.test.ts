// What is said of two is said of two: a third group too small to be compared, or a third recognizer, changes nothing of it, whether it is
// there, is more, or answers nothing, but for the correction for many comparisons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import type { Cell, Finding, Table } from '../model/finding.ts';
import type { Utterance } from '../model/utterance.ts';
import { aequevox } from '../perturbations/ladders/aequevox.ts';
import { adversarial } from './adversarial/adversarial.ts';
import type { Study, StudyRecognizer } from './contract.ts';
import { corpus } from './corpus/corpus.ts';
import { degradation } from './degradation/degradation.ts';
import { differential } from './differential/differential.ts';
import { othersAnswer } from './differential/testing/invented-search.ts';
import { disparity } from './disparity/disparity.ts';
import { faultValidation } from './fault-validation/fault-validation.ts';
import { faultWords } from './fault-words/fault-words.ts';
import { fewReferences } from './few-references/few-references.ts';
import { gapDecomposition } from './gap-decomposition/gap-decomposition.ts';
import { hallucination } from './hallucination/hallucination.ts';
import { metamorphic } from './metamorphic/metamorphic.ts';
import { robustness } from './robustness/robustness.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  type OtherInvention,
  recognizerNamed,
  spoken,
} from './shared/testing/testing.ts';
import { soundQuality } from './sound-quality/sound-quality.ts';
import { threshold } from './threshold/threshold.ts';

/** How people and recognizers differ. */
interface World {
  readonly name: string;
  /** Of women and of men. */
  readonly speakers: readonly [number, number];
  readonly clips: number;
  /** What women are missed more, and what they lose more in noise. */
  readonly gap: number;
  readonly loss: number;
  /** Share of trials without an answer. */
  readonly missing: number;
}

const worlds: readonly World[] = [
  { name: 'equal groups', speakers: [12, 12], clips: 3, gap: 0, loss: 0, missing: 0 },
  { name: 'one group is missed more', speakers: [14, 11], clips: 2, gap: 0.3, loss: 0, missing: 0 },
  {
    name: 'one group loses more, some answers are missing',
    speakers: [10, 16],
    clips: 3,
    gap: 0,
    loss: 0.3,
    missing: 0.08,
  },
  { name: 'both, groups of unlike size', speakers: [10, 24], clips: 2, gap: 0.15, loss: 0.2, missing: 0.04 },
];

const words = Array.from({ length: 14 }, (_, place) => `word${place}`);
const few = 'islander';
const third = 'visitor';

const kindOf = ({ attributes }: Utterance) => attributes.sex;

/** Those of the third group stand among the others, the first of them first of all. */
function peopleOf({ speakers: [women, men], clips }: World): Utterance[] {
  const sexes = [
    few,
    ...Array.from({ length: Math.max(women, men) }, (_, place) => [
      ...(place < women ? ['female'] : []),
      ...(place < men ? ['male'] : []),
      ...(place === 3 || place === 5 ? [few] : []),
    ]).flat(),
  ];
  return sexes.flatMap((sex, number) =>
    Array.from({ length: clips }, (_, clip) => {
      const random = createRandom(['text', number, clip]);
      const length = 9 + random.integer(6);
      const text = Array.from({ length }, () => words[random.integer(words.length)]!).join(' ');
      return spoken(`s${number}c${clip}`, text, {
        speaker: `s${number}`,
        sound: { file: `s${number}c${clip}.wav` },
        attributes: { sex },
      });
    }),
  );
}

const chanceOf = (...of: readonly unknown[]) => createRandom(of.map(String)).next();

/** Every word is missed by chance, some trials are not answered. */
const says =
  ({ name, gap, loss, missing }: World): Invention =>
  ({ utterance, recognizer, condition, draw, repeat }) => {
    const place = [name, utterance.id, recognizer, condition.name, draw, repeat];
    if (chanceOf('missing', ...place) < missing) return failedWith('timeout');
    const random = createRandom(['says', ...place].map(String));
    const disturbed = condition.steps.length > 0;
    const female = kindOf(utterance) === 'female';
    const chance =
      0.06 +
      0.2 * chanceOf('speaker', name, utterance.speaker) +
      (recognizer === 'beta' ? 0.06 : 0) +
      (female ? gap : 0) +
      (disturbed ? 0.1 + 0.1 * chanceOf('condition', condition.name) + (female ? loss : 0) : 0);
    const text = utterance.reference ?? words.join(' ');
    return text
      .split(' ')
      .flatMap((word) => (random.next() > chance ? [word] : random.next() < 0.3 ? [] : ['x']))
      .join(' ');
  };

const measured: OtherInvention = (question) => {
  if (question.ask !== 'measurement') return othersAnswer(() => ({ determinable: 0.5, failing: 0.5 }))(question);
  const { name } = question.condition;
  const snrDb = Number(/(-?\d+) dB$/.exec(name)?.[1] ?? 0);
  return {
    ...question,
    measurement: {
      ...{ durationSeconds: 5, sampleRate: 16_000, levelDbfs: -28, clippedShare: 0, sampleHash: '' },
      facts: [{ perturbation: 'pgd', achievedSnrDb: snrDb }],
      quality: { invented: { values: { mos: 1 + 4 * chanceOf('mos', question.utterance.id, name) } } },
    },
  };
};

/** What may be changed of a world. */
interface Changed {
  readonly people: readonly Utterance[];
  readonly recognizers: readonly StudyRecognizer[];
  readonly invent: Invention;
}

type Change = (before: Changed, world: World) => Changed;

const isFew = (utterance: Utterance) => kindOf(utterance) === few;
const failing =
  (when: (trial: Parameters<Invention>[0]) => boolean): Change =>
  (before) => ({ ...before, invent: (trial) => (when(trial) ? failedWith('timeout') : before.invent(trial)) });
const changedFew =
  (change: (one: Utterance) => readonly Utterance[]): Change =>
  (before) => ({ ...before, people: before.people.flatMap((one) => (isFew(one) ? change(one) : [one])) });

const conditions = ['aequevox/noise:1', 'aequevox/noise:4', 'aequevox/clipping:2'];
const isHard = (name: string) =>
  name === 'aequevox/noise:4' || /(?: 10 dB| snrDb 10)$/.test(name) || name.startsWith('earwitness/');

/** What is done to the third group. */
const groupChanges: Readonly<Record<string, Change>> = {
  'it is not there': changedFew(() => []),
  'it has one speaker less': changedFew((one) => (one.speaker === 's0' ? [] : [one])),
  'it has one speaker more': changedFew((one) =>
    one.speaker === 's0' ? [one, { ...one, id: `${one.id}more`, speaker: 'more' }] : [one],
  ),
  'one clip of it is missing in one condition': failing(
    ({ utterance, condition }) => utterance.id === 's0c0' && isHard(condition.name),
  ),
  'it is never answered in one condition': failing(
    ({ utterance, condition }) => isFew(utterance) && isHard(condition.name),
  ),
  'one recognizer never answers it': failing(({ utterance, recognizer }) => isFew(utterance) && recognizer === 'beta'),
  'it is never answered': failing(({ utterance }) => isFew(utterance)),
  'its references are empty': changedFew((one) => [{ ...one, reference: '' }]),
  'it has no references': changedFew(({ reference: _, ...one }) => [one]),
  'nothing but silence is heard of it': (before) => ({
    ...before,
    invent: (trial) => (isFew(trial.utterance) ? '' : before.invent(trial)),
  }),
};

const visitor =
  (invent: Invention, of: (trial: Parameters<Invention>[0]) => ReturnType<Invention> | null): Invention =>
  (trial) =>
    trial.recognizer === third ? (of(trial) ?? invent(trial)) : invent(trial);
const withVisitor =
  (of: (trial: Parameters<Invention>[0]) => ReturnType<Invention> | null): Change =>
  (before) => ({
    ...before,
    // Between the others, whose order stays.
    recognizers: [before.recognizers[0]!, recognizerNamed(third), ...before.recognizers.slice(1)],
    invent: visitor(before.invent, of),
  });

/** What is done by a third recognizer. */
const recognizerChanges: Readonly<Record<string, Change>> = {
  'it is there': withVisitor(() => null),
  'it never answers': withVisitor(() => failedWith('timeout')),
  'it never answers women': withVisitor(({ utterance }) =>
    kindOf(utterance) === 'female' ? failedWith('error') : null,
  ),
  'it does not answer one clip': withVisitor(({ utterance }) => (utterance.id === 's1c0' ? failedWith('error') : null)),
  'it does not answer in one condition': withVisitor(({ condition }) =>
    isHard(condition.name) ? failedWith('error') : null,
  ),
  'it misses a speaker in two': withVisitor(({ utterance }) =>
    Number(utterance.speaker!.replace(/\D/g, '')) % 2 === 0 ? failedWith('error') : null,
  ),
  'it says nothing': withVisitor(() => ''),
};

interface Situation {
  readonly study: Study<never>;
  readonly options: object;
  /** Tables, columns of them (`table.column`) or columns of all (`.column`) whose numbers a third party does change by the method, and why. */
  readonly ofAll?: Readonly<Record<string, string>>;
  /** Why there is nothing to look at: no groups are compared, no recognizers, or all of it is of all together. */
  readonly lacks?: Readonly<Partial<Record<'group' | 'recognizer', string>>>;
  readonly prepare?: Change;
}

const noGroups = 'no groups of speakers are compared';
const violations = 'AequeVox counts violations against a group beside all other groups';
const fewResamples = { resamples: 100 };
const learned = 'what references are worth is learned from everybody, by the distances to all other recognizers';
const determinable = 'a text is determinable, and a failed test, where any of the recognizers gets it right';

const situations: readonly Situation[] = [
  {
    study: degradation as Study<never>,
    // Some conditions are at the ceiling: whoever loses everything moves a mean over everybody beyond it.
    options: { conditions, ...fewResamples, permutations: 400, groupBy: ['sex'], ceiling: 0.45 },
    ofAll: {
      'degradation-violations-sex-distance': violations,
      'degradation-violations-sex-word error rate': violations,
      'degradation-excess-sex-distance': violations,
      'degradation-excess-sex-word error rate': violations,
    },
  },
  {
    study: disparity as Study<never>,
    options: { ...fewResamples, permutations: 1000 },
    ofAll: {
      'disparity-groups.gap': 'it is the distance to everybody, who is of the third group too',
      'disparity-groups.pValue': 'it is of the group against everybody else',
      'disparity-group-failures': 'groups are beside everybody else',
      'disparity-pairs-fairness.wDiscovery': 'it is corrected for all pairs (false discovery rate)',
    },
  },
  { study: robustness as Study<never>, options: { conditions, ...fewResamples, groupBy: ['sex'] } },
  {
    study: metamorphic as unknown as Study<never>,
    options: {
      profile: 'sr-mt',
      relations: [{ name: 'R', conditions: conditions.slice(0, 2), output: 'equal' }],
      ...fewResamples,
    },
    lacks: { group: noGroups },
  },
  {
    study: adversarial as Study<never>,
    options: { attacks: ['pgd'], snrDb: [20, 10], groupBy: ['sex'], ...fewResamples },
  },
  { study: hallucination as Study<never>, options: { groupBy: ['sex'], ...fewResamples } },
  {
    study: threshold as Study<never>,
    options: {
      ...{
        conditions: [{ family: 'aequevox/noise', hardest: -10, mildest: 20, gridStep: 5 }],
        design: 'grid',
        gridClips: 12,
      },
      groupBy: ['sex'],
    },
  },
  {
    study: gapDecomposition as Study<never>,
    // How rare a word is a list says: without one all references do.
    options: {
      ...{ causes: ['rarity'], bent: false, equalize: [], frequencies: 'words.txt' },
      ...{ groupBy: ['sex'], reference: { sex: 'male' } },
    },
  },
  { study: faultWords as Study<never>, options: { conditions: ['aequevox/noise'], groupBy: ['sex'] } },
  {
    study: fewReferences as Study<never>,
    options: { groupBy: ['sex'], reference: { sex: 'male' } },
    ofAll: {
      '.powered': learned,
      '.varianceRatio': learned,
      '.weight': learned,
      '.worth': learned,
      '.pseudoAll': learned,
      '.pseudoSample': learned,
      'few-references-gaps.pValue': learned,
      'few-references-cells': 'what is best transcribed next is divided over all groups',
    },
    prepare: (before) => ({
      ...before,
      people: before.people.map((one) => {
        if (chanceOf('transcribed', one.id) < 0.6) return one;
        const { reference: _, ...rest } = one;
        return rest;
      }),
    }),
  },
  {
    study: faultValidation as Study<never>,
    options: {
      sentences: 10,
      words: { alpha: { robust: ['word1'], nonRobust: ['word2'] }, beta: { robust: ['word3'], nonRobust: ['word4'] } },
    },
    lacks: { group: noGroups },
  },
  {
    study: differential as unknown as Study<never>,
    options: { causes: 0 },
    ofAll: {
      'differential-result': determinable,
      'differential-recognizers': determinable,
      'differential-first': determinable,
      'differential-first-voices': determinable,
      'differential-rules': determinable,
      'differential-cases': determinable,
    },
    lacks: { group: noGroups, recognizer: determinable },
  },
  {
    study: corpus as Study<never>,
    options: { card: { by: ['sex'] } },
    lacks: { recognizer: 'it asks no recognizer' },
  },
  {
    study: soundQuality as Study<never>,
    options: { conditions, ...fewResamples },
    lacks: { group: noGroups, recognizer: 'it asks no recognizer' },
  },
];

async function find(
  { study, options, prepare }: Situation,
  world: World,
  change: Change | null,
  isBroken: (condition: { readonly name: string }) => boolean = () => false,
): Promise<Finding> {
  const recognizers = [
    recognizerNamed('alpha', { differentiable: true }),
    ...['beta', 'gamma'].map((name) => recognizerNamed(name)),
  ];
  const plain: Changed = { people: peopleOf(world), recognizers, invent: says(world) };
  const before = prepare?.(plain, world) ?? plain;
  const { people, recognizers: those, invent } = change?.(before, world) ?? before;
  const context = inventedContext(people, those, {
    ladders: [aequevox],
    quality: [{ name: 'invented', values: { mos: 'How good it sounds' }, needsClean: false }],
    predictors: ['text-features'],
    isRandom: async () => false,
    readText: async () => words.map((word, place) => `${word} ${10 + place ** 2}`).join('\n'),
  });
  const measure: OtherInvention = (question) =>
    question.ask === 'measurement' && isBroken(question.condition)
      ? { ...question, measurement: null, failure: { kind: 'sound', message: 'no' } }
      : measured(question);
  return inventedRun(study, options, context, invent, [], measure);
}

const found = new Map<string, Promise<Finding>>();

/** What is found where nobody is another, worked out once. */
function unspoiled(situation: Situation, world: World): Promise<Finding> {
  const key = `${situation.study.name}, ${world.name}`;
  const finding = found.get(key) ?? find(situation, world, null);
  found.set(key, finding);
  return finding;
}

/** Texts that tell no rows apart. */
const notLabels = new Set(['why', 'verdict', 'kept', 'over', 'front']);

const holds = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);

/** The numbers of a cell that the two own: value, interval, p by itself. */
function numbersOf(cell: Cell): unknown {
  if (typeof cell !== 'object' || cell === null) return cell;
  const { value, low, high } = 'difference' in cell ? cell.difference : cell;
  const rounded = (number: number | null) => (number === null ? null : Number(number.toPrecision(9)));
  const own = [value, low, high].map(rounded);
  return 'difference' in cell ? [...own, cell.pValue] : own;
}

/** Every number that stands in a row of those named, by table, labels of the row and column. */
function numbersAbout({ sections }: Finding, names: readonly string[], never: string): Map<string, unknown> {
  const all = new Map<string, unknown>();
  for (const table of sections.flatMap(({ tables }) => tables ?? [])) {
    const own = columnsAbout(table, never);
    const textual = own.filter(({ kind, key }) => (kind === 'text' || key === 'snrDb') && !notLabels.has(key));
    for (const row of table.rows) {
      // A column that is there only where something differs in it has `all` elsewhere.
      const labels = textual
        .map(({ key }) => String(row[key] ?? ''))
        .filter((label) => label !== '' && label !== 'all');
      if (labels.some((label) => holds(label, never))) continue;
      for (const column of own) {
        const { key, kind } = column;
        if (kind === 'verdict' || key === 'adjustedPValue' || textual.includes(column) || notLabels.has(key)) continue;
        if (![...labels, key].some((label) => names.some((name) => holds(label, name)))) continue;
        const place = `${table.id} | ${labels.join(' | ')} | ${key}`;
        const numbers = numbersOf(row[key] ?? null);
        if (numbers !== null) all.set(place, numbers);
      }
    }
  }
  return all;
}

function columnsAbout({ columns }: Table, never: string) {
  return columns.filter(({ key, label }) => !holds(key, never) && !holds(label, never));
}

/** Why a number may change, where the method says so. */
function isOfAll({ ofAll = {} }: Situation, place: string): boolean {
  const [table, ...labels] = place.split(' | ');
  return [table!, `${table}.${labels.at(-1)}`, `.${labels.at(-1)}`].some((key) => ofAll[key] !== undefined);
}

function differing(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>, situation: Situation) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((place) => {
    const [one, other] = [before, after].map((all) => JSON.stringify(all.get(place)));
    return one === other || isOfAll(situation, place) ? [] : [`${place}: ${one} became ${other}`];
  });
}

const kinds = [
  { of: 'group', changes: groupChanges, names: ['female', 'male'], never: few },
  { of: 'recognizer', changes: recognizerChanges, names: ['alpha', 'beta', 'gamma'], never: third },
] as const;

for (const situation of situations) {
  for (const { of, changes, names, never } of kinds) {
    const lacks = situation.lacks?.[of];
    for (const world of lacks === undefined ? worlds : worlds.slice(0, 1)) {
      const title = lacks === undefined ? 'changes nothing of two others' : `has no others: ${lacks}`;
      test(`${situation.study.name}: a third ${of} ${title} (${world.name})`, async () => {
        const before = numbersAbout(await unspoiled(situation, world), names, never);
        const own = [...before.keys()].filter((place) => !isOfAll(situation, place));
        if (lacks !== undefined) {
          assert.equal(own.length, 0);
          return;
        }
        assert.ok(own.length >= 8, `${own.length} numbers are looked at`);
        const changed: string[] = [];
        for (const [name, change] of Object.entries(changes)) {
          const after = numbersAbout(await find(situation, world, change), names, never);
          changed.push(...differing(before, after, situation).map((text) => `${name}: ${text}`));
        }
        assert.deepEqual(changed, [], `of ${before.size} numbers`);
      });
    }
  }
}

// Clips of a third condition that cannot be made or measured.
test('sound-quality: a third condition changes nothing of two others', async () => {
  const situation = situations.find(({ study }) => study.name === 'sound-quality')!;
  const others = [conditions[0]!, conditions[2]!];
  for (const world of worlds) {
    const before = numbersAbout(await unspoiled(situation, world), others, conditions[1]!);
    assert.ok(before.size >= 8);
    const without: Situation = { ...situation, options: { ...situation.options, conditions: others } };
    assert.deepEqual(
      differing(before, numbersAbout(await find(without, world, null), others, conditions[1]!), situation),
      [],
    );
    const broken = await find(situation, world, null, ({ name }) => name === conditions[1]);
    assert.deepEqual(differing(before, numbersAbout(broken, others, conditions[1]!), situation), []);
  }
});
