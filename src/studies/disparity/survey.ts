import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { StudyContext } from '../contract.ts';
import { createSpeakerClusters, type SpeakerClusters } from '../shared/speaker-clusters.ts';
import { unknownAttribute } from '../shared/unknown-attribute.ts';
import { attributeReader, type ReadAttribute } from './attribute-values.ts';
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
export interface Survey {
  readonly attributes: readonly SurveyedAttribute[];
  /** Attributes that were named but have one value alone: they divide nobody. */
  readonly undivided: readonly string[];
  readonly clusters: SpeakerClusters;
  /** What one speaker said under one profile: the unit that is counted, by speaker and profile. */
  readonly rows: { readonly clusters: readonly number[]; readonly profiles: readonly number[] };
  /** Each profile's values, one for each attribute, null where it is not known. */
  readonly profiles: readonly (readonly (string | null)[])[];
  /** Utterances by row. */
  readonly utterancesOf: readonly number[];
  /** With a reference, without one, and without a speaker (of those with a reference). */
  readonly scored: number;
  readonly skipped: number;
  readonly withoutSpeaker: number;
  rowOf(utterance: Utterance): number;
  readonly read: ReadAttribute;
}

/** An attribute of more values makes no groups, but a list of people. */
const mostValues = 60;

/** Where nobody says which attributes. */
const fewValues = 8;
const mostAttributes = 8;
const mostNames = 1000;

/**
 * Looks through the utterances with a reference: which attributes there are, and who has what.
 *
 * @throws EarwitnessError `bad-config` for an attribute that no utterance has or that has more than 60 values
 */
export async function surveyUtterances(options: DisparityOptions, context: StudyContext): Promise<Survey> {
  const read = attributeReader(options);
  const names = options.attributes ?? (await attributesOfFewValues(context, options, read));
  const clusters = createSpeakerClusters();
  const profileNumbers = new Map<string, number>();
  const profiles: (string | null)[][] = [];
  const rowNumbers = new Map<string, number>();
  const rows = { clusters: [] as number[], profiles: [] as number[] };
  const utterancesOf: number[] = [];
  const values = names.map(() => new Set<string>());
  const seen = new Set<string>();
  const counts = { scored: 0, skipped: 0, withoutSpeaker: 0 };

  const rowOf = (utterance: Utterance): number => {
    const own = names.map((name) => read(utterance, name));
    const profileKey = JSON.stringify(own);
    let profile = profileNumbers.get(profileKey);
    if (profile === undefined) {
      profile = profiles.push(own) - 1;
      profileNumbers.set(profileKey, profile);
    }
    const cluster = clusters.clusterOf(utterance);
    const key = `${cluster} ${profile}`;
    let row = rowNumbers.get(key);
    if (row === undefined) {
      row = rows.clusters.push(cluster) - 1;
      rows.profiles.push(profile);
      utterancesOf.push(0);
      rowNumbers.set(key, row);
    }
    return row;
  };

  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) {
      counts.skipped++;
      continue;
    }
    counts.scored++;
    if (utterance.speaker === undefined) counts.withoutSpeaker++;
    for (const name of Object.keys(utterance.attributes)) if (seen.size < mostNames) seen.add(name);
    const row = rowOf(utterance);
    utterancesOf[row]!++;
    for (const [place, value] of profiles[rows.profiles[row]!]!.entries()) {
      if (value === null) continue;
      values[place]!.add(value);
      if (values[place]!.size > mostValues) throw tooManyValues(names[place]!);
    }
  }
  if (counts.scored > 0) {
    values.forEach((known, place) => {
      if (known.size === 0) throw unknownAttribute('attributes', names[place]!, seen);
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
    clusters,
    rows,
    profiles,
    utterancesOf,
    ...counts,
    rowOf,
    read,
  };
}

/** Attributes with 2 to 8 values, and the pairs that the options name, in the order in which they first come. */
async function attributesOfFewValues(
  context: StudyContext,
  { pairs }: DisparityOptions,
  read: ReadAttribute,
): Promise<string[]> {
  const values = new Map<string, Set<string>>(Object.keys(pairs).map((name) => [name, new Set()]));
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    for (const name of [...Object.keys(pairs), ...Object.keys(utterance.attributes)]) {
      if (!values.has(name) && values.size < mostNames) values.set(name, new Set());
      const known = values.get(name);
      const value = read(utterance, name);
      if (known !== undefined && value !== null && known.size <= fewValues) known.add(value);
    }
  }
  return [...values]
    .filter(([, known]) => known.size >= 2 && known.size <= fewValues)
    .map(([name]) => name)
    .slice(0, mostAttributes);
}

function tooManyValues(name: string): EarwitnessError {
  return new EarwitnessError(
    'bad-config',
    `attributes: expected at most ${mostValues} values, but ${printable(JSON.stringify(name))} has more; divide numbers with bins, or name the values to keep apart under values`,
  );
}
