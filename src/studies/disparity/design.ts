import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { attributeCombinations } from '../../statistics/intersectional-coverage.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import {
  attributeReader,
  createBinning,
  type ReadAttribute,
  SeenAttributes,
  unknownAttribute,
} from '../shared/attributes.ts';
import { chosenConditions } from '../shared/options.ts';
import { groupShortages, unitOf } from '../shared/shortages.ts';
import { createProfileRows, type ProfileRows } from '../shared/speaker-clusters.ts';
import { listed, named } from '../shared/wording.ts';
import type { DisparityOptions } from './options.ts';

/** Whom and what is asked, and which groups are looked at. */
export interface DisparityDesign {
  readonly recognizers: readonly StudyRecognizer[];
  /** Clean first. */
  readonly conditions: readonly Condition[];
  /** Recordings or conditions in which the same groups are compared, the one compared with first; empty for none. */
  readonly domains: readonly string[];
  /** The domain of a trial; null: it lies in none. */
  domainOf(utterance: Utterance, condition: string): string | null;
  readonly survey: Survey;
  readonly subgroups: readonly Subgroup[];
  /** Of these the places of those that are counted. */
  readonly counted: readonly number[];
  /** What so few speakers of a group cannot show, whatever they are answered. */
  readonly shortages: readonly string[];
}

/** @throws EarwitnessError `bad-config` for attributes, domains or conditions that do not exist */
export async function makeDesign(options: DisparityOptions, context: StudyContext): Promise<DisparityDesign> {
  const conditions = chosenConditions(options.conditions, context.ladders);
  const survey = await surveyUtterances(options, context);
  const subgroups = subgroupsOf(survey, options);
  const { domains, minimumSpeakers } = options;
  const order = Math.min(...subgroups.map(({ attributes }) => attributes.length));
  const sizes = subgroups
    .filter(
      ({ attributes, values }) => attributes.length === order && !values.some((one) => options.other.includes(one)),
    )
    .map((group) => ({ attribute: null, value: groupWords(group), speakers: group.speakers }));
  if (domains !== null) await requireDomains(domains, survey, context);
  return {
    recognizers: context.recognizers,
    conditions,
    domains: domains?.values ?? (conditions.length > 1 ? conditions.map(({ name }) => name) : []),
    domainOf(utterance, condition) {
      if (domains === null) return conditions.length > 1 ? condition : null;
      const value = survey.read(utterance, domains.attribute);
      return value !== null && domains.values.includes(value) ? value : null;
    },
    survey,
    subgroups,
    shortages: groupShortages(sizes, minimumSpeakers, survey.clusters),
    counted: subgroups.flatMap((group, place) => (group.counted ? [place] : [])),
  };
}

async function requireDomains(
  { attribute, values }: NonNullable<DisparityOptions['domains']>,
  { read, scored }: Survey,
  context: StudyContext,
): Promise<void> {
  if (scored === 0) return;
  const missing = new Set(values);
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    const value = read(utterance, attribute);
    if (value !== null) missing.delete(value);
    if (missing.size === 0) return;
  }
  throw badConfig(
    `domains: expected utterances of ${JSON.stringify(attribute)} ${JSON.stringify([...missing][0])}, but there are none; see what there is with the study corpus`,
  );
}

/** One batch for everything, utterance by utterance, recognizers innermost, so that a clip is made once. */
export function designedBatch(design: DisparityDesign, context: StudyContext): Batch {
  const { recognizers, conditions, survey } = design;
  const asked = conditions.length === 1 ? 'clean' : `clean and ${counted(conditions.length - 1, 'condition')}`;
  return {
    about: [asked, ...design.shortages].join('. '),
    size: survey.scored * conditions.length * recognizers.length,
    questions: async function* (): AsyncGenerator<Question> {
      for await (const utterance of context.utterances()) {
        if (utterance.reference === undefined) continue;
        for (const condition of conditions) {
          for (const { name: recognizer } of recognizers) {
            yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer, repeat: 0 } };
          }
        }
      }
    },
  };
}

/** An attribute and who has it. */
interface SurveyedAttribute {
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
async function surveyUtterances(options: DisparityOptions, context: StudyContext): Promise<Survey> {
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
  return badConfig(
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

/** Everybody who has certain values of one to three attributes. */
export interface Subgroup {
  readonly attributes: readonly string[];
  readonly values: readonly string[];
  /** `female`, or `female × 19 to 55`. */
  readonly name: string;
  /** Places of its profiles in the survey. */
  readonly profiles: readonly number[];
  readonly utterances: number;
  /** Speakers, and utterances whose speaker nobody knows. */
  readonly speakers: number;
  /** Whether it enters disparities and tests; otherwise `why` says why not. */
  readonly counted: boolean;
  readonly why: string | null;
}

/** More groups than this nobody can read. */
const maxGroups = 2000;

/** The orders that the options (or their profile) mean, as far as there are attributes for them. */
function ordersOf({ orders, profile }: DisparityOptions, attributes: number): number[] {
  const wanted = orders ?? (profile === 'fairlens' ? [2] : [1, 2]);
  const possible = [...new Set(wanted)].filter((order) => order <= attributes).sort((a, b) => a - b);
  return possible.length === 0 && attributes > 0 ? [1] : possible;
}

/**
 * All groups that occur, attributes in the order of the options, values in that of their code units.
 *
 * @throws EarwitnessError `bad-config` for more than 2,000
 */
function subgroupsOf(survey: Survey, options: DisparityOptions): Subgroup[] {
  const places = new Map(survey.attributes.map(({ name }, place) => [name, place]));
  const divided = survey.attributes.filter(({ values }) => values.length > 1).map(({ name }) => name);
  const speakers = survey.profiles.map(() => new Set<number>());
  const utterances = new Float64Array(survey.profiles.length);
  survey.rows.profiles.forEach((profile, row) => {
    speakers[profile]!.add(survey.rows.clusters[row]!);
    utterances[profile]! += survey.utterancesOf[row]!;
  });
  const groups = ordersOf(options, divided.length).flatMap((order) =>
    attributeCombinations(divided, order).flatMap((attributes) => {
      const members = new Map<string, { values: readonly string[]; profiles: number[] }>();
      survey.profiles.forEach((profile, number) => {
        const values = attributes.flatMap((name) => profile[places.get(name)!] ?? []);
        if (values.length < attributes.length) return;
        const key = JSON.stringify(values);
        const known = members.get(key);
        if (known) known.profiles.push(number);
        else members.set(key, { values, profiles: [number] });
      });
      return [...members.values()]
        .sort((a, b) => byValues(a.values, b.values))
        .map(({ values, profiles }): Subgroup => {
          const people = new Set(profiles.flatMap((profile) => [...speakers[profile]!])).size;
          const why = values.some((value) => options.other.includes(value))
            ? 'shown, but not counted'
            : people < options.minimumSpeakers
              ? `fewer than ${options.minimumSpeakers} ${unitOf(survey.clusters)}s`
              : null;
          return {
            attributes,
            values,
            name: values.join(' × '),
            profiles,
            utterances: profiles.reduce((sum, profile) => sum + utterances[profile]!, 0),
            speakers: people,
            counted: why === null,
            why,
          };
        });
    }),
  );
  if (groups.length > maxGroups) {
    throw badConfig(
      `attributes: expected at most ${maxGroups} groups, but these attributes make ${groups.length}; name fewer attributes, divide numbers with bins, or set orders: [1]`,
    );
  }
  return groups;
}

function byValues(a: readonly string[], b: readonly string[]): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place < 0 ? 0 : a[place]! < b[place]! ? -1 : 1;
}

/** A group in a sentence: `accent Indian`, `sex female and accent Indian`. */
export function groupWords({ attributes, values }: Subgroup): string {
  return listed(attributes.map((attribute, place) => `${named(attribute)} ${named(values[place]!)}`));
}

/** A group in a cell: `sex female × accent Indian`. */
export function groupLabel({ attributes, values }: Subgroup): string {
  return attributes.map((attribute, place) => `${attribute} ${values[place]}`).join(' × ');
}

export const speakersColumn = {
  key: 'speakers',
  label: 'Speakers',
  kind: 'count',
  help: 'People who speak, plus utterances whose speaker is unknown. Their number determines the width of intervals.',
} as const;

export const chanceHelp = 'p, corrected for all comparisons made together.';
