import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { type GroupPair, groupPairs } from '../shared/group-pairs.ts';
import type { FewReferencesOptions } from './options.ts';
import { type Survey, surveyUtterances } from './survey.ts';

/** A set of recordings that have a rate of their own. */
export interface Group {
  readonly attribute: string;
  readonly place: number;
  readonly value: string;
}

/** Whom and what is asked, and what is compared. */
export interface Design {
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
export async function makeDesign(options: FewReferencesOptions, context: StudyContext): Promise<Design> {
  const names = context.recognizers.map(({ name }) => name);
  for (const judge of options.judges ?? []) {
    if (names.includes(judge)) continue;
    throw new EarwitnessError(
      'bad-config',
      `judges: expected recognizers of the config (${names.slice(0, 12).join(', ')}), but got ${printable(JSON.stringify(judge))}`,
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

/** One batch: every recording, with a reference or without, by every recognizer. */
export function designedBatch({ recognizers, survey }: Design, context: StudyContext): Batch {
  return {
    about: 'clean',
    size: survey.utterances * recognizers.length,
    questions: async function* (): AsyncGenerator<Question> {
      for await (const utterance of context.utterances()) {
        for (const { name: recognizer } of recognizers) {
          yield { ask: 'recognition', trial: { utterance, condition: clean, draw: 0, recognizer, repeat: 0 } };
        }
      }
    },
  };
}
