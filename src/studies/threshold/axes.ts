import { EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { type Condition, clean, type Step } from '../../model/condition.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import { type SearchSpace, searchSpace } from '../../statistics/psychometric/threshold-search.ts';
import { asJson } from '../shared/as-json.ts';
import { levelGrid } from './level-grid.ts';
import type { ThresholdOptions } from './options.ts';

/** One quantity that makes words harder to understand, and the levels that may be asked about. */
export interface Axis {
  readonly name: string;
  readonly parameter: string;
  /** Behind levels, ` dB`; may be empty. */
  readonly unit: string;
  readonly scale: 'linear' | 'logarithmic';
  /** Whether lower levels are harder (SNR) or higher ones (packets lost). */
  readonly harder: 'lower' | 'higher';
  /** In the axis' own units, mildest last: the share of right words rises along them. */
  readonly levels: readonly number[];
  /** Over the levels as `coordinate` has them. */
  readonly space: SearchSpace;
  condition(place: number): Condition;
  /** A level as the search counts: rising with the share of right words, logarithmic where the axis is. */
  coordinate(level: number): number;
  /** Back from there. */
  levelAt(coordinate: number): number;
}

interface Sweep {
  readonly name: string;
  readonly steps: readonly Step[];
  /** From 0. */
  readonly step: number;
  readonly parameter: string;
  readonly mildest: number;
  readonly hardest: number;
  readonly unit: string | null;
  readonly scale: 'linear' | 'logarithmic';
  readonly gridStep: number | null;
}

/**
 * The axes that the options name.
 *
 * @throws EarwitnessError `bad-config` for a family that does not exist or whose rungs do not differ in one number alone, ends
 *   that give no levels, names used twice
 */
export function chosenAxes(options: ThresholdOptions, ladders: readonly Ladder[]): Axis[] {
  const axes = options.conditions.map((wanted) => {
    const plain = { scale: 'linear', gridStep: null, unit: null, mildest: null, hardest: null } as const;
    if (typeof wanted === 'string') return axisOf(familySweep({ family: wanted, ...plain }, ladders), options);
    return axisOf('family' in wanted ? familySweep(wanted, ladders) : ownSweep(wanted), options);
  });
  const names = new Set<string>();
  for (const { name } of axes) {
    if (names.has(name) || name === clean.name)
      throw badAxis(name, 'a name of its own', 'another condition has it too', 'give it another');
    names.add(name);
  }
  return axes;
}

type OwnAxis = Extract<ThresholdOptions['conditions'][number], { readonly steps: unknown }>;
type FamilyAxis = Extract<ThresholdOptions['conditions'][number], { readonly family: string }>;

function ownSweep(own: OwnAxis): Sweep {
  if (own.step > own.steps.length) {
    const came = `there ${own.steps.length === 1 ? 'is one' : `are ${own.steps.length}`}`;
    throw badAxis(own.name, `a step ${own.step} to vary`, came, 'count from 1');
  }
  return { ...own, step: own.step - 1 };
}

/** A family whose rungs differ in one number of one step is an axis along that number. */
function familySweep(wanted: FamilyAxis, ladders: readonly Ladder[]): Sweep {
  const rungs = resolveScenario(wanted.family, ladders);
  const [first] = rungs;
  const last = rungs.at(-1)!;
  const places = first!.steps.flatMap(({ parameters }, step) =>
    Object.keys(parameters).map((parameter) => ({ step, parameter })),
  );
  const varied = places.filter(({ step, parameter }) => {
    const values = rungs.map(({ steps }) => canonicalJson((steps[step]?.parameters[parameter] ?? null) as Json));
    return new Set(values).size > 1;
  });
  const [place] = varied;
  const mildest = place && first!.steps[place.step]!.parameters[place.parameter];
  const hardest = place && last.steps[place.step]?.parameters[place.parameter];
  const shape = ({ steps }: Condition) => steps.map(({ perturbation }) => perturbation).join();
  const alike = rungs.every((rung) => shape(rung) === shape(first!));
  if (rungs.length < 2 || !alike || varied.length !== 1 || typeof mildest !== 'number' || typeof hardest !== 'number') {
    throw badAxis(
      wanted.family,
      'a family whose rungs differ in one number of one step',
      `its rungs differ in ${varied.length === 1 ? 'what is no number' : alike ? `${varied.length} parameters` : 'their steps'}`,
      'name another, or give steps, parameter, mildest and hardest of your own',
    );
  }
  return {
    name: wanted.family,
    steps: first!.steps,
    ...place!,
    mildest: wanted.mildest ?? mildest,
    hardest: wanted.hardest ?? hardest,
    unit: wanted.unit,
    scale: wanted.scale,
    gridStep: wanted.gridStep,
  };
}

function axisOf(sweep: Sweep, { target, of }: ThresholdOptions): Axis {
  const { name, steps, step, parameter, mildest, hardest, scale } = sweep;
  if (mildest === hardest || !Number.isFinite(mildest - hardest)) {
    throw badAxis(name, 'two levels, mildest and hardest', `both are ${mildest}`, 'set them apart');
  }
  if (scale === 'logarithmic' && !(Math.min(mildest, hardest) > 0)) {
    throw badAxis(name, 'logarithmic levels above 0', `one is ${Math.min(mildest, hardest)}`, 'make the axis linear');
  }
  const rising = levelGrid({ from: hardest, to: mildest, scale, step: sweep.gridStep });
  if (rising.length < 3 || rising.length > 1000) {
    throw badAxis(name, 'from 3 to 1000 levels between its ends', `there are ${rising.length}`, 'change gridStep');
  }
  const harder = hardest < mildest ? 'lower' : 'higher';
  const levels = harder === 'lower' ? rising : rising.toReversed();
  const sign = harder === 'lower' ? 1 : -1;
  const coordinate = (level: number) => sign * (scale === 'logarithmic' ? Math.log10(level) : level);
  const unit = sweep.unit === null ? unitOf(parameter) : sweep.unit === '' ? '' : ` ${sweep.unit}`;
  return {
    name,
    parameter,
    unit,
    scale,
    harder,
    levels,
    space: searchSpace({ levels: levels.map(coordinate), target, of }),
    condition: (place) => ({
      name: `${name} ${parameter} ${levels[place]!}`,
      steps: steps.map((one, index) =>
        index === step
          ? { perturbation: one.perturbation, parameters: withLevel(one.parameters, parameter, levels[place]!) }
          : one,
      ),
    }),
    coordinate,
    levelAt: (value) => (scale === 'logarithmic' ? 10 ** (sign * value) : sign * value),
  };
}

function withLevel(parameters: JsonObject, parameter: string, level: number): JsonObject {
  return asJson({ ...parameters, [parameter]: level }) as JsonObject;
}

const units: readonly (readonly [ending: string, unit: string])[] = [
  ['Db', ' dB'],
  ['Dbfs', ' dBFS'],
  ['Hz', ' Hz'],
  ['Seconds', ' s'],
  ['Ms', ' ms'],
];

/** How names of parameters end that have units. */
export const unitEndings: readonly string[] = units.map(([ending]) => ending);

/** Units stand in the names of parameters. */
function unitOf(parameter: string): string {
  return units.find(([ending]) => parameter.endsWith(ending))?.[1] ?? '';
}

function badAxis(name: string, expected: string, came: string, toDo: string): EarwitnessError {
  return new EarwitnessError(
    'bad-config',
    `condition ${JSON.stringify(printable(name))}: expected ${expected}, but ${came}; ${toDo}`,
  );
}
