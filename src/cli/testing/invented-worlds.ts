import { createRandom } from '../../base/random.ts';
import { studies } from '../../catalog.ts';
import type { Finding } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { srb } from '../../perturbations/ladders/srb.ts';
import { find, hears, speak, texts } from '../../studies/differential/testing/invented-search.ts';
import {
  failedWith,
  harder,
  type Invention,
  inventedContext,
  inventedMeasurement,
  inventedRun,
  recognizerNamed,
  spoken,
} from '../../studies/shared/testing/testing.ts';

export const words = Array.from({ length: 14 }, (_, place) => `word${place}`);

/** Two recordings each of speakers of both sexes and so many accents; with `few`, every third has a reference. */
function peopleOf(speakers: number, accents: number, clips = 2): Utterance[] {
  return Array.from({ length: clips * speakers }, (_, place) => {
    const number = Math.floor(place / clips);
    return spoken(`u${place}`, words.join(' '), {
      speaker: `s${number}`,
      sound: { file: `${place}.wav` },
      attributes: { sex: number % 2 === 0 ? 'female' : 'male', accent: `region${number % accents}` },
    });
  });
}

/** Of recordings that nobody transcribed the same is said. */
export const saidIn = ({ reference }: Utterance) => reference?.split(' ') ?? words;

/** Words are missed by chance: by some recognizers, of some speakers and in some conditions more than others. */
const garbled =
  (chanceOf: (trial: Trial) => number): Invention =>
  (trial) => {
    const random = createRandom([trial.utterance.id, trial.recognizer, trial.condition.name, trial.draw]);
    const chance = chanceOf(trial);
    return saidIn(trial.utterance)
      .map((word) => (random.next() > chance ? word : 'x'))
      .join(' ');
  };

const usual = garbled(
  ({ recognizer, utterance, condition }) =>
    0.15 * (harder(recognizer) + harder(utterance.speaker!) + harder(condition.name)) +
    (/^(pgd|kenansville)/.test(condition.name) ? 0.35 : 0),
);

/** Who speaks, and what is heard. */
export interface World {
  readonly recognizers: number;
  readonly people: readonly Utterance[];
  readonly says: Invention;
}

export const worlds: Readonly<Record<string, World>> = {
  'many recognizers': {
    recognizers: 7,
    people: peopleOf(24, 3),
    // The first serves everybody alike; the last but one is known to be unequal, the others more or less.
    says: garbled(({ recognizer, utterance, condition }) => {
      const number = Number(recognizer.slice(6));
      const unequal = utterance.attributes.sex === 'female' ? 0.05 * (number - 1) : 0;
      return 0.1 + unequal + (condition.steps.length > 0 ? 0.1 * harder(condition.name) : 0);
    }),
  },
  'many groups': { recognizers: 3, people: peopleOf(72, 6, 1), says: usual },
  'ties and zeros': {
    recognizers: 3,
    people: peopleOf(24, 3),
    // Two are never wrong, and the third misses the same word of everybody.
    says: ({ recognizer, utterance }) => {
      const [, ...rest] = saidIn(utterance);
      return recognizer === 'engine3' ? ['x', ...rest].join(' ') : saidIn(utterance).join(' ');
    },
  },
  'few speakers': { recognizers: 2, people: peopleOf(3, 2, 6), says: usual },
  failures: {
    recognizers: 4,
    people: peopleOf(24, 3),
    // One never answers, one hardly ever where it is noisy, and one leaves women out.
    says: (trial): string | Observation => {
      const { recognizer, utterance, condition } = trial;
      if (recognizer === 'engine4') return failedWith('crash');
      if (recognizer === 'engine3' && condition.steps.length > 0 && harder(utterance.id) < 0.8)
        return failedWith('timeout');
      if (recognizer === 'engine2' && utterance.attributes.sex === 'female' && harder(utterance.id) < 0.6)
        return failedWith('garbage');
      return usual(trial);
    },
  },
  'one recognizer': {
    recognizers: 1,
    people: peopleOf(24, 3),
    says: garbled(
      ({ utterance, condition }) =>
        0.05 + (utterance.attributes.sex === 'female' ? 0.15 : 0) + 0.2 * harder(condition.name),
    ),
  },
};

export const conditions = ['aequevox/noise:1', 'aequevox/noise:4', 'aequevox/clipping:2'];
const few = { resamples: 100 };
const optionsOf: Readonly<Record<Exclude<keyof typeof studies, 'differential'>, readonly object[]>> = {
  adversarial: [{ snrDb: [20, 10], ...few, groupBy: ['sex'] }, {}],
  corpus: [
    {},
    { coverage: { attributes: ['sex', 'accent'], corpusBy: 'sex' }, card: { by: ['sex'], shares: ['accent'] } },
  ],
  degradation: [
    { conditions, ...few, permutations: 1000, groupBy: ['sex', 'accent'] },
    {
      conditions,
      ...few,
      permutations: 1000,
      groupBy: ['accent'],
      profile: 'aequevox',
      reference: { accent: 'region1' },
    },
  ],
  disparity: [
    { ...few, permutations: 1000 },
    { ...few, permutations: 1000, profile: 'fairlens', conditions },
  ],
  'fault-validation': [
    { sentences: 10, words: { engine1: { robust: ['word0'], nonRobust: ['word1'] } } },
    { sentences: 10, words: { engine1: { robust: ['word2'], nonRobust: ['word9'] } } },
    {
      sentences: 20,
      minimumWords: 2,
      ...few,
      words: {
        engine1: { robust: ['word0', 'word2'], nonRobust: ['word1', 'word3'] },
        engine2: { robust: ['word1', 'word2'], nonRobust: ['word0', 'word3'] },
      },
    },
  ],
  'fault-words': [{ conditions: ['aequevox/noise'], groupBy: ['sex'] }],
  'few-references': [{ groupBy: ['sex'] }, { groupBy: ['accent'], reference: { accent: 'region1' } }],
  'gap-decomposition': [
    { causes: ['rarity'], bent: false, equalize: [], groupBy: ['sex'] },
    { causes: ['rarity', 'level'], groupBy: ['accent'], reference: { accent: 'region1' } },
    { groupBy: ['sex'], attributes: { accent: 'delivery' }, conditions: [conditions[2]] },
  ],
  hallucination: [{ ...few, groupBy: ['sex'] }],
  metamorphic: [
    {
      profile: 'sr-mt',
      relations: [{ name: 'R', conditions: conditions.slice(0, 2), output: 'equal' }],
      ...few,
    },
    { relations: [{ name: 'R', conditions, output: 'equal' }], ...few },
  ],
  robustness: [
    { conditions, ...few, groupBy: ['sex', 'accent'] },
    { conditions: ['srb/gnoise'], ...few, groupBy: ['sex'] },
  ],
  'sound-quality': [
    { conditions, ...few },
    { conditions, ...few, validity: { measure: 'invented', atLeast: 3 }, minimumSpeakers: 5 },
  ],
  threshold: [
    { maxTrials: 48, groupBy: ['sex'] },
    {
      ...{ design: 'grid', gridClips: 12, of: 'clean', groupBy: ['sex'], people: ['engine2'], minimumSpeakers: 5 },
      conditions: [
        { family: 'srb/lowpass', scale: 'logarithmic' },
        { family: 'srb/gnoise', gridStep: 5 },
      ],
    },
  ],
};

/** Of what is heard fewer words remain the less there is over noise, or below a cut-off; how few depends on recognizer and speaker. */
const strained =
  (says: Invention): Invention =>
  (trial) => {
    const heard = says(trial);
    const parameters = trial.condition.steps.flatMap((step) => Object.entries(step.parameters));
    const { snrDb, lowPassHz } = Object.fromEntries(parameters) as Readonly<Record<string, number>>;
    if (typeof heard !== 'string' || (snrDb === undefined && lowPassHz === undefined)) return heard;
    const { recognizer, utterance, condition } = trial;
    const needed =
      6 * (harder(recognizer) + harder(utterance.speaker!)) + (utterance.attributes.sex === 'female' ? 3 : 0);
    const kept = 1 / (1 + Math.exp((needed - (snrDb ?? 10 * Math.log2(lowPassHz! / 1000))) / 2));
    const random = createRandom(['strained', utterance.id, recognizer, condition.name]);
    return heard
      .split(' ')
      .map((word) => (random.next() < kept ? word : 'x'))
      .join(' ');
  };

const noiseLevel = {
  name: 'noise-level',
  values: { snrDb: 'ratio', noiseDbfs: 'noise', speechDbfs: 'speech' },
  needsClean: false,
};

/** What each study finds in a world, by each of its options above. */
export async function findingsOf(name: keyof typeof studies, { recognizers, people, says }: World): Promise<Finding[]> {
  const engines = Array.from({ length: recognizers }, (_, place) =>
    recognizerNamed(`engine${place + 1}`, place === 0 ? { differentiable: true } : {}),
  );
  if (name === 'differential') {
    const hear: Invention = (trial) =>
      trial.recognizer === 'engine2' ? hears({ ...trial, recognizer: 'deaf' }) : hears(trial);
    return [await find({ replicates: 2 }, speak(texts.slice(0, 60)), hear, { recognizers: engines })];
  }
  const study = (await studies[name].load()) as never;
  const known = people.map((one, place) => {
    const { reference: _, ...rest } = one;
    if (name === 'few-references') return place % 2 === 0 ? one : rest;
    // One word of each is looked for there.
    return name === 'fault-validation' ? { ...rest, reference: `say word${place % 4} now` } : one;
  });
  const context = inventedContext(known, engines, {
    ladders: [aequevox, earwitness, srb],
    quality: [
      { name: 'invented', values: { mos: 'How good it sounds' }, needsClean: false },
      ...(name === 'gap-decomposition' ? [noiseLevel] : []),
    ],
    isRandom: async () => false,
  });
  const findings: Finding[] = [];
  // Who is not in this world cannot be asked about.
  const possible = optionsOf[name].filter((options) => recognizers > 1 || !JSON.stringify(options).includes('engine2'));
  for (const options of possible)
    findings.push(
      await inventedRun(study, options, context, name === 'threshold' ? strained(says) : says, [], inventedMeasurement),
    );
  return findings;
}
