import type { SampleSize } from '../../model/finding.ts';
import type { Trial } from '../../model/trial.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import type { GroupedUnits } from '../../statistics/fairness/grouped-units.ts';
import type { Answer } from '../contract.ts';
import type { DecidedCell } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import type { TrialRow } from '../shared/failures.ts';
import { ListenerTally } from '../shared/listeners.ts';
import type { DisparityDesign, Subgroup, Survey } from './design.ts';
import type { DisparityOptions } from './options.ts';

/** Sums by the survey's rows: errors (or whatever is counted) among words (or whatever of), of so many clips. */
export interface RowSums extends Readonly<Record<'errors' | 'words' | 'clips', Float64Array>> {}

/** Those of one recognizer. */
export interface RecognizerSums extends RowSums {
  readonly recognizer: string;
}

/** What was counted in one pass over the answers, recognizer by recognizer. */
export interface Scores {
  /** In clean sound, of all recordings. */
  readonly clean: readonly RecognizerSums[];
  /** In each domain. */
  readonly domains: readonly { readonly recognizer: string; readonly sums: readonly RowSums[] }[];
  /** Failed trials of clean sound among all that were asked. */
  readonly failed: readonly RecognizerSums[];
  /** Those of a recognizer's answers in clean sound that another gave too. */
  both(recognizer: number, other: number): RowSums;
  /** Errors and words of everybody on clean audio by recognizer and speaker, without those of loops. */
  readonly withoutLoops: readonly ClusteredCounts[];
  /** Rates on clean audio that one utterance or speaker decides: of everybody, and of the groups of the fewest attributes. */
  readonly decided: readonly DecidedCell[];
  readonly trials: readonly TrialRow[];
  /** What people heard beside machines; null where nobody is said to be people. */
  readonly heard: ListenerTally | null;
  /** Utterances without a word in the reference after normalization. */
  readonly withoutWords: number;
}

/** What counts of one answer. */
interface Scored {
  readonly condition: number;
  readonly domain: string | null;
  readonly errors: number;
  readonly words: number;
  /** What was recognized. */
  readonly heard: readonly string[];
}

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function scoreAnswers(
  answers: AsyncIterable<Answer>,
  { recognizers, conditions, domains, survey, domainOf, subgroups }: DisparityDesign,
  { words }: Normalizer,
  { people, level, resamples, minimumSpeakers }: DisparityOptions,
  seed: number,
): Promise<Scores> {
  const numbers = new Map(recognizers.map(({ name }, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, place) => [name, place]));
  const order = Math.min(...subgroups.map(({ attributes }) => attributes.length));
  const groupsOfProfile = survey.profiles.map((_, profile) =>
    subgroups.flatMap(({ name, attributes, profiles }) =>
      attributes.length === order && profiles.includes(profile) ? [[name]] : [],
    ),
  );
  const cube = openCube<Scored>()({
    series: [...numbers.keys()],
    conditions: [...places.keys()],
    counts: {
      errors: { label: 'Errors', of: (score) => score.errors },
      words: { label: 'Words', of: (score) => score.words },
      clips: { label: 'Clips', of: () => 1 },
    },
    ratios: { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'], watched: true } },
    slices: {
      clean: { columns: [], paired: true, of: ({ condition }) => (condition === 0 ? [[]] : []) },
      group: {
        columns: [],
        of: ({ condition }, utterance) =>
          condition === 0 ? groupsOfProfile[survey.rows.profiles[survey.rowOf(utterance)]!]! : [],
      },
      domain: { columns: [], of: ({ domain }) => (domain === null ? [] : [[domain]]) },
    },
    unit: survey.units,
    heard: (score) => score.heard,
    paired: false,
    settings: { level, resamples, minimumSpeakers, seed },
  });
  const heard = people === null ? null : new ListenerTally(people, recognizers);
  let [utterance, reference]: [string | null, readonly string[]] = [null, []];
  let withoutWords = 0;
  const meet = ({ utterance: { id, reference: text, language } }: Trial) => {
    if (id === utterance) return;
    [utterance, reference] = [id, words(text ?? '', language)];
    if (reference.length === 0) withoutWords++;
  };
  await cube.fill(
    answers,
    ({ trial, observation: { transcript } }) => {
      const recognized = words(transcript.text, trial.utterance.language);
      const score = {
        recognizer: numbers.get(trial.recognizer)!,
        condition: places.get(trial.condition.name)!,
        domain: domainOf(trial.utterance, trial.condition.name),
        errors: errors(countEdits(reference, recognized)),
        words: reference.length,
        heard: recognized,
      };
      heard?.take(trial, score, transcript);
      return score;
    },
    meet,
  );
  heard?.end();
  const [everybody] = cube.parts('clean');
  const asked = Float64Array.from(survey.utterancesOf);
  const clean = recognizers.map(
    ({ name }, number): RecognizerSums => ({ recognizer: name, ...cube.gather('clean', [[]], number).counts }),
  );
  return {
    clean,
    domains: recognizers.map(({ name }, number) => ({
      recognizer: name,
      sums: domains.map((domain) => cube.gather('domain', [[domain]], number).counts),
    })),
    failed: clean.map(({ recognizer, clips }) => ({
      recognizer,
      errors: asked.map((count, row) => count - clips[row]!),
      words: asked,
      clips: asked,
    })),
    both: (recognizer, other) => cube.gather('clean', [[]], recognizer, other).counts,
    withoutLoops: recognizers.map((_, series) => everybody!.withoutLoops({ series, path: [], ratio: 'wer' })),
    decided: [...cube.decisive('clean', 'wer'), ...cube.decisive('group', 'wer')],
    trials: cube.trials,
    heard,
    withoutWords,
  };
}

/** Counts of a group by speaker, and how much stands behind them. */
export interface Gathered {
  readonly counts: ClusteredCounts;
  readonly n: Required<Pick<SampleSize, 'utterances' | 'speakers' | 'words'>>;
}

/**
 * Adds up rows to speakers: one place for each speaker of the corpus, 0 for those who are not in the group.
 *
 * @param group null: everybody
 */
export function gather(
  { rows, clusters }: Survey,
  group: Subgroup | null,
  { errors, words, clips }: RowSums,
): Gathered {
  const wanted = group === null ? null : new Set(group.profiles);
  const numerators = new Float64Array(clusters.count);
  const denominators = new Float64Array(clusters.count);
  const n = { utterances: 0, speakers: 0, words: 0 };
  const people = new Set<number>();
  rows.clusters.forEach((cluster, row) => {
    if (wanted !== null && !wanted.has(rows.profiles[row]!)) return;
    numerators[cluster]! += errors[row]!;
    denominators[cluster]! += words[row]!;
    n.utterances += clips[row]!;
    n.words += words[row]!;
    if (clips[row]! > 0 && clusters.isSpeaker(cluster)) people.add(cluster);
  });
  return { counts: { numerators, denominators }, n: { ...n, speakers: people.size } };
}

/** Rows as they are. */
export function countsOf({ errors, words }: RowSums): ClusteredCounts {
  return { numerators: errors, denominators: words };
}

/** The groups that are counted and rows as they are, for what deals and resamples attributes. */
export function unitsOf(
  { survey: { rows }, subgroups, counted }: DisparityDesign,
  outcomes: readonly RowSums[],
): GroupedUnits {
  return {
    speakers: rows.clusters,
    profiles: rows.profiles,
    groups: counted.map((place) => subgroups[place]!.profiles),
    outcomes: outcomes.map(countsOf),
  };
}
