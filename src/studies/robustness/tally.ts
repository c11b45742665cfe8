import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { Observation, Price } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { align, countEdits } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { type Confusion, createConfusionCounts } from '../../scoring/analysis/confusion-pairs.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { varianceInterval } from '../../statistics/exact-intervals.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { Answer } from '../contract.ts';
import { TimeSum, workingSeconds } from '../shared/computing-time.ts';
import { measured } from '../shared/estimates.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { type Counting, type Counts, openCounting, type ScoredTranscript, type TrialPlace } from './counts.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { LogHistogram, StreamSpeed } from './stream-speed.ts';
import { type WorstUtterances, watchWorstUtterances } from './worst-utterances.ts';

/** What was counted in one pass over the answers. */
export interface Tally extends Counts {
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
  /** What a validity gate keeps; null without one. */
  readonly valid: ValidCounts | null;
}

const mostMisheard = 10;

/** What remains when only those trials count whose sound is valid. */
export interface ValidCounts {
  readonly counts: Counts;
  /** Trials whose sound was judged. */
  readonly judged: number;
  /** By condition: trials of all recognizers whose sound is not valid, and of those that nobody rated. */
  readonly excluded: Float64Array;
  readonly unrated: Float64Array;
}

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: RobustnessOptions,
  normalizer: Normalizer,
  validity: CaseValidity | null,
): Promise<Tally> {
  const { recognizers, conditions, survey } = design;
  const { words } = normalizer;
  const all = openCounting(design, options);
  const valid = validity === null ? null : countValid(design, options, validity);
  const speeds = recognizers.map(() => new Speed());
  const confusions = recognizers.map(() => createConfusionCounts());
  const watch = watchWorstUtterances(design, options.worst, words);
  const recognizerNumbers = new Map(recognizers.map(({ name }, index) => [name, index]));
  // Attacks have a name for each recognizer that hears them.
  const conditionNumbers = new Map(
    conditions.flatMap((_, index) =>
      index < design.disturbed
        ? recognizers.map((_, recognizer) => [design.asked(index, recognizer).name, index] as const)
        : [],
    ),
  );
  const seen = { utterances: 0, withoutWords: 0, withoutSpeaker: 0 };
  let current: Utterance | null = null;
  let reference: readonly string[] = [];
  /** The recorded scenario that the utterance in hand belongs to. */
  let recorded: number | null = null;

  const enter = (utterance: Utterance) => {
    current = utterance;
    reference = words(utterance.reference ?? '', utterance.language);
    recorded = survey.datasets[survey.datasetOf(utterance)]!.recorded;
    seen.utterances++;
    if (reference.length === 0) seen.withoutWords++;
    if (utterance.speaker === undefined) seen.withoutSpeaker++;
    all.enter(utterance, reference);
    valid?.enter(utterance, reference);
  };
  const leave = () => {
    const sheet = all.leave();
    if (sheet !== null) watch.see(sheet);
    valid?.leave();
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, condition, draw, recognizer, repeat } = answer.trial;
    if (utterance.id !== (current as Utterance | null)?.id) {
      leave();
      enter(utterance);
    }
    const at: TrialPlace = {
      condition: recorded === null ? conditionNumbers.get(condition.name)! : design.disturbed + recorded,
      draw,
      repeat,
      recognizer: recognizerNumbers.get(recognizer)!,
    };
    const { observation } = answer;
    const heard = observation.failure ? null : words(observation.transcript.text, utterance.language);
    const scored = heard && score(reference, heard, normalizer.hasCharacterWords?.(utterance.language));
    if (heard && scored && scored.words.substitutions > 0 && at.condition === 0)
      confusions[at.recognizer]!.add(align(reference, heard));
    note(all, at, observation, scored);
    valid?.see(utterance, at, observation, scored);
    if (scored !== null) speeds[at.recognizer]!.add(utterance.id, observation);
  }
  leave();
  const misheard = confusions.map((counts) => counts.top(mostMisheard));
  return { ...all.counts, worst: watch.found(), misheard, speeds, ...seen, valid: valid?.counted() ?? null };
}

function score(reference: readonly string[], heard: readonly string[], hasCharacterWords?: boolean): ScoredTranscript {
  const characters = countCharacterEdits(reference, heard, 'least', hasCharacterWords);
  return { words: countEdits(reference, heard), characters };
}

/** @param scored null where the observation is a failure */
function note(counting: Counting, at: TrialPlace, observation: Observation, scored: ScoredTranscript | null): void {
  if (scored !== null) counting.add(at, observation, scored);
  else if (observation.failure) counting.addFailure(at, observation, observation.failure);
}

/** Counts once more, what the gate keeps alone. Clean sound is always kept. */
function countValid(design: Design, options: RobustnessOptions, validity: CaseValidity) {
  const counting = openCounting(design, options);
  const excluded = new Float64Array(design.conditions.length);
  const unrated = new Float64Array(design.conditions.length);
  let judged = 0;
  return {
    enter: counting.enter,
    leave: counting.leave,
    see(utterance: Utterance, at: TrialPlace, observation: Observation, scored: ScoredTranscript | null): void {
      const { condition, draw } = at;
      const always = condition === 0 || (condition >= design.unattacked && condition < design.disturbed);
      const judgement = always ? 'kept' : validity.judge(utterance, design.conditions[condition]!, draw);
      if (!always) judged++;
      if (judgement === 'kept') {
        note(counting, at, observation, scored);
        return;
      }
      (judgement === 'excluded' ? excluded : unrated)[condition]!++;
      counting.leaveOut(at);
    },
    counted: (): ValidCounts => ({ counts: counting.counts, judged, excluded, unrated }),
  };
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
export function drawSpreads(tally: Tally, design: Design, level: number): DrawSpread[] {
  const whole = tally.slices.whole();
  return design.conditions.flatMap((_, condition) =>
    design.recognizers.flatMap((_, recognizer): DrawSpread[] => {
      const draws = design.draws(condition, recognizer);
      if (draws < 2) return [];
      const place = tally.series.words(recognizer, condition);
      const rates = Array.from({ length: draws }, (_, draw) => tally.drawn(place, draw)).flatMap(({ errors, words }) =>
        words > 0 ? [errors / words] : [],
      );
      const totals = tally.slices.whole().counts(place)?.totals(whole.rows);
      const speakers = whole.rows.filter((row) => (whole.counts(place)?.words(row) ?? 0) > 0 && whole.isSpeaker(row));
      const n = { utterances: totals?.utterances ?? 0, speakers: speakers.length, words: totals?.words ?? 0 };
      return [{ recognizer, condition, rates, variance: varianceInterval(rates, { level }), n }];
    }),
  );
}
