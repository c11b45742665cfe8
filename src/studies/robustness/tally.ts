import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { Observation, Price } from '../../model/observation.ts';
import { align, countEdits } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { type Confusion, createConfusionCounts } from '../../scoring/analysis/confusion-pairs.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { varianceInterval } from '../../statistics/exact-intervals.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { Answer } from '../contract.ts';
import { TimeSum, workingSeconds } from '../shared/computing-time.ts';
import { measured } from '../shared/estimates.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../shared/failures.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { type Counts, everywhere, heardOf, openCounts } from './counts.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { LogHistogram, StreamSpeed } from './stream-speed.ts';
import { placesOf, type UtteranceSheet, type WorstUtterances, watchWorstUtterances } from './worst-utterances.ts';

/** What was counted in one pass over the answers. */
export interface Tally extends Counts {
  /** By condition, recognizers innermost. */
  readonly trials: readonly TrialRow[];
  /** In the same order: how words came out, and errors and words of each draw over all utterances. */
  readonly outcomes: readonly Outcome[];
  readonly worst: WorstUtterances;
  /** By recognizer: which words it took for which on clean sound, the most frequent first. */
  readonly misheard: readonly (readonly Confusion[])[];
  /** By recognizer. */
  readonly speeds: readonly Speed[];
  /** Utterances that were scored. */
  readonly utterances: number;
  /** Of these, without a word in the reference after normalization. */
  readonly withoutWords: number;
  readonly withoutSpeaker: number;
}

interface Outcome {
  substitutions: number;
  deletions: number;
  insertions: number;
  readonly draws: readonly { errors: number; words: number }[];
}

const mostMisheard = 10;

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: RobustnessOptions,
  normalizer: Normalizer,
  { seed, validity }: { readonly seed: number; readonly validity: CaseValidity | null },
): Promise<Tally> {
  const { recognizers, conditions, survey } = design;
  const { words } = normalizer;
  const { counts, add } = openCounts(design, options, seed, validity);
  const trials = new FailureCounts(conditions.length * recognizers.length);
  const outcomes = conditions.flatMap((_, condition) =>
    recognizers.map((_, recognizer): Outcome => {
      const draws = Array.from({ length: design.draws(condition, recognizer) }, () => ({ errors: 0, words: 0 }));
      return { substitutions: 0, deletions: 0, insertions: 0, draws };
    }),
  );
  const speeds = recognizers.map(() => new Speed());
  const confusions = recognizers.map(() => createConfusionCounts());
  const watch = watchWorstUtterances(design, options.worst, words);
  const recognizerNumbers = new Map(recognizers.map(({ name }, index) => [name, index]));
  // Attacks have a name for each recognizer that hears them.
  const conditionNumbers = new Map(
    conditions
      .slice(0, design.disturbed)
      .flatMap((_, index) =>
        recognizers.map((_, recognizer) => [design.asked(index, recognizer).name, index] as const),
      ),
  );
  const places = placesOf(design);
  const seen = { utterances: 0, withoutWords: 0, withoutSpeaker: 0 };
  let sheet: UtteranceSheet | null = null;

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { observation, trial } = answer;
    const { utterance } = trial;
    if (sheet?.utterance.id !== utterance.id) {
      if (sheet !== null) leave(sheet);
      const reference = words(utterance.reference ?? '', utterance.language);
      sheet = { utterance, reference, observations: [], scored: [] };
      seen.utterances++;
      if (reference.length === 0) seen.withoutWords++;
      if (utterance.speaker === undefined) seen.withoutSpeaker++;
    }
    const { reference } = sheet;
    const { recorded } = survey.datasets[survey.datasetOf(utterance)]!;
    const condition = recorded === null ? conditionNumbers.get(trial.condition.name)! : design.disturbed + recorded;
    const recognizer = recognizerNumbers.get(trial.recognizer)!;
    const place = places.of({ ...trial, condition, recognizer });
    const row = condition * recognizers.length + recognizer;
    sheet.observations[place] = observation;
    if (observation.failure) {
      trials.addFailure(row, observation.failure.kind);
      continue;
    }
    trials.addAnswer(row);
    const heard = words(observation.transcript.text, utterance.language);
    const edits = countEdits(reference, heard);
    const hasCharacterWords = normalizer.hasCharacterWords?.(utterance.language);
    const characters = countCharacterEdits(reference, heard, 'least', hasCharacterWords);
    sheet.scored[place] = { words: edits, characters };
    const outcome = outcomes[row]!;
    outcome.substitutions += edits.substitutions;
    outcome.deletions += edits.deletions;
    outcome.insertions += edits.insertions;
    outcome.draws[trial.draw]!.errors += errors(edits);
    outcome.draws[trial.draw]!.words += reference.length;
    if (edits.substitutions > 0 && condition === 0) confusions[recognizer]!.add(align(reference, heard));
    speeds[recognizer]!.add(utterance.id, observation);
  }
  if (sheet !== null) leave(sheet);
  const misheard = confusions.map((of) => of.top(mostMisheard));
  const byPlace = (recognizer: number, condition: number) => condition * recognizers.length + recognizer;
  const named = namedTrials({ tally: { trials }, design }, byPlace);
  return { ...counts, trials: named, outcomes, worst: watch.found(), misheard, speeds, ...seen };

  function leave(told: UtteranceSheet): void {
    watch.see(told);
    add(told);
  }
}

/** Seconds, sound and money of the answers of one recognizer. Flat in memory: ratios are kept as a histogram. */
export class Speed {
  readonly #time = new TimeSum();
  #timed = 0;
  #answers = 0;
  #utterances = 0;
  #lastUtterance = '';
  /** Of answers that came in streaming mode. */
  readonly stream = new StreamSpeed();
  readonly #ratios = new LogHistogram();
  readonly #prices = new Map<string, { amount: number; soundSeconds: number; answers: number }>();

  /** Answers about one utterance come one after another. */
  add(utteranceId: string, observation: Observation): void {
    const { timing, soundSeconds, transcript } = observation;
    if (transcript === undefined) return;
    this.#answers++;
    if (soundSeconds === null || !(soundSeconds > 0)) return;
    if (this.#timed === 0 || utteranceId !== this.#lastUtterance) this.#utterances++;
    this.#lastUtterance = utteranceId;
    this.#timed++;
    this.#time.add(observation);
    this.#ratios.add(workingSeconds(timing) / soundSeconds);
    if (timing.stream) this.stream.add(timing.stream, transcript);
    if (transcript.price) this.#addPrice(transcript.price, soundSeconds);
  }

  /** Answers whose time and sound are known. */
  get timed(): number {
    return this.#timed;
  }

  /**
   * Seconds of the processor for a second of audio, over all answers; null where they are not known of every answer.
   *
   * @param speakers in the corpus, for the record
   */
  processorPerSecond(speakers: number): Estimate {
    const { processorSeconds, audioSeconds } = this.#time;
    const value = processorSeconds === null ? null : processorSeconds / audioSeconds;
    const unknown =
      'the processor time of an answer is not known: it was computed elsewhere, by a server, on another system than Linux, or kept by an earlier version';
    const method = 'seconds of the processor over seconds of audio, all answers together';
    return this.#estimate(value, speakers, method, unknown);
  }

  /** Elapsed seconds for a second of audio, over all answers. */
  elapsedPerSecond(speakers: number): Estimate {
    const { elapsedSeconds, audioSeconds } = this.#time;
    const value = this.#timed === 0 ? null : elapsedSeconds / audioSeconds;
    return this.#estimate(value, speakers, 'elapsed seconds over seconds of audio, all answers together');
  }

  /** The same of the answer in the middle, to half a percent. */
  elapsedMedian(speakers: number): Estimate {
    return this.#estimate(
      this.#ratios.quantile(0.5),
      speakers,
      'median over answers of elapsed seconds over seconds of audio',
    );
  }

  /** What an hour of sound costs: from the prices that came with answers, else as declared; null where nobody says. */
  pricePerHour(
    declaredPerMinute: Price | null,
    speakers: number,
  ): { readonly currency: string; readonly estimate: Estimate } | null {
    const [commonest] = [...this.#prices].sort(
      ([a, one], [b, other]) => other.answers - one.answers || (a < b ? -1 : 1),
    );
    if (commonest) {
      const [currency, { amount, soundSeconds, answers }] = commonest;
      const n = { utterances: this.#utterances, speakers };
      const reason = 'a price is added up and not sampled';
      const method = `prices that came with ${answers} of ${this.#answers} answers`;
      return { currency, estimate: measured((3600 * amount) / soundSeconds, n, reason, method) };
    }
    if (declaredPerMinute === null) return null;
    const estimate = measured(
      60 * declaredPerMinute.amount,
      { utterances: this.#utterances, speakers },
      'a declared price has no interval',
      'as declared',
    );
    return { currency: declaredPerMinute.currency, estimate };
  }

  #addPrice({ amount, currency }: Price, soundSeconds: number): void {
    const known = this.#prices.get(currency) ?? { amount: 0, soundSeconds: 0, answers: 0 };
    known.amount += amount;
    known.soundSeconds += soundSeconds;
    known.answers++;
    // A recognizer that makes up currencies is no reason to run out of memory.
    if (this.#prices.size < 100 || this.#prices.has(currency)) this.#prices.set(currency, known);
  }

  #estimate(value: number | null, speakers: number, method: string, unknown = 'no answer was timed'): Estimate {
    const reason =
      value === null
        ? this.#timed === 0
          ? 'no answer came with the duration of its audio'
          : unknown
        : 'time was measured on the machine of this run, and not sampled';
    return measured(value, { utterances: this.#utterances, speakers }, reason, method);
  }
}

/** How much the word error rate of a recognizer in a condition changes from draw to draw. */
export interface DrawSpread {
  readonly recognizer: number;
  readonly condition: number;
  /** One word error rate for each draw that was answered. */
  readonly rates: readonly number[];
  /** WERV: the variance of those rates (divisor: one less than their number). */
  readonly variance: Interval;
  readonly n: SampleSize;
}

/**
 * Speech Robust Bench's measure of stability, WERV (its program; the paper's third version leaves it out): the variance of the
 * corpus' word error rate over draws of the same random condition. Utterances are drawn independently of each other, so
 * this variance is also within speakers, and intervals that resample speakers with all their draws hold it already; the
 * rate of k draws together has a kth part of it.
 */
export function drawSpreads({ cells, outcomes }: Tally, design: Design, level: number): DrawSpread[] {
  return design.conditions.flatMap((_, condition) =>
    design.recognizers.flatMap((_, recognizer): DrawSpread[] => {
      const { draws } = outcomes[condition * design.recognizers.length + recognizer]!;
      if (draws.length < 2) return [];
      const rates = draws.flatMap(({ errors, words }) => (words > 0 ? [errors / words] : []));
      const { words, n } = heardOf(cells, 'condition', everywhere(condition, design), recognizer);
      const speakers = words.denominators.reduce(
        (count, said, unit) => count + Number(said > 0 && cells.units.isSpeaker(unit)),
        0,
      );
      const size = { utterances: n.utterances, speakers, words: n.words };
      return [{ recognizer, condition, rates, variance: varianceInterval(rates, { level }), n: size }];
    }),
  );
}
