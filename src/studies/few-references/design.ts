import { z } from 'zod';
import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { list, nonEmpty, oneOf, orNull, whole } from '../../base/option-kinds.ts';
import { printable, someOf } from '../../base/printable.ts';
import { createRandom } from '../../base/random.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { StudyContext, StudyRecognizer } from '../contract.ts';
import {
  attributeReader,
  groupBinsOption,
  type ReadAttribute,
  SeenAttributes,
  unknownAttribute,
} from '../shared/attributes.ts';
import { type BestKept, keepBest } from '../shared/examples.ts';
import { type GroupPair, groupPairs } from '../shared/group-pairs.ts';
import { intervalOptions, normalizerOption, referenceOption } from '../shared/options.ts';
import { createProfileRows, type ProfileRows } from '../shared/speaker-clusters.ts';

const attributeName = nonEmpty(200);

/** Options of the study `few-references`. */
export const fewReferencesOptions = z.strictObject({
  verdict: oneOf(['distance', 'majority', 'confidence'])
    .default('distance')
    .describe(
      'What replaces errors where there is no reference: mean edits against the other recognizers, edits against the words that most of them have, or missing confidence',
    ),
  judges: orNull(list(nonEmpty(200), 1, 64)).describe(
    'Recognizers whose transcripts the verdicts are made from; null: all others',
  ),
  groupBy: orNull(list(attributeName, 0, 16)).describe(
    'Attributes whose values are compared; null: every attribute with 2 to 8 values',
  ),
  bins: groupBinsOption,
  reference: referenceOption,
  share: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe(
      'Share of the references to use, drawn at random: the others are hidden, and the rates by all references are shown for comparison, to try how few are enough',
    ),
  strata: list(attributeName, 0, 4)
    .default([])
    .describe(
      'Attributes by which more of some recordings than of others were drawn for transcription; else at random',
    ),
  next: whole(0, 1000).default(50).describe('How many recordings to name that should be transcribed next'),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  level: intervalOptions.level,
  minimumSpeakers: intervalOptions.minimumSpeakers.describe(
    'With transcribed recordings of fewer speakers there is no interval and no verdict',
  ),
});

export type FewReferencesOptions = z.output<typeof fewReferencesOptions>;

/** A set of recordings that have a rate of their own. */
export interface Group {
  readonly attribute: string;
  readonly place: number;
  readonly value: string;
}

/** Whom and what is asked, and what is compared. */
export interface SampleDesign {
  /** As it is, and nothing else. */
  readonly conditions: readonly Condition[];
  readonly recognizers: readonly StudyRecognizer[];
  /** Of each recognizer those whose transcripts make its verdicts. */
  readonly judges: readonly (readonly number[])[];
  readonly survey: Survey;
  readonly groups: readonly Group[];
  readonly pairs: readonly GroupPair[];
}

/** @throws EarwitnessError `bad-config` for attributes, references or judges that do not exist */
export async function makeDesign(options: FewReferencesOptions, context: StudyContext): Promise<SampleDesign> {
  const names = context.recognizers.map(({ name }) => name);
  for (const judge of options.judges ?? []) {
    if (names.includes(judge)) continue;
    throw badConfig(
      `judges: expected recognizers of the config (${someOf(names, 12)}), but got ${printable(JSON.stringify(judge))}`,
    );
  }
  const wanted = names.flatMap((name, number) => (options.judges?.includes(name) === false ? [] : [number]));
  const survey = await surveyUtterances(options, context);
  const speakersOf = peopleOf(survey);
  return {
    conditions: [clean],
    recognizers: context.recognizers,
    judges: names.map((_, number) => wanted.filter((judge) => judge !== number)),
    survey,
    groups: [...speakersOf].flatMap(([attribute, values], place) =>
      [...values.keys()].sort().map((value) => ({ attribute, place, value })),
    ),
    pairs: groupPairs(speakersOf, options.reference),
  };
}

/** For each attribute that makes groups how many speakers have each of its values. */
function peopleOf({ groupBy, attributes, rows, profiles }: Survey): Map<string, Map<string, number>> {
  return new Map(
    groupBy.map((name) => {
      const place = attributes.indexOf(name);
      const people = new Map<string, Set<number>>();
      rows.profiles.forEach((profile, row) => {
        const value = profiles[profile]![place]!;
        if (value !== null) people.set(value, (people.get(value) ?? new Set()).add(rows.clusters[row]!));
      });
      return [name, new Map([...people].map(([value, own]) => [value, own.size]))];
    }),
  );
}

/** A recording without a reference, with its place in the random order: the greatest number first. */
interface Waiting {
  readonly id: string;
  readonly chance: number;
}

/** Who there is, and what is transcribed. Memory follows speakers and groups, not recordings. */
export interface Survey extends ProfileRows {
  /** Those that make groups, then those of the strata. */
  readonly attributes: readonly string[];
  readonly groupBy: readonly string[];
  readonly utterances: number;
  readonly transcribed: number;
  readonly withoutSpeaker: number;
  /** By profile. */
  readonly recordings: readonly number[];
  readonly references: readonly number[];
  /** Recordings without a reference in a random order, the first of each profile. */
  readonly waiting: readonly BestKept<Waiting>[];
  /** Whether it has a reference that is used. */
  isTranscribed(utterance: Utterance): boolean;
}

/** More profiles are a list of people. */
const maxProfiles = 5000;

/** @throws EarwitnessError `bad-config` for attributes that nobody has, or too many values */
async function surveyUtterances(options: FewReferencesOptions, context: StudyContext): Promise<Survey> {
  const read = attributeReader(options.bins);
  const seen = await seenAttributes(read, context);
  const names = seen.names;
  const groupBy = options.groupBy ?? seen.dividing();
  const attributes = [...new Set([...groupBy, ...options.strata])];
  for (const name of attributes)
    if (names.size > 0 && !names.has(name)) throw unknownAttribute('few-references', name, names);
  const profileRows = createProfileRows((utterance) => attributes.map((name) => read(utterance, name)));
  const { rows, profiles, rowOf } = profileRows;
  const recordings: number[] = [];
  const references: number[] = [];
  const waiting: BestKept<Waiting>[] = [];
  const counts = { utterances: 0, transcribed: 0, withoutSpeaker: 0 };
  const chanceOf = (use: string, { id }: Utterance) =>
    createRandom({ seed: context.seed, study: 'few-references', use, id }).next();
  const isTranscribed = (utterance: Utterance) =>
    utterance.reference !== undefined && (options.share === 1 || chanceOf('share', utterance) < options.share);
  for await (const utterance of context.utterances()) {
    const profile = rows.profiles[rowOf(utterance)]!;
    if (profiles.length > maxProfiles) throw tooManyValues(attributes);
    counts.utterances++;
    recordings[profile] = (recordings[profile] ?? 0) + 1;
    references[profile] ??= 0;
    waiting[profile] ??= keepBest(options.next);
    if (utterance.speaker === undefined) counts.withoutSpeaker++;
    if (isTranscribed(utterance)) {
      counts.transcribed++;
      references[profile]++;
    } else if (options.next > 0) {
      // A number that belongs to the recording alone: the order is random, and the same whatever else there is.
      const chance = chanceOf('next', utterance);
      waiting[profile].offer([chance], { id: utterance.id, chance });
    }
  }
  return {
    attributes,
    groupBy,
    ...profileRows,
    recordings,
    references,
    waiting,
    ...counts,
    isTranscribed,
  };
}

async function seenAttributes(read: ReadAttribute, context: StudyContext): Promise<SeenAttributes> {
  const seen = new SeenAttributes();
  for await (const utterance of context.utterances()) {
    for (const name of Object.keys(utterance.attributes)) seen.add(name, read(utterance, name));
  }
  return seen;
}

function tooManyValues(attributes: readonly string[]): EarwitnessError {
  return badConfig(
    `few-references: expected at most ${maxProfiles} combinations of ${attributes.map((name) => printable(name, 40)).join(', ')}, but there are more; name fewer attributes under groupBy, or divide numbers with bins`,
  );
}
