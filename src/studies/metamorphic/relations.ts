import { EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Ladder } from '../../perturbations/contract.ts';
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

/** MR-1 to MR-4 with the factors of the published data. */
const publishedRelations: readonly Wanted[] = [
  wanted('MR-1', ['sr-mt/noise']),
  wanted('MR-2', ['sr-mt/slow', 'sr-mt/fast']),
  wanted('MR-3', ['sr-mt/tone-up:1', 'sr-mt/tone-down:1']),
  wanted('MR-4', ['sr-mt/slow-noise']),
];

/**
 * The relations of the options with their conditions.
 *
 * @throws EarwitnessError `bad-config` for a scenario that does not exist, and for a name that stands twice
 */
export function chosenRelations(
  { profile, relations: own }: MetamorphicOptions,
  ladders: readonly Ladder[],
): Relations {
  const conditions: Condition[] = [];
  const relationOf: number[] = [];
  const places = new Map<string, number>();
  const relations: Relation[] = [];
  for (const relation of own ?? (profile === 'sr-mt' ? publishedRelations : plainRelations)) {
    if (relations.some(({ name }) => name === relation.name)) {
      throw twice('relation', relation.name);
    }
    const first = conditions.length;
    for (const condition of conditionsOf(relation, ladders)) {
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

function conditionsOf({ name, conditions, noises }: Wanted, ladders: readonly Ladder[]): Condition[] {
  return [...listedConditions(conditions, ladders), ...(noises === null ? [] : noiseConditions(name, noises))];
}

/** Every kind of noise at every ratio; the highest ratio is the mildest. */
function noiseConditions(relation: string, noises: NonNullable<RelationOptions['noises']>): Condition[] {
  const { sounds, kinds, resampled, steps } = noises;
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
