import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import { asJson, type JsonObject } from '../../base/json.ts';
import { createRandom, type Random } from '../../base/random.ts';
import { counted } from '../../base/wording.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { drawsOf, listedConditions } from '../shared/options.ts';

import type { MetamorphicOptions, OutputRelation, RelationOptions } from './options.ts';

/** Whom and what a study asks. Recognizers, conditions and relations have numbers from here on. */
export interface RelationDesign extends Relations {
  readonly recognizers: readonly StudyRecognizer[];
  readonly utteranceCount: number;
  /** Utterances whose sound is appended in some relation, by id. */
  readonly appended: readonly string[];
  readonly maxDraws: number;
  draws(condition: number, recognizer: number): number;
  /** How often a clean clip is recognized, the first time included, and where not every clip is, for which. */
  readonly recognitions: number;
  /** By recognizer: numbers of the utterances that are checked; null: all of them. */
  readonly checked: readonly (ReadonlySet<number> | null)[];
  /** By recognizer: whether it hears a clip once, as people do (the fact `people`). */
  readonly once: readonly boolean[];
  /**
   * Which recognition of the clean clip a condition is compared with. One after another in the profile sr-mt, whose program
   * recognized every clip anew for each condition; else, and of people, the first.
   */
  source(condition: number, recognizer: number): number;
}

/**
 * @throws EarwitnessError `bad-config` for scenarios that do not exist and names that stand twice
 */
export async function makeDesign(
  options: MetamorphicOptions,
  context: StudyContext,
  utteranceCount: number,
): Promise<RelationDesign> {
  const { recognizers } = context;
  const relations = await chosenRelations(options, context);
  const drawn = await drawsOf(relations.conditions, options.draws, context);
  const anew = options.profile === 'sr-mt';
  const once = recognizers.map(({ facts }) => facts.people !== undefined);
  const sample = () =>
    sampledIndexes(
      utteranceCount,
      options.identity.sample,
      createRandom({ seed: context.seed, study: 'metamorphic', what: 'identity sample' }),
    );
  return {
    ...relations,
    recognizers,
    utteranceCount,
    appended: [
      ...new Set(
        relations.relations.flatMap(({ output }) =>
          typeof output === 'object' && 'followedBy' in output ? [output.followedBy] : [],
        ),
      ),
    ],
    maxDraws: Math.max(1, ...drawn),
    draws: (condition, recognizer) => (recognizers[recognizer]!.input === 'names' ? 1 : drawn[condition]!),
    recognitions: anew ? relations.conditions.length : 1 + options.identity.repeats,
    checked: recognizers.map(({ facts }) => (!anew && facts.deterministic === true ? sample() : null)),
    once,
    source: (condition, recognizer) => (anew && !once[recognizer] ? condition : 0),
  };
}

/** How often the clean clip of an utterance is recognized. */
function recognitionsOf(design: RelationDesign, recognizer: number, utteranceNumber: number): number {
  const isOnce = design.once[recognizer] || design.checked[recognizer]?.has(utteranceNumber) === false;
  return isOnce ? 1 : design.recognitions;
}

/**
 * What must be known before anything else: whether recognizers that declare themselves deterministic are, and what is heard
 * in the utterances that are appended to others. Null where there is nothing to ask.
 */
export function firstBatch(design: RelationDesign, context: StudyContext): Batch | null {
  const declared = design.checked.some((checked) => checked !== null) && design.recognitions > 1;
  if (!declared && design.appended.length === 0) return null;
  return { about: 'identity control on a sample', size: null, questions: () => firstQuestions(design, context) };
}

async function* firstQuestions(design: RelationDesign, context: StudyContext): AsyncGenerator<Question> {
  let number = 0;
  for await (const utterance of context.utterances()) {
    const isAppended = design.appended.includes(utterance.id);
    for (const [recognizer, { name }] of design.recognizers.entries()) {
      const checked = design.checked[recognizer]?.has(number) ? design.recognitions : 0;
      for (let repeat = 0; repeat < Math.max(checked, isAppended ? 1 : 0); repeat++) {
        yield { ask: 'recognition', trial: { utterance, condition: clean, draw: 0, recognizer: name, repeat } };
      }
    }
    number++;
  }
}

/** Everything else, utterance by utterance, clean first; recognizers innermost, so that a clip is made once. */
export function mainBatch(design: RelationDesign, context: StudyContext): Batch {
  const { recognizers, conditions, utteranceCount, checked, once } = design;
  let size = 0;
  let each = 0;
  for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
    const some = checked[recognizer];
    const recognitions = once[recognizer] ? 1 : design.recognitions;
    size += some ? utteranceCount + some.size * (recognitions - 1) : utteranceCount * recognitions;
    for (let condition = 0; condition < conditions.length; condition++) each += design.draws(condition, recognizer);
  }
  return {
    about: `clean clips and ${counted(conditions.length, 'condition')}`,
    size: size + each * utteranceCount,
    questions: () => questions(design, context),
  };
}

async function* questions(design: RelationDesign, context: StudyContext): AsyncGenerator<Question> {
  let number = 0;
  for await (const utterance of context.utterances()) {
    yield* questionsOf(design, utterance, number++);
  }
}

function* questionsOf(design: RelationDesign, utterance: Utterance, number: number): Generator<Question> {
  const { recognizers, conditions, maxDraws, recognitions } = design;
  for (let repeat = 0; repeat < recognitions; repeat++) {
    for (const [index, { name: recognizer }] of recognizers.entries()) {
      if (repeat >= recognitionsOf(design, index, number)) continue;
      yield { ask: 'recognition', trial: { utterance, condition: clean, draw: 0, recognizer, repeat } };
    }
  }
  for (const [place, condition] of conditions.entries()) {
    for (let draw = 0; draw < maxDraws; draw++) {
      for (const [index, { name: recognizer }] of recognizers.entries()) {
        if (draw >= design.draws(place, index)) continue;
        yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer, repeat: 0 } };
      }
    }
  }
}

/** What must hold when a clip is changed in one of some ways. */
interface Relation {
  readonly name: string;
  readonly output: OutputRelation;
  /** Numbers of its conditions among all conditions of the study. */
  readonly conditions: readonly number[];
}

/** Everything that is asked about: each condition belongs to one relation. */
interface Relations {
  readonly relations: readonly Relation[];
  /** Without clean. */
  readonly conditions: readonly Condition[];
  /** By condition: the number of its relation. */
  readonly relationOf: readonly number[];
}

type Wanted = Omit<RelationOptions, 'noises'> & { readonly noises: RelationOptions['noises'] };

const wanted = (name: string, conditions: Wanted['conditions'], output: OutputRelation = 'equal'): Wanted => ({
  name,
  conditions,
  noises: null,
  output,
});

/** Relations that need no collection of noises. */
const plainRelations: readonly Wanted[] = [
  wanted('white noise', ['earwitness/gnoise']),
  wanted('tempo', ['earwitness/tempo_up:1', 'earwitness/tempo_down:1']),
  wanted('pitch', ['earwitness/pitch_up:1', 'earwitness/pitch_down:1']),
  wanted('silence', [
    {
      name: 'half a second of silence around it',
      steps: [{ perturbation: 'pad-silence', parameters: { beforeSeconds: 0.5, afterSeconds: 0.5 } }],
    },
  ]),
  wanted(
    'repetition',
    [{ name: 'said twice', steps: [{ perturbation: 'repeat-sound', parameters: { times: 2, pauseSeconds: 0.5 } }] }],
    { repeated: 2 },
  ),
];

/** Every file of the collection that the config calls so is a kind, mixed as the published program does. */
function publishedNoise(name: string, snrDb: number[], steps: NonNullable<RelationOptions['noises']>['steps']): Wanted {
  const noises = { sounds: 'noisex-92', kinds: 'files' as const, snrDb, steps, resampled: false };
  return { name, conditions: [], noises, output: 'equal' };
}

/** MR-1 to MR-4 with the factors of the published data. */
const publishedRelations: readonly Wanted[] = [
  publishedNoise('MR-1', [50, 30, 10, 0], []),
  wanted('MR-2', ['sr-mt/slow', 'sr-mt/fast']),
  wanted('MR-3', ['sr-mt/tone-up:1', 'sr-mt/tone-down:1']),
  publishedNoise('MR-4', [10], [{ perturbation: 'wsola', parameters: { rate: null, durationFactor: 1.25 } }]),
];

/**
 * The relations of the options with their conditions.
 *
 * @throws EarwitnessError `bad-config` for a scenario that does not exist, and for a name that stands twice
 */
async function chosenRelations(
  { profile, relations: own }: MetamorphicOptions,
  { ladders, soundNames }: Pick<StudyContext, 'ladders' | 'soundNames'>,
): Promise<Relations> {
  const conditions: Condition[] = [];
  const relationOf: number[] = [];
  const places = new Map<string, number>();
  const relations: Relation[] = [];
  for (const relation of own ?? (profile === 'sr-mt' ? publishedRelations : plainRelations)) {
    if (relations.some(({ name }) => name === relation.name)) throw twice('relation', relation.name);
    const first = conditions.length;
    const kinds = relation.noises === null ? {} : await kindsOf(relation.noises, soundNames);
    for (const condition of conditionsOf(relation, ladders, kinds)) {
      if (condition.name === clean.name || places.has(condition.name)) {
        throw twice('condition', condition.name, conditions[places.get(condition.name) ?? -1], condition);
      }
      places.set(condition.name, conditions.length);
      relationOf.push(relations.length);
      conditions.push(condition);
    }
    const numbers = Array.from({ length: conditions.length - first }, (_, index) => first + index);
    relations.push({ name: relation.name, output: relation.output, conditions: numbers });
  }
  return { relations, conditions, relationOf };
}

type Kinds = Readonly<Record<string, JsonObject>>;

function conditionsOf({ name, conditions, noises }: Wanted, ladders: readonly Ladder[], kinds: Kinds): Condition[] {
  return [...listedConditions(conditions, ladders), ...(noises === null ? [] : noiseConditions(name, noises, kinds))];
}

/** Kinds of noise by name with the facts of their sounds; where each file is one, `babble.wav` is babble. */
async function kindsOf(
  { kinds, sounds }: NonNullable<RelationOptions['noises']>,
  soundNames: StudyContext['soundNames'],
): Promise<Kinds> {
  if (kinds !== 'files') return kinds;
  if (soundNames === undefined) throw badConfig('noises: collections cannot be listed here');
  const files = await soundNames(sounds);
  const short = files.map((file) => file.replace(/^.*\//, '').replace(/\.[A-Za-z0-9]{1,5}$/, ''));
  const isOnly = (name: string) => short.indexOf(name) === short.lastIndexOf(name);
  return Object.fromEntries(files.map((file, place) => [isOnly(short[place]!) ? short[place]! : file, { name: file }]));
}

/** Every kind of noise at every ratio; the highest ratio is the mildest. */
function noiseConditions(relation: string, noises: NonNullable<RelationOptions['noises']>, kinds: Kinds): Condition[] {
  const { sounds, resampled, steps } = noises;
  const ratios = [...new Set(noises.snrDb)].sort((a, b) => b - a);
  return Object.entries(kinds).flatMap(([kind, select]) =>
    ratios.map((snrDb, index): Condition => {
      const parameters = { sounds, snrDb, start: 'random', resampled, channel: 'mean', select };
      return {
        name: `${relation}/${kind}:${index + 1}`,
        steps: [...steps, { perturbation: 'sound-noise', parameters }],
        rung: { family: `${relation}/${kind}`, rank: index + 1, label: `${snrDb} dB` },
      };
    }),
  );
}

function twice(what: string, name: string, before?: Condition, again?: Condition): EarwitnessError {
  const meaning =
    name === clean.name
      ? 'it means unchanged audio'
      : before && again && canonicalJson(asJson(before.steps)) === canonicalJson(asJson(again.steps))
        ? 'a condition belongs to one relation; take it out of the others'
        : 'give one of them another name';
  return badConfig(
    `expected each ${what} to have a name of its own, but ${JSON.stringify(name.slice(0, 100))} stands twice; ${meaning}`,
  );
}

/**
 * So many of the numbers from 0 to `count - 1`, each set alike likely (R. Floyd's algorithm, Communications of the ACM 30(9),
 * 1987); all of them where there are no more.
 */
export function sampledIndexes(count: number, size: number, random: Random): ReadonlySet<number> {
  const chosen = new Set<number>();
  for (let last = Math.max(0, count - size); last < count; last++) {
    const drawn = random.integer(last + 1);
    chosen.add(chosen.has(drawn) ? last : drawn);
  }
  return chosen;
}
