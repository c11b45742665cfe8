import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { createRandom } from '../../base/random.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { StudyContext } from '../contract.ts';
import { type BestKept, keepBest } from '../shared/best-kept.ts';
import { createBinning } from '../shared/numeric-bins.ts';
import { createSpeakerClusters, type SpeakerClusters } from '../shared/speaker-clusters.ts';
import { unknownAttribute } from '../shared/unknown-attribute.ts';
import type { FewReferencesOptions } from './options.ts';

/** A recording without a reference, with its place in the random order: the greatest number first. */
interface Waiting {
  readonly id: string;
  readonly chance: number;
}

/** Who there is, and what is transcribed. Memory follows speakers and groups, not recordings. */
export interface Survey {
  /** Those that make groups, then those of the strata. */
  readonly attributes: readonly string[];
  readonly groupBy: readonly string[];
  readonly clusters: SpeakerClusters;
  /** What one speaker said under one profile: the unit that is counted. */
  readonly rows: { readonly clusters: readonly number[]; readonly profiles: readonly number[] };
  /** Each profile's values, one for each attribute, null where it is not known. */
  readonly profiles: readonly (readonly (string | null)[])[];
  readonly utterances: number;
  readonly transcribed: number;
  readonly withoutSpeaker: number;
  /** By profile. */
  readonly recordings: readonly number[];
  readonly references: readonly number[];
  /** Recordings without a reference in a random order, the first of each profile. */
  readonly waiting: readonly BestKept<Waiting>[];
  rowOf(utterance: Utterance): number;
  /** Whether it has a reference that is used. */
  isTranscribed(utterance: Utterance): boolean;
}

/** More profiles are a list of people. */
const mostProfiles = 5000;

const mostNames = 1000;

/** @throws EarwitnessError `bad-config` for attributes that nobody has, or too many values */
export async function surveyUtterances(options: FewReferencesOptions, context: StudyContext): Promise<Survey> {
  const { names, dividing } = await attributesOf(options, context);
  const groupBy = options.groupBy ?? dividing;
  const attributes = [...new Set([...groupBy, ...options.strata])];
  for (const name of attributes)
    if (names.size > 0 && !names.has(name)) throw unknownAttribute('few-references', name, names);
  const read = reader(options);
  const clusters = createSpeakerClusters();
  const profileNumbers = new Map<string, number>();
  const rowNumbers = new Map<string, number>();
  const profiles: (string | null)[][] = [];
  const rows = { clusters: [] as number[], profiles: [] as number[] };
  const recordings: number[] = [];
  const references: number[] = [];
  const waiting: BestKept<Waiting>[] = [];
  const counts = { utterances: 0, transcribed: 0, withoutSpeaker: 0 };
  const chanceOf = (use: string, { id }: Utterance) =>
    createRandom({ seed: context.seed, study: 'few-references', use, id }).next();
  const isTranscribed = (utterance: Utterance) =>
    utterance.reference !== undefined && (options.share === 1 || chanceOf('share', utterance) < options.share);
  const rowOf = (utterance: Utterance): number => {
    const own = attributes.map((name) => read(utterance, name));
    const profileKey = JSON.stringify(own);
    let profile = profileNumbers.get(profileKey);
    if (profile === undefined) {
      profile = profiles.push(own) - 1;
      if (profile === mostProfiles) throw tooManyValues(attributes);
      profileNumbers.set(profileKey, profile);
      recordings.push(0);
      references.push(0);
      waiting.push(keepBest(options.next));
    }
    const cluster = clusters.clusterOf(utterance);
    const key = `${cluster} ${profile}`;
    let row = rowNumbers.get(key);
    if (row === undefined) {
      row = rows.clusters.push(cluster) - 1;
      rows.profiles.push(profile);
      rowNumbers.set(key, row);
    }
    return row;
  };
  for await (const utterance of context.utterances()) {
    const profile = rows.profiles[rowOf(utterance)]!;
    counts.utterances++;
    recordings[profile]!++;
    if (utterance.speaker === undefined) counts.withoutSpeaker++;
    if (isTranscribed(utterance)) {
      counts.transcribed++;
      references[profile]!++;
    } else if (options.next > 0) {
      // A number that belongs to the recording alone: the order is random, and the same whatever else there is.
      const chance = chanceOf('next', utterance);
      waiting[profile]!.offer([chance], { id: utterance.id, chance });
    }
  }
  return {
    attributes,
    groupBy,
    clusters,
    rows,
    profiles,
    recordings,
    references,
    waiting,
    ...counts,
    rowOf,
    isTranscribed,
  };
}

function reader({ bins }: FewReferencesOptions): (utterance: Utterance, name: string) => string | null {
  const binnings = new Map(Object.entries(bins).map(([name, chosen]) => [name, createBinning(chosen)]));
  return ({ attributes }, name) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name]! : null;
    return value === null ? null : (binnings.get(name)?.(value) ?? value);
  };
}

/** All names, and those with 2 to 8 values. */
async function attributesOf(options: FewReferencesOptions, context: StudyContext) {
  const read = reader(options);
  const values = new Map<string, Set<string>>();
  for await (const utterance of context.utterances()) {
    for (const name of Object.keys(utterance.attributes)) {
      if (!values.has(name) && values.size < mostNames) values.set(name, new Set());
      const known = values.get(name);
      const value = read(utterance, name);
      if (known !== undefined && value !== null && known.size <= 8) known.add(value);
    }
  }
  const dividing = [...values].filter(([, { size }]) => size >= 2 && size <= 8).map(([name]) => name);
  return { names: new Set(values.keys()), dividing: dividing.slice(0, 8) };
}

function tooManyValues(attributes: readonly string[]): EarwitnessError {
  return new EarwitnessError(
    'bad-config',
    `few-references: expected at most ${mostProfiles} combinations of ${attributes.map((name) => printable(name, 40)).join(', ')}, but there are more; name fewer attributes under groupBy, or divide numbers with bins`,
  );
}
