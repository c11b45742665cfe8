import { EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import type { StudyContext } from '../contract.ts';
import { asJson } from '../shared/as-json.ts';
import { listedConditions } from '../shared/chosen-conditions.ts';
import type { MetamorphicOptions, RelationOptions } from './options.ts';
import type { OutputRelation } from './output-relation.ts';

/** What must hold when a clip is changed in one of some ways. */
interface Relation {
  readonly name: string;
  readonly output: OutputRelation;
  /** Numbers of its conditions among all conditions of the study. */
  readonly conditions: readonly number[];
}

/** Everything that is asked about: each condition belongs to one relation. */
export interface Relations {
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
export async function chosenRelations(
  { profile, relations: own }: MetamorphicOptions,
  { ladders, soundNames }: Pick<StudyContext, 'ladders' | 'soundNames'>,
): Promise<Relations> {
  const conditions: Condition[] = [];
  const relationOf: number[] = [];
  const places = new Map<string, number>();
  const relations: Relation[] = [];
  for (const relation of own ?? (profile === 'sr-mt' ? publishedRelations : plainRelations)) {
    if (relations.some(({ name }) => name === relation.name)) {
      throw twice('relation', relation.name);
    }
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
  if (soundNames === undefined) throw new EarwitnessError('bad-config', 'noises: collections cannot be listed here');
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
      ? 'it means the sound as it is'
      : before && again && canonicalJson(asJson(before.steps)) === canonicalJson(asJson(again.steps))
        ? 'a condition belongs to one relation; take it out of the others'
        : 'give one of them another name';
  return new EarwitnessError(
    'bad-config',
    `expected each ${what} to have a name of its own, but ${JSON.stringify(name.slice(0, 100))} stands twice; ${meaning}`,
  );
}
