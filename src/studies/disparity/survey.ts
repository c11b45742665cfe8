import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { StudyContext } from '../contract.ts';
import {
  attributeReader,
  createBinning,
  type ReadAttribute,
  SeenAttributes,
  unknownAttribute,
} from '../shared/attributes.ts';
import { createProfileRows, type ProfileRows } from '../shared/speaker-clusters.ts';
import type { DisparityOptions } from './options.ts';

/** An attribute and who has it. */
export interface SurveyedAttribute {
  readonly name: string;
  /** In the order of their code units. */
  readonly values: readonly string[];
  /** Utterances and speakers for whom it is not known. */
  readonly missing: { readonly utterances: number; readonly speakers: number };
}

/** Who there is, before anything is asked: so groups are fixed before any transcript is seen. */
export interface Survey extends ProfileRows {
  readonly attributes: readonly SurveyedAttribute[];
  /** Attributes that were named but have one value alone: they divide nobody. */
  readonly undivided: readonly string[];
  /** Utterances by row. */
  readonly utterancesOf: readonly number[];
  /** With a reference, without one, and without a speaker (of those with a reference). */
  readonly scored: number;
  readonly skipped: number;
  readonly withoutSpeaker: number;
  readonly read: ReadAttribute;
}

/** An attribute of more values makes no groups, but a list of people. */
const maxValues = 60;

/**
 * Looks through the utterances with a reference: which attributes there are, and who has what.
 *
 * @throws EarwitnessError `bad-config` for an attribute that no utterance has or that has more than 60 values
 */
export async function surveyUtterances(options: DisparityOptions, context: StudyContext): Promise<Survey> {
  const read = attributeValues(options);
  const names = options.attributes ?? (await attributesOfFewValues(context, options, read));
  const profileRows = createProfileRows((utterance) => names.map((name) => read(utterance, name)));
  const { rows, profiles, rowOf } = profileRows;
  const utterancesOf: number[] = [];
  const values = names.map(() => new Set<string>());
  const seen = new SeenAttributes();
  const counts = { scored: 0, skipped: 0, withoutSpeaker: 0 };
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) {
      counts.skipped++;
      continue;
    }
    counts.scored++;
    if (utterance.speaker === undefined) counts.withoutSpeaker++;
    for (const name of Object.keys(utterance.attributes)) seen.add(name, null);
    const row = rowOf(utterance);
    utterancesOf[row] = (utterancesOf[row] ?? 0) + 1;
    for (const [place, value] of profiles[rows.profiles[row]!]!.entries()) {
      if (value === null) continue;
      values[place]!.add(value);
      if (values[place]!.size > maxValues) throw tooManyValues(names[place]!);
    }
  }
  if (counts.scored > 0) {
    values.forEach((known, place) => {
      if (known.size === 0) throw unknownAttribute('attributes', names[place]!, seen.names);
    });
  }
  const attributes = names.map((name, place): SurveyedAttribute => {
    const without = rows.profiles.flatMap((profile, row) => (profiles[profile]![place] === null ? [row] : []));
    return {
      name,
      values: [...values[place]!].sort(),
      missing: {
        utterances: without.reduce((sum, row) => sum + utterancesOf[row]!, 0),
        speakers: new Set(without.map((row) => rows.clusters[row]!)).size,
      },
    };
  });
  return {
    attributes,
    undivided: attributes.filter(({ values: own }) => own.length === 1).map(({ name }) => name),
    ...profileRows,
    utterancesOf,
    ...counts,
    read,
  };
}

/** Attributes with 2 to 8 values, and the pairs that the options name, in the order in which they first come. */
async function attributesOfFewValues(
  context: StudyContext,
  { pairs }: DisparityOptions,
  read: ReadAttribute,
): Promise<string[]> {
  const seen = new SeenAttributes(Object.keys(pairs));
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    for (const name of [...Object.keys(pairs), ...Object.keys(utterance.attributes)]) {
      seen.add(name, read(utterance, name));
    }
  }
  return seen.dividing();
}

function tooManyValues(name: string): EarwitnessError {
  return new EarwitnessError(
    'bad-config',
    `attributes: expected at most ${maxValues} values, but ${printable(JSON.stringify(name))} has more; divide numbers with bins, or name the values to keep apart under values`,
  );
}

/** What stands for values that are not kept apart. */
const otherValue = 'Other';

/**
 * Reads attributes as the options want them: a pair's two values joined in the order of their code units, numbers as
 * ranges, values that are not kept apart as Other.
 */
function attributeValues({ bins, pairs, values }: DisparityOptions): ReadAttribute {
  const binnings = new Map(Object.entries(bins).map(([name, chosen]) => [name, createBinning(chosen)]));
  const kept = new Map(Object.entries(values).map(([name, list]) => [name, new Set(list)]));
  const single = attributeReader(bins);
  return (utterance, name) => {
    let value: string | null;
    if (Object.hasOwn(pairs, name)) {
      const { of, mixed } = pairs[name]!;
      const both = of.map((attribute) => {
        const own = single(utterance, attribute);
        return own === null ? null : (binnings.get(name)?.(own) ?? own);
      });
      if (both.includes(null)) return null;
      const [one, other] = (both as string[]).sort();
      value = one === other || mixed ? `${one}-${other}` : otherValue;
    } else {
      value = single(utterance, name);
    }
    if (value === null) return null;
    return kept.get(name)?.has(value) === false ? otherValue : value;
  };
}
