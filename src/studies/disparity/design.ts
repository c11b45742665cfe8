import { EarwitnessError } from '../../base/errors.ts';
import type { Condition } from '../../model/condition.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { chosenConditions } from '../shared/options.ts';
import { groupShortages } from '../shared/speaker-warnings.ts';
import { counted } from '../shared/wording.ts';
import type { DisparityOptions } from './options.ts';
import { type Subgroup, subgroupsOf } from './subgroups.ts';
import { type Survey, surveyUtterances } from './survey.ts';
import { groupWords } from './wording.ts';

/** Whom and what is asked, and which groups are looked at. */
export interface Design {
  readonly recognizers: readonly StudyRecognizer[];
  /** Clean first. */
  readonly conditions: readonly Condition[];
  /** Recordings or conditions in which the same groups are compared, the one compared with first; empty for none. */
  readonly domains: readonly string[];
  /** The number of a trial's domain; null: it lies in none. */
  domainOf(utterance: Utterance, condition: number): number | null;
  readonly survey: Survey;
  readonly subgroups: readonly Subgroup[];
  /** Of these the places of those that are counted. */
  readonly counted: readonly number[];
  /** What so few speakers of a group cannot show, whatever they are answered. */
  readonly shortages: readonly string[];
}

/** @throws EarwitnessError `bad-config` for attributes, domains or conditions that do not exist */
export async function makeDesign(options: DisparityOptions, context: StudyContext): Promise<Design> {
  const conditions = chosenConditions(options.conditions, context.ladders);
  const survey = await surveyUtterances(options, context);
  const subgroups = subgroupsOf(survey, options);
  const { domains, minimumSpeakers } = options;
  const order = Math.min(...subgroups.map(({ attributes }) => attributes.length));
  const sizes = subgroups
    .filter(
      ({ attributes, values }) => attributes.length === order && !values.some((one) => options.other.includes(one)),
    )
    .map((group) => ({ name: groupWords(group), speakers: group.speakers }));
  const places = new Map(domains?.values.map((value, place) => [value, place]));
  if (domains !== null) await requireDomains(domains, survey, context);
  return {
    recognizers: context.recognizers,
    conditions,
    domains: domains?.values ?? (conditions.length > 1 ? conditions.map(({ name }) => name) : []),
    domainOf(utterance, condition) {
      if (conditions.length > 1) return condition;
      const value = domains === null ? null : survey.read(utterance, domains.attribute);
      return value === null ? null : (places.get(value) ?? null);
    },
    survey,
    subgroups,
    shortages: groupShortages(sizes, minimumSpeakers),
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
  throw new EarwitnessError(
    'bad-config',
    `domains: expected utterances of ${JSON.stringify(attribute)} ${JSON.stringify([...missing][0])}, but there are none; see what there is with the study corpus`,
  );
}

/** One batch for everything, utterance by utterance, recognizers innermost, so that a clip is made once. */
export function designedBatch(design: Design, context: StudyContext): Batch {
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
