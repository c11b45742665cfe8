import type { SampleSize } from '../../model/finding.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import type { GroupedUnits } from '../../statistics/fairness/grouped-units.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts } from '../shared/failures.ts';
import { ListenerTally } from '../shared/listeners.ts';
import { RowCounts } from '../shared/sliced-counts.ts';
import type { Design, Subgroup, Survey } from './design.ts';

/** What was counted in one pass over the answers, by the survey's rows; its size follows speakers, profiles and recognizers. */
export interface Tally {
  /** Words and errors of a recognizer: in clean sound, of all recordings. */
  main(recognizer: number): RowCounts;
  /** The same in one domain. */
  domain(recognizer: number, domain: number): RowCounts;
  /** Those of `recognizer`'s answers to which `other` failed: to be taken out of a comparison. */
  without(recognizer: number, other: number): RowCounts;
  /** Failed trials of `main` as errors, all that were asked as words. */
  failures(recognizer: number): RowCounts;
  /** By recognizer, then condition: `recognizer * conditions + condition`. */
  readonly trials: FailureCounts;
  /** What people heard beside machines; null where nobody is said to be people. */
  readonly heard: ListenerTally | null;
  /** Utterances without a word in the reference after normalization. */
  readonly withoutWords: number;
}

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  design: Design,
  normalizer: Normalizer,
  people: readonly string[] | null,
): Promise<Tally> {
  const { recognizers, conditions, domains, survey } = design;
  const count = recognizers.length;
  const rowsOf = (places: number) => Array.from({ length: places }, () => new RowCounts());
  const main = rowsOf(count);
  const inDomain = rowsOf(count * domains.length);
  const without = rowsOf(count * count);
  const failures = rowsOf(count);
  const heard = people === null ? null : new ListenerTally(people, recognizers);
  const trials = new FailureCounts(count * conditions.length);
  const recognizerNumbers = new Map(recognizers.map(({ name }, index) => [name, index]));
  const conditionNumbers = new Map(conditions.map(({ name }, index) => [name, index]));
  const { words } = normalizer;
  let withoutWords = 0;
  /** The utterance in hand: errors of each recognizer in clean sound, -1 where it failed, -2 where it was not asked. */
  let sheet: {
    readonly id: string;
    readonly row: number;
    readonly reference: string[];
    readonly found: Int32Array;
  } | null = null;

  const leave = ({ row, reference, found }: NonNullable<typeof sheet>) => {
    for (let failed = 0; failed < count; failed++) {
      if (found[failed] !== -1) continue;
      for (let other = 0; other < count; other++) {
        if (found[other]! >= 0) without[other * count + failed]!.add(row, found[other]!, reference.length, 1, 1);
      }
    }
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, condition, recognizer } = answer.trial;
    if (sheet === null || sheet.id !== utterance.id) {
      if (sheet !== null) leave(sheet);
      const reference = words(utterance.reference ?? '', utterance.language);
      if (reference.length === 0) withoutWords++;
      sheet = { id: utterance.id, row: survey.rowOf(utterance), reference, found: new Int32Array(count).fill(-2) };
    }
    const number = recognizerNumbers.get(recognizer)!;
    const conditionNumber = conditionNumbers.get(condition.name)!;
    const place = number * conditions.length + conditionNumber;
    const { observation } = answer;
    const failed = observation.failure !== undefined;
    if (conditionNumber === 0) failures[number]!.add(sheet.row, failed ? 1 : 0, 1, 1, 1);
    if (observation.failure) {
      trials.addFailure(place, observation.failure.kind);
      if (conditionNumber === 0) sheet.found[number] = -1;
      continue;
    }
    trials.addAnswer(place);
    const wrong = errors(countEdits(sheet.reference, words(observation.transcript.text, utterance.language)));
    heard?.take(
      answer.trial,
      { condition: conditionNumber, recognizer: number, errors: wrong, words: sheet.reference.length },
      observation.transcript,
    );
    if (conditionNumber === 0) {
      sheet.found[number] = wrong;
      main[number]!.add(sheet.row, wrong, sheet.reference.length, 1, 1);
    }
    const domain = design.domainOf(utterance, conditionNumber);
    if (domain !== null && domains.length > 0) {
      inDomain[number * domains.length + domain]!.add(sheet.row, wrong, sheet.reference.length, 1, 1);
    }
  }
  if (sheet !== null) leave(sheet);
  heard?.end();
  return {
    heard,
    main: (recognizer) => main[recognizer]!,
    domain: (recognizer, domain) => inDomain[recognizer * domains.length + domain]!,
    without: (recognizer, other) => without[recognizer * count + other]!,
    failures: (recognizer) => failures[recognizer]!,
    trials,
    withoutWords,
  };
}

/** Counts of a group, by speaker or by row, and how much stands behind them. */
export interface Gathered {
  readonly counts: ClusteredCounts;
  readonly n: Required<Pick<SampleSize, 'utterances' | 'speakers' | 'words' | 'pairs'>>;
}

/**
 * Adds up rows to speakers: one place for each speaker of the corpus, 0 for those who are not in the group.
 *
 * @param group null: everybody
 * @param less what is taken out
 */
export function gather(survey: Survey, group: Subgroup | null, counts: RowCounts, less?: RowCounts): Gathered {
  const wanted = group === null ? null : new Set(group.profiles);
  const numerators = new Float64Array(survey.clusters.count);
  const denominators = new Float64Array(survey.clusters.count);
  const n = { utterances: 0, speakers: 0, words: 0, pairs: 0 };
  const people = new Set<number>();
  const { clusters, profiles } = survey.rows;
  for (let row = 0; row < clusters.length; row++) {
    if (wanted !== null && !wanted.has(profiles[row]!)) continue;
    const cluster = clusters[row]!;
    const words = counts.words(row) - (less?.words(row) ?? 0);
    numerators[cluster]! += counts.errors(row) - (less?.errors(row) ?? 0);
    denominators[cluster]! += words;
    const utterances = counts.utterances(row) - (less?.utterances(row) ?? 0);
    n.utterances += utterances;
    n.words += words;
    n.pairs += counts.trials(row) - (less?.trials(row) ?? 0);
    if (utterances > 0 && survey.clusters.isSpeaker(cluster)) people.add(cluster);
  }
  return { counts: { numerators, denominators }, n: { ...n, speakers: people.size } };
}

/** The groups that are counted and rows as they are, for what deals and resamples attributes. */
export function unitsOf({ survey, subgroups, counted }: Design, outcomes: readonly RowCounts[]): GroupedUnits {
  const { clusters, profiles } = survey.rows;
  return {
    speakers: clusters,
    profiles,
    groups: counted.map((place) => subgroups[place]!.profiles),
    outcomes: outcomes.map((counts) => ({
      numerators: Float64Array.from(clusters, (_, row) => counts.errors(row)),
      denominators: Float64Array.from(clusters, (_, row) => counts.words(row)),
    })),
  };
}
