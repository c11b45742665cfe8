import { z } from 'zod';
import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { list, oneOf } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import { named, percent } from './wording.ts';

/** An attribute with more values divides people into too many groups: to be looked at unasked, and where somebody asked for it. */
export const maxGroupValues = { unasked: 8, asked: 100 } as const;
/** Attributes that are looked at where nobody says which. */
const maxAttributes = 8;
const maxNames = 1000;

/** Which attributes there are, and which of them have few values. */
export class SeenAttributes {
  readonly #values: Map<string, Set<string>>;

  /** @param first names that stand before those that are met */
  constructor(first: readonly string[] = []) {
    this.#values = new Map(first.map((name) => [name, new Set()]));
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#values.keys());
  }

  /** @param value null where the attribute is there, but its value is not to be counted */
  add(name: string, value: string | null): void {
    if (!this.#values.has(name) && this.#values.size < maxNames) this.#values.set(name, new Set());
    const known = this.#values.get(name);
    if (known !== undefined && value !== null && known.size <= maxGroupValues.unasked) known.add(value);
  }

  /** The first attributes with 2 to 8 values, in the order in which they came, but for some. */
  dividing(except: readonly string[] = []): string[] {
    return [...this.#values]
      .filter(([name, { size }]) => size >= 2 && size <= maxGroupValues.unasked && !except.includes(name))
      .map(([name]) => name)
      .slice(0, maxAttributes);
  }
}

/** The value of an utterance under an attribute's name; null where it has none. */
export type ReadAttribute = (utterance: Parameters<typeof attributeOf>[0], attribute: string) => string | null;

/** Reads attributes, numbers as the ranges that the option `bins` makes of them. */
export function attributeReader(bins: NumericBins): ReadAttribute {
  const binnings = new Map(Object.entries(bins).map(([name, chosen]) => [name, createBinning(chosen)]));
  return (utterance, name) => {
    const value = attributeOf(utterance, name);
    return value === undefined ? null : (binnings.get(name)?.(value) ?? value);
  };
}

/** Utterances with the ranges that the option `bins` makes in place of numbers. */
export function binning(bins: NumericBins): (utterance: Utterance) => Utterance {
  const makers = Object.entries(bins).map(([attribute, chosen]) => [attribute, createBinning(chosen)] as const);
  if (makers.length === 0) return (utterance) => utterance;
  return (utterance) => {
    const attributes = { ...utterance.attributes };
    for (const [attribute, bin] of makers) {
      if (Object.hasOwn(attributes, attribute)) attributes[attribute] = bin(attributes[attribute]!);
    }
    return { ...utterance, attributes };
  };
}

/**
 * Who is in no group, because nobody knows to which they belong.
 *
 * @param missing attributes that make groups, and utterances without each
 * @param of all utterances
 */
export function missingAttributeWarnings(
  missing: readonly { readonly attribute: string; readonly utterances: number }[],
  of: number,
): string[] {
  const known = missing
    .filter(({ utterances }) => utterances > 0)
    .map(
      ({ attribute, utterances }) =>
        `${named(attribute)} is not known for ${counted(utterances, 'utterance')} (${percent(utterances, of)})`,
    );
  return known.length === 0 ? [] : [`${known.join(', ')}: they are in no group of it.`];
}

/** Names that lists give to one thing, in lower case without separators. */
const alike: readonly (readonly string[])[] = [
  ['sex', 'gender'],
  ['age', 'agegroup', 'ageband', 'birthyear'],
  ['accent', 'accents', 'dialect', 'dialectregion', 'variety', 'region'],
  ['native', 'nativelanguage', 'firstlanguage', 'mothertongue', 'l1'],
  ['ethnicity', 'ethnicbackground', 'race'],
];
const maxSuggestedNames = 12;

/** What is said of an attribute that no utterance has. `where` is what named it: an option, or a study. */
export function unknownAttribute(where: string, name: string, known: ReadonlySet<string>): EarwitnessError {
  return badConfig(
    `${where}: expected attributes of the utterances, but none has ${printable(JSON.stringify(name))}; ${hintOf(name, known)}`,
  );
}

function hintOf(name: string, known: ReadonlySet<string>): string {
  const quoted = (text: string) => JSON.stringify(printable(text, 60));
  const meant = nearestName(name, known) ?? synonymOf(name, known);
  if (meant !== null) return `did you mean ${quoted(meant)}?`;
  if (known.size === 0) return 'they have no attributes at all';
  const names = [...known];
  const more = names.length > maxSuggestedNames ? `, and ${names.length - maxSuggestedNames} more` : '';
  return `they have ${names.slice(0, maxSuggestedNames).map(quoted).join(', ')}${more}`;
}

function synonymOf(name: string, known: ReadonlySet<string>): string | null {
  const plain = (text: string) => text.toLowerCase().replace(/[-_\s]/g, '');
  const family = alike.find((names) => names.includes(plain(name))) ?? [];
  return [...known].find((other) => family.includes(plain(other))) ?? null;
}

/** A range of a numeric attribute with the name that stands for it. */
interface Bin {
  readonly label: string;
  /** From the one before up to, not with, this number. */
  readonly below: number;
}

const everything = Number.POSITIVE_INFINITY;

/** Ranges of ages as published: FairLENS (ages of its subgroups), and its comparison with Casual Conversations (Appendix E). */
const presets: Readonly<Record<'fairlens' | 'casual-conversations', readonly Bin[]>> = {
  fairlens: [
    { label: 'teen (to 18)', below: 19 },
    { label: 'adult (19 to 55)', below: 56 },
    { label: 'senior (from 56)', below: everything },
  ],
  'casual-conversations': [
    { label: 'to 20', below: 21 },
    { label: '21 to 55', below: 56 },
    { label: 'from 56', below: everything },
  ],
};

/** The option that divides numeric attributes: by the name of a preset, or the numbers at which a new range begins. */
export const numericBinsOption = z.record(
  z.string(),
  z.union([
    oneOf(['fairlens', 'casual-conversations']),
    list(z.number(), 1, 100).refine(
      (starts) => starts.every((start, index) => index === 0 || start > starts[index - 1]!),
      {
        message: 'expected numbers that rise',
      },
    ),
  ]),
);

/** `bins` of studies that compare groups. */
export const groupBinsOption = numericBinsOption
  .default({})
  .describe('Numeric attributes in ranges: numbers at which a new range begins, or fairlens');

type NumericBins = Readonly<z.output<typeof numericBinsOption>>;

/**
 * Names the range in which a value lies. A value that is no number keeps its own name; a range holds its lower end.
 *
 * @example createBinning([19, 56])('27') // '19 to under 56'
 * @example createBinning('fairlens')('56') // 'senior (from 56)'
 */
export function createBinning(chosen: NumericBins[string]): (value: string) => string {
  const bins = typeof chosen === 'string' ? presets[chosen] : binsFrom(chosen);
  return (value) => {
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isNaN(number)) return value;
    return bins.find(({ below }) => number < below)?.label ?? value;
  };
}

function binsFrom(starts: readonly number[]): Bin[] {
  return [...starts, everything].map((below, index) => {
    const from = starts[index - 1];
    const label =
      from === undefined ? `under ${below}` : below === everything ? `from ${from}` : `${from} to under ${below}`;
    return { label, below };
  });
}
