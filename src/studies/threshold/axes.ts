import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import { asJson, type Json, type JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { type Condition, clean, type Step } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import { type SearchSpace, searchSpace } from '../../statistics/psychometric/threshold-search.ts';
import type { ThresholdOptions } from './options.ts';

/** Preferred numbers R40 (ISO 3): 40 to a decade, about 6 % apart. */
const preferred = Array.from({ length: 40 }, (_, place) => Number((10 ** (place / 40)).toPrecision(3)));

const maxLevels = 50;

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
  return badConfig(`condition ${JSON.stringify(printable(name))}: expected ${expected}, but ${came}; ${toDo}`);
}

/**
 * The levels between two ends that a search may ask about, rising. They lie on a grid that does not depend on the ends, so
 * that other searches ask about the same sounds and answers can be used again: multiples of a round step, or preferred numbers.
 *
 * @throws RangeError for logarithmic levels that are not above 0
 * @example levelGrid({ from: -20, to: 30, scale: 'linear', step: null }) // -20, -19, … 30
 */
export function levelGrid(wanted: {
  readonly from: number;
  readonly to: number;
  readonly scale: 'linear' | 'logarithmic';
  readonly step: number | null;
}): number[] {
  const low = Math.min(wanted.from, wanted.to);
  const high = Math.max(wanted.from, wanted.to);
  if (wanted.scale === 'logarithmic') {
    if (!(low > 0)) throw new RangeError(`expected logarithmic levels above 0, but got ${low}`);
    const levels: number[] = [];
    for (let decade = Math.floor(Math.log10(low)); decade <= Math.ceil(Math.log10(high)); decade++) {
      for (const number of preferred) {
        const level = Number((number * 10 ** decade).toPrecision(3));
        if (level >= low * (1 - 1e-9) && level <= high * (1 + 1e-9)) levels.push(level);
      }
    }
    return levels;
  }
  const step = wanted.step ?? roundStep((high - low) / maxLevels);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) =>
    Number(((first + place) * step).toPrecision(12)),
  );
}

/** The least of 1, 2 and 5 times a power of ten that is not below a number. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9))!;
  return Number((factor * power).toPrecision(12));
}
