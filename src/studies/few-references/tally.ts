import { printable } from '../../base/printable.ts';
import type { SampleSize } from '../../model/finding.ts';
import type { Word } from '../../model/observation.ts';
import type { Reason } from '../../model/reason.ts';
import { clean } from '../../model/trial.ts';
import { rover } from '../../scoring/agreement/rover.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import type { PartlyLabelledCounts } from '../../statistics/prediction-powered/powered-influences.ts';
import type { Answer } from '../contract.ts';
import { attributeReader } from '../shared/attributes.ts';
import { type Count, cellsOfGroups, type DecidedCell, whole } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { soundsOf } from '../shared/cube/sounds.ts';
import { createGroupTrials, type GroupTrials } from '../shared/failure-gaps.ts';
import { FailureCounts } from '../shared/failures.ts';
import type { FewReferencesOptions, Group, SampleDesign, Survey } from './design.ts';

/** What was counted in one pass; its size follows speakers, profiles and recognizers. */
export interface Verdicts {
  /** By recognizer. */
  readonly sums: readonly RowSums[];
  /** By recognizer, then profile. */
  readonly moments: readonly (readonly Moments[])[];
  readonly trials: FailureCounts;
  readonly groupTrials: GroupTrials;
  /** Of each recognizer recordings with a transcript and no verdict: no judge answered, or no confidences. */
  readonly withoutVerdict: readonly number[];
  /** Errors and words of what is transcribed, by recognizer and speaker, without those of loops. */
  readonly withoutLoops: readonly ClusteredCounts[];
  /** Rates that one recording or speaker decides: of the transcribed, and of all by what stands for errors. */
  readonly decided: Readonly<Record<'sample' | 'verdicts', readonly DecidedCell[]>>;
}

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function judgeAnswers(
  answers: AsyncIterable<Answer>,
  { recognizers, judges, survey }: SampleDesign,
  { verdict, bins, level, minimumSpeakers, seed }: FewReferencesOptions & { readonly seed: number },
  { words }: Normalizer,
): Promise<Verdicts> {
  const names = recognizers.map(({ name }) => name);
  const read = attributeReader(bins);
  const cube = openCube<Fact>()({
    series: names,
    conditions: [clean.name],
    counts: Object.fromEntries(
      sumFields.map((field) => [field, { label: field, of: (fact) => fact[field] ?? 0 }]),
    ) as Record<SumField, Count<Fact>>,
    ratios: {
      sample: { label: 'Sample', kind: 'rate', over: ['errors', 'words'], watched: true },
      verdicts: { label: 'Verdicts', kind: 'rate', over: ['allPseudoErrors', 'allPseudoWords'], watched: true },
    },
    slices: {
      all: whole,
      group: cellsOfGroups(survey.groupBy, read),
    },
    heard: (fact) => fact.heard,
    unit: survey.units,
    paired: false,
    settings: { level, resamples: 2000, minimumSpeakers, seed },
  });
  const moments = names.map(() => survey.profiles.map(() => new Moments()));
  const trials = new FailureCounts(names.length);
  const groupTrials = createGroupTrials(names, survey.groupBy, read);
  const withoutVerdict = names.map(() => 0);
  for await (const sound of soundsOf(answers)) {
    const { utterance } = sound[0].trial;
    const failed = names.map((): boolean | null => null);
    const heard = names.map((): Heard | undefined => undefined);
    for (const { trial, observation } of sound) {
      const number = names.indexOf(trial.recognizer);
      failed[number] = observation.failure !== undefined;
      if (observation.failure) {
        trials.addFailure(number, observation.failure.kind);
        continue;
      }
      trials.addAnswer(number);
      const { text, words: timed } = observation.transcript;
      heard[number] = { words: words(text, utterance.language), timed };
    }
    groupTrials.add(utterance, failed);
    const said = utterance.reference === undefined ? null : words(utterance.reference, utterance.language);
    const profile = survey.rows.profiles[survey.rowOf(utterance)]!;
    const facts = heard.map((own, number): Fact | null => {
      if (own === undefined) return null;
      const others = judges[number]!.flatMap((judge) => heard[judge] ?? []);
      const pseudo = pseudoVerdict(verdict, own, others);
      if (pseudo === null) {
        withoutVerdict[number]!++;
        return null;
      }
      const all = { allPseudoErrors: pseudo.errors, allPseudoWords: pseudo.words, all: 1, heard: own.words };
      if (said === null) return all;
      const wrong = errors(countEdits(said, own.words));
      const every = { ...all, everyError: wrong, everyWord: said.length, everyReference: 1 };
      if (!survey.isTranscribed(utterance)) return every;
      const { errors: pseudoErrors, words: pseudoWords } = pseudo;
      moments[number]![profile]!.add([wrong, said.length, pseudoErrors, pseudoWords]);
      return { ...every, errors: wrong, words: said.length, pseudoErrors, pseudoWords, transcribed: 1 };
    });
    cube.add(utterance, facts);
  }
  const sums = names.map((_, number) => cube.gather('all', [[]], number).counts);
  const [everybody] = cube.parts('all');
  const withoutLoops = names.map((_, series) => everybody!.withoutLoops({ series, path: [], ratio: 'sample' }));
  const decidedBy = (ratio: 'sample' | 'verdicts') => [
    ...cube.decisive('all', ratio),
    ...cube.decisive('group', ratio),
  ];
  const decided = { sample: decidedBy('sample'), verdicts: decidedBy('verdicts') };
  return { sums, moments, trials, groupTrials, withoutVerdict, withoutLoops, decided };
}

/** What a recognizer wrote of one recording. */
interface Heard {
  readonly words: readonly string[];
  /** As it gave them, where it gave them. */
  readonly timed: readonly Word[] | undefined;
}

/** What stands for errors and words where there is no reference. */
interface PseudoVerdict {
  readonly errors: number;
  readonly words: number;
}

/**
 * A verdict without a reference, by the transcripts of others or by what the recognizer says of itself.
 *
 * - distance: edits against each of the others and their words, both as means
 * - majority: edits against the words that most of the others have (`rover`)
 * - confidence: 1 less the confidence of each word, over the words; what was left out it cannot tell
 *
 * @param others what the judges wrote, without those that failed
 * @returns null where there is none: no judge answered, or no confidences were given
 */
function pseudoVerdict(
  verdict: FewReferencesOptions['verdict'],
  own: Heard,
  others: readonly Heard[],
): PseudoVerdict | null {
  if (verdict === 'confidence') {
    const { timed } = own;
    if (timed === undefined || timed.some(({ confidence }) => confidence === undefined)) return null;
    return { errors: timed.reduce((sum, { confidence }) => sum + 1 - confidence!, 0), words: timed.length };
  }
  if (others.length === 0) return null;
  if (verdict === 'majority' && others.length > 1) {
    const { words } = rover(others);
    return { errors: errors(countEdits(words, own.words)), words: words.length };
  }
  const total = { errors: 0, words: 0 };
  for (const { words } of others) {
    total.errors += errors(countEdits(words, own.words)) / others.length;
    total.words += words.length / others.length;
  }
  return total;
}

/** What is added up for each row: of transcribed recordings, of all, and of those whose reference is hidden or used. */
const sumFields = [
  'errors',
  'words',
  'pseudoErrors',
  'pseudoWords',
  'allPseudoErrors',
  'allPseudoWords',
  'transcribed',
  'all',
  'everyError',
  'everyWord',
  'everyReference',
] as const;

/** One of `sumFields`. */
type SumField = (typeof sumFields)[number];

/** What counts of one answer; all others are 0. */
type Fact = Readonly<Partial<Record<SumField, number>>> & { readonly heard: readonly string[] };

/** Sums by row (a speaker in a profile). Pseudo errors are means and no whole numbers. */
export type RowSums = Readonly<Record<SumField, Float64Array>>;

/**
 * Means and covariances of errors, words, pseudo errors and pseudo words of transcribed recordings, for the variance of any
 * combination of them that is only known at the end.
 */
export class Moments {
  count = 0;
  readonly #sums = new Float64Array(4);
  readonly #products = new Float64Array(16);

  add(values: readonly [number, number, number, number]): void {
    this.count++;
    values.forEach((value, place) => {
      this.#sums[place]! += value;
      values.forEach((other, index) => {
        this.#products[4 * place + index]! += value * other;
      });
    });
  }

  /** The sum of several. */
  static together(all: readonly Moments[]): Moments {
    const sum = new Moments();
    for (const one of all) {
      sum.count += one.count;
      one.#sums.forEach((value, place) => {
        sum.#sums[place]! += value;
      });
      one.#products.forEach((value, place) => {
        sum.#products[place]! += value;
      });
    }
    return sum;
  }

  /** Mean number of words. */
  get meanWords(): number | null {
    return this.count === 0 ? null : this.#sums[1]! / this.count;
  }

  /** Variance of the values' sum, each times its factor; null for fewer than 2. */
  varianceOf(factors: readonly [number, number, number, number]): number | null {
    if (this.count < 2) return null;
    let [squares, sum] = [0, 0];
    factors.forEach((factor, place) => {
      sum += factor * this.#sums[place]!;
      factors.forEach((other, index) => {
        squares += factor * other * this.#products[4 * place + index]!;
      });
    });
    return Math.max(0, (squares - sum ** 2 / this.count) / (this.count - 1));
  }
}

/** Sums of a group by speaker, transcribed recordings weighted so that they stand for all of their strata. */
interface Gathered {
  readonly counts: PartlyLabelledCounts;
  /** Transcribed recordings. */
  readonly n: SampleSize;
  /** Known speakers of these. */
  readonly people: ReadonlySet<number>;
  readonly recordings: number;
  /** By all references, the hidden ones too. */
  readonly every: {
    readonly errors: number;
    readonly words: number;
    readonly utterances: number;
    readonly speakers: number;
  };
  /** Why the sample cannot stand for all: a stratum without a transcribed recording, or transcribed ones without verdicts. */
  readonly reason: Reason | null;
}

/** @param group null: everybody */
export function gather(sums: RowSums, survey: Survey, group: Group | null, options: FewReferencesOptions): Gathered {
  const { rows, profiles, clusters, attributes, references } = survey;
  const members = rows.profiles.flatMap((profile, row) =>
    group === null || profiles[profile]![group.place] === group.value ? [row] : [],
  );
  const places = options.strata.map((name) => attributes.indexOf(name));
  const stratumOf = (row: number) => JSON.stringify(places.map((place) => profiles[rows.profiles[row]!]![place]));
  const strata = new Map<string, { all: number; transcribed: number }>();
  for (const row of members) {
    const stratum = strata.get(stratumOf(row)) ?? { all: 0, transcribed: 0 };
    stratum.all += sums.all[row]!;
    stratum.transcribed += sums.transcribed[row]!;
    strata.set(stratumOf(row), stratum);
  }
  const silent = [...strata].find(([, { all, transcribed }]) => all > 0 && transcribed === 0);
  const total = members.reduce((sum, row) => sum + sums.all[row]!, 0);
  const known = members.reduce((sum, row) => sum + sums.transcribed[row]!, 0);
  const table = () => new Float64Array(clusters.count);
  const counts = {
    errors: table(),
    words: table(),
    pseudoErrors: table(),
    pseudoWords: table(),
    allPseudoErrors: table(),
    allPseudoWords: table(),
  };
  const people = new Set<number>();
  const everybody = new Set<number>();
  const every = { errors: 0, words: 0, utterances: 0 };
  let words = 0;
  for (const row of members) {
    const cluster = rows.clusters[row]!;
    const { all, transcribed } = strata.get(stratumOf(row))!;
    // Of mean 1 over the transcribed recordings, so that without strata counts stay counts.
    const weight = transcribed === 0 ? 0 : (all / transcribed) * (known / total);
    for (const field of ['errors', 'words', 'pseudoErrors', 'pseudoWords'] as const) {
      counts[field][cluster]! += weight * sums[field][row]!;
    }
    for (const field of ['allPseudoErrors', 'allPseudoWords'] as const) counts[field][cluster]! += sums[field][row]!;
    every.errors += sums.everyError[row]!;
    every.words += sums.everyWord[row]!;
    every.utterances += sums.everyReference[row]!;
    words += sums.words[row]!;
    if (!clusters.isSpeaker(cluster)) continue;
    if (sums.transcribed[row]! > 0) people.add(cluster);
    if (sums.everyReference[row]! > 0) everybody.add(cluster);
  }
  return {
    counts,
    n: { utterances: known, speakers: people.size, words },
    people,
    recordings: total,
    every: { ...every, speakers: everybody.size },
    reason: reasonOf(
      silent?.[0],
      known,
      [...new Set(members.map((row) => rows.profiles[row]!))].reduce((sum, place) => sum + references[place]!, 0),
    ),
  };
}

function reasonOf(silentStratum: string | undefined, known: number, references: number): Reason | null {
  if (known === 0) return references === 0 ? null : { code: 'no-transcript-with-verdict' };
  return silentStratum === undefined
    ? null
    : { code: 'stratum-not-transcribed', stratum: printable(silentStratum, 100) };
}
