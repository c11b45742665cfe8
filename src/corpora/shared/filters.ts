import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { someOf } from '../../base/printable.ts';
import { unspaced } from '../../base/scripts.ts';
import { isWantedValue, type Utterance } from '../../model/utterance.ts';

/** What an attribute must be: a text, one of several, any but some, or a number in a range (both ends belong to it). */
export type Wanted =
  | string
  | readonly string[]
  | { readonly not: readonly string[] }
  | { readonly min?: number | undefined; readonly max?: number | undefined };

/** Names that stand for fields of the utterance and not for attributes. */
const fields: Readonly<Record<string, (utterance: Utterance) => readonly string[]>> = {
  id: (utterance) => [utterance.id],
  speaker: (utterance) => (utterance.speaker === undefined ? [] : [utterance.speaker]),
  language: (utterance) => [utterance.language],
  tag: (utterance) => utterance.tags,
  words: ({ reference }) => (reference === undefined ? [] : [String(countWords(reference))]),
};

/** Values remembered of each attribute that is asked for, so that the nearest can be named. */
const maxValues = 1000;

/** Attribute names remembered; hostile lists can have a new one on each line. */
const maxNames = 10_000;

const unspacedText = new RegExp(`[${unspaced}]`, 'u');
/** A character that is a word, with its marks, or a word or number beside such. Their punctuation is no word. */
const unspacedWord = new RegExp(`(?!\\p{P})[${unspaced}]\\p{M}*|[^${unspaced}\\p{P}\\p{S}]+`, 'gu');

/** Words of a reference as written, between blanks; where nobody writes blanks, each character. */
function countWords(reference: string): number {
  const parts = reference.match(/\S+/g) ?? [];
  return parts.reduce((sum, part) => sum + (unspacedText.test(part) ? (part.match(unspacedWord)?.length ?? 0) : 1), 0);
}

/** What an utterance has under a name: an attribute, or `id`, `speaker`, `language`, `tag`, `words`. Attributes come first. */
export function valuesOf(utterance: Utterance, name: string): readonly string[] {
  if (Object.hasOwn(utterance.attributes, name)) return [utterance.attributes[name]!];
  return Object.hasOwn(fields, name) ? fields[name]!(utterance) : [];
}

/** Filters that count, so that an empty selection can be explained. */
export interface Filters {
  /** Whether an utterance passes all of them. */
  passes(utterance: Utterance): boolean;
  /** Call when all utterances were seen and none was left. */
  explainEmpty(): EarwitnessError;
  /** Call when all utterances were seen. @throws EarwitnessError `bad-config`: a name that none of them has */
  checkNames(names: Iterable<string>): void;
}

/** Filters for one pass over a corpus. */
export function createFilters(where: Readonly<Record<string, Wanted>>): Filters {
  const filters = Object.entries(where).map(([name, wanted]) => ({
    name,
    wanted,
    seen: new Set<string>(),
    reached: 0,
    passed: 0,
  }));
  const names = new Set<string>();
  let total = 0;

  const checkNames = (asked: Iterable<string>) => {
    for (const name of asked) {
      if (names.has(name) || total === 0) continue;
      const known = [...names];
      const nearest = nearestName(name, [...known, ...Object.keys(fields)]);
      const hint =
        nearest !== null
          ? `did you mean "${nearest}"?`
          : known.length === 0
            ? 'they have no attributes at all'
            : `they have ${someOf(known)}`;
      throw badConfig(`select: no utterance has the attribute "${name}"; ${hint}`);
    }
  };

  return {
    passes(utterance) {
      total++;
      for (const name of Object.keys(utterance.attributes)) if (names.size < maxNames) names.add(name);
      for (const name of Object.keys(fields)) {
        if (!names.has(name) && valuesOf(utterance, name).length > 0) names.add(name);
      }
      for (const filter of filters) {
        const values = valuesOf(utterance, filter.name);
        filter.reached++;
        for (const value of values) if (filter.seen.size < maxValues) filter.seen.add(value);
        const isWanted: IsWanted = (value, wanted) =>
          isWantedValue(utterance, filter.name, value, wanted, 'select.where.language');
        if (!fits(values, filter.wanted, isWanted)) return false;
        filter.passed++;
      }
      return true;
    },
    checkNames,
    explainEmpty() {
      checkNames(filters.map(({ name }) => name));
      const emptied = filters.find(({ passed }) => passed === 0);
      if (total === 0 || emptied === undefined) return badConfig('select: the corpus has no utterances to select from');
      const { name, wanted, reached, seen } = emptied;
      return badConfig(
        `select: nothing is left, because none of the ${reached} utterances ${reached < total ? 'that passed the filters before it ' : ''}has ${name} ${shown(wanted)}; ${hintFor(wanted, seen)}`,
      );
    },
  };
}

/** Whether a value is what is wanted of it. */
type IsWanted = (value: string, wanted: string) => boolean;

/** An unwanted value must not be among several (tags); where there is none at all, nothing fits. */
function fits(values: readonly string[], wanted: Wanted, isWanted: IsWanted): boolean {
  const unwanted = typeof wanted === 'object' && 'not' in wanted;
  const fitting = (value: string) => matches(value, wanted, isWanted);
  return values.length > 0 && (unwanted ? values.every(fitting) : values.some(fitting));
}

function matches(value: string, wanted: Wanted, isWanted: IsWanted): boolean {
  if (typeof wanted === 'string') return isWanted(value, wanted);
  if (isList(wanted)) return wanted.some((one) => isWanted(value, one));
  if ('not' in wanted) return value.trim() !== '' && !wanted.not.some((one) => isWanted(value, one));
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return number >= (wanted.min ?? Number.NEGATIVE_INFINITY) && number <= (wanted.max ?? Number.POSITIVE_INFINITY);
}

function isList(wanted: Wanted): wanted is readonly string[] {
  return Array.isArray(wanted);
}

function shown(wanted: Wanted): string {
  if (typeof wanted === 'string') return JSON.stringify(wanted);
  if (isList(wanted)) return `one of ${wanted.map((value) => JSON.stringify(value)).join(', ')}`;
  if ('not' in wanted) return `other than ${wanted.not.map((value) => JSON.stringify(value)).join(', ')}`;
  return `from ${wanted.min ?? 'any number'} to ${wanted.max ?? 'any number'}`;
}

function hintFor(wanted: Wanted, seen: ReadonlySet<string>): string {
  const values = [...seen].sort();
  if (values.length === 0) return 'they have no value there';
  if (typeof wanted === 'string' || isList(wanted)) {
    for (const value of typeof wanted === 'string' ? [wanted] : wanted) {
      const nearest = nearestName(value, values);
      if (nearest !== null) return `did you mean ${JSON.stringify(nearest)}?`;
    }
    return `they have ${values
      .slice(0, 10)
      .map((value) => JSON.stringify(value.slice(0, 50)))
      .join(', ')}`;
  }
  if ('not' in wanted) return 'they have no other value';
  const numbers = values.map(Number).filter(Number.isFinite);
  if (numbers.length === 0) return `its values are no numbers (${JSON.stringify(values[0]!.slice(0, 50))}, …)`;
  return `its numbers go from ${numbers.reduce((a, b) => Math.min(a, b))} to ${numbers.reduce((a, b) => Math.max(a, b))}`;
}
