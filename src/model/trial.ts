import type { JsonObject } from '../base/json.ts';
import type { Utterance } from './utterance.ts';

/** One perturbation with its parameters. */
export interface Step {
  /** Name of a perturbation: `gain`, `white-noise`, … */
  readonly perturbation: string;
  readonly parameters: JsonObject;
}

/** Perturbations of the clip, in order. No steps: the clean sound. */
export interface Condition {
  /** Unique in a run. `clean`, a scenario's name `<ladder>/<family>:<rank>`, or a name from the config. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** For a rung of a ladder: which family it belongs to (`aequevox/noise`) and how severe it is, 1 the mildest. */
  readonly rung?: { readonly family: string; readonly rank: number; readonly label: string };
}

/**
 * What people call a condition: its family and how severe it is, or else its name.
 *
 * @example conditionInWords({ name: 'aequevox/noise:1', rung: { family: 'aequevox/noise', rank: 1, label: '10 dB' } }) // 'noise 10 dB'
 */
export function conditionInWords({ name, rung }: Pick<Condition, 'name' | 'rung'>): string {
  return rung === undefined ? name : `${familyInWords(rung.family)} ${rung.label}`;
}

const familyInWords = (family: string) => family.replace(/^.*\//, '');

/**
 * The same of several conditions and their families, by their names. Those that would be called alike say whose they are, and keep their names where
 * that is not enough.
 *
 * @example conditionsInWords([{ name: 'aequevox/noise:1', rung: { family: 'aequevox/noise', rank: 1, label: '10 dB' } }])['aequevox/noise'] // 'noise'
 */
export function conditionsInWords(
  conditions: readonly Pick<Condition, 'name' | 'rung'>[],
): Readonly<Record<string, string>> {
  const families = [...new Set(conditions.flatMap(({ rung }) => rung?.family ?? []))];
  const ladderOf = (family: string) => family.replace(/\/[^/]*$/, '');
  return {
    ...toldApart(families, familyInWords, ladderOf, (family) => family),
    ...toldApart(
      conditions,
      conditionInWords,
      ({ name, rung }) => (rung === undefined ? name : ladderOf(rung.family)),
      ({ name }) => name,
    ),
  };
}

/** What things are called, by their names: what whoever calls them says, with whose they are where several are called alike. */
function toldApart<One>(
  all: readonly One[],
  called: (one: One) => string,
  whose: (one: One) => string,
  named: (one: One) => string,
): Readonly<Record<string, string>> {
  const withOwner = (one: One) => `${called(one)} (${whose(one)})`;
  const [short, long] = [called, withOwner].map((how) => Map.groupBy(all, how));
  return Object.fromEntries(
    all.map((one) => {
      const isAlone = short!.get(called(one))!.length === 1;
      const isTold = long!.get(withOwner(one))!.length === 1;
      return [named(one), isAlone ? called(one) : isTold ? withOwner(one) : named(one)];
    }),
  );
}

/** The condition in which nothing is done. */
export const clean: Condition = { name: 'clean', steps: [] };

/** The rate in Hz at which perturbations are made where neither ladder nor config says another: that of published ladders. */
export const usualRateHz = 16_000;

/** The name of the step that sets it. */
const rateStep = 'sample-rate';

/** The rate in Hz that steps say they are made at; null where they say none. */
export function rateOf([first]: readonly Step[]): number | null {
  const rate = first?.perturbation === rateStep ? first.parameters.rateHz : null;
  return typeof rate === 'number' ? rate : null;
}

/**
 * Steps that are made at one rate, whatever that of a clip: a ratio of signal to noise, a share of a rate or a filter is another sound
 * at another rate, and no recognizer decides it, since all must hear the same. Steps that say their rate stay as they are, and so does
 * the clean sound.
 *
 * @example atRate([{ perturbation: 'gain', parameters: { factor: 2 } }], 8000)[0] // { perturbation: 'sample-rate', parameters: { rateHz: 8000 } }
 */
export function atRate(steps: readonly Step[], rateHz: number): readonly Step[] {
  if (steps.length === 0 || steps[0]!.perturbation === rateStep) return steps;
  return [{ perturbation: rateStep, parameters: { rateHz } }, ...steps];
}

/** Steps without the one that sets their rate. */
export function withoutRate(steps: readonly Step[]): readonly Step[] {
  return steps[0]?.perturbation === rateStep ? steps.slice(1) : steps;
}

/** One question to one recognizer. The sound depends on utterance, condition and draw alone. */
export interface Trial {
  readonly utterance: Utterance;
  readonly condition: Condition;
  /** From 0. Another draw makes the sound again with other random choices. */
  readonly draw: number;
  /** The name the recognizer has in this run. */
  readonly recognizer: string;
  /** From 0. Another repeat asks again about the same sound. */
  readonly repeat: number;
}

/** What one measure of quality says of a clip. */
export interface ClipQuality {
  /** By the names that the measure gives them, with units in them; null where the clip has none. */
  readonly values: Readonly<Record<string, number | null>>;
  /** Why a value is null: given exactly where one is. */
  readonly reason?: string;
}

/** What is true of a sound, whoever hears it. Stored once per clip. */
export interface ClipMeasurement {
  readonly durationSeconds: number;
  readonly sampleRate: number;
  /** Root mean square relative to full scale; null for digital silence, which has no level in decibels. */
  readonly levelDbfs: number | null;
  /** Share of samples at full scale, 0 to 1. */
  readonly clippedShare: number;
  /** What the perturbations say of what they did: asked and achieved SNR, which chunks were dropped, … by step. */
  readonly facts: readonly JsonObject[];
  /** SHA-256 of the samples (32-bit floats, little-endian) and the rate: sound made again can be checked. */
  readonly sampleHash: string;
  /** By measure, where quality was asked for. Each is stored by itself, so that another can be asked for later. */
  readonly quality?: Readonly<Record<string, ClipQuality>>;
}
