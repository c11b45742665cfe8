import type { Column, Estimate, Finding, Statement, Table } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { Reason } from '../../model/reason.ts';
import type { StudyRecognizer } from '../contract.ts';
import { TimeSum, workingSeconds } from '../shared/computing-time.ts';
import { measured } from '../shared/estimates.ts';
import { recognizerColumn } from '../shared/tables.ts';
import { named } from '../shared/wording.ts';

/** Steps of the histogram: each is larger than the last by this factor, so that a quantile is right to half a percent. */
const step = 1.01;
const least = 1e-7;
const bins = 3300;

/** Counts of positive values in steps that grow with them: quantiles of any number of values in flat memory. */
export class LogHistogram {
  readonly #counts = new Uint32Array(bins);
  size = 0;

  add(value: number): void {
    const bin = Math.round(Math.log(Math.max(value, least) / least) / Math.log(step));
    this.#counts[Math.min(bins - 1, bin)]! += 1;
    this.size++;
  }

  /** The value that so large a share of them reach at most; null where there are none. */
  quantile(share: number): number | null {
    let below = 0;
    for (let bin = 0; this.size > 0 && bin < bins; bin++) {
      below += this.#counts[bin]!;
      if (below >= share * this.size) return least * step ** bin;
    }
    return null;
  }
}

const notSampled = { code: 'timed-here' } as const;
/** A recognizer that makes up currencies is no reason to run out of memory. */
const maxCurrencies = 100;

/** Seconds, audio and money of the answers of one recognizer, and how soon words came while they were spoken. Flat in memory. */
export class Speed {
  readonly #recognizer: Pick<StudyRecognizer, 'name' | 'pricePerMinute'>;
  readonly #time = new TimeSum();
  readonly #ratios = new LogHistogram();
  readonly #firstPartials = new LogHistogram();
  readonly #latencies = new LogHistogram();
  readonly #prices = new Map<string, { amount: number; soundSeconds: number; answers: number }>();
  #answers = 0;
  #timed = 0;
  #utterances = 0;
  #lastUtterance = '';
  #takenBack = 0;
  #finalWords = 0;

  constructor(recognizer: Pick<StudyRecognizer, 'name' | 'pricePerMinute'>) {
    this.#recognizer = recognizer;
  }

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
    if (transcript.price) {
      const { amount, currency } = transcript.price;
      const known = this.#prices.get(currency) ?? { amount: 0, soundSeconds: 0, answers: 0 };
      known.amount += amount;
      known.soundSeconds += soundSeconds;
      known.answers++;
      if (this.#prices.size < maxCurrencies || this.#prices.has(currency)) this.#prices.set(currency, known);
    }
    if (!timing.stream) return;
    const { firstPartialSeconds, finalLatencySeconds } = timing.stream;
    if (firstPartialSeconds !== null) this.#firstPartials.add(firstPartialSeconds);
    this.#latencies.add(finalLatencySeconds);
    const streaming = transcript.details?.streaming as { readonly wordsTakenBack?: unknown } | undefined;
    if (typeof streaming?.wordsTakenBack !== 'number') return;
    this.#takenBack += streaming.wordsTakenBack;
    this.#finalWords += transcript.text.split(/\s+/).filter(Boolean).length;
  }

  /**
   * Cells of `speedColumns`.
   *
   * @param speakers in the corpus, for the record
   */
  row(speakers: number) {
    const { processorSeconds, elapsedSeconds, audioSeconds } = this.#time;
    const n = { utterances: this.#utterances, speakers };
    const timed = (value: number | null, method: string, unknown: Reason): Estimate => {
      const none: Reason = this.#timed === 0 ? { code: 'no-audio-seconds' } : unknown;
      return measured(value, n, value === null ? none : notSampled, method);
    };
    const untimed: Reason = { code: 'nothing-timed' };
    return {
      recognizer: this.#recognizer.name,
      processorSecondsPerSecond: timed(
        processorSeconds === null ? null : processorSeconds / audioSeconds,
        'seconds of the processor over seconds of audio, all answers together',
        { code: 'no-processor-seconds' },
      ),
      elapsedSecondsPerSecond: timed(
        this.#timed === 0 ? null : elapsedSeconds / audioSeconds,
        'elapsed seconds over seconds of audio, all answers together',
        untimed,
      ),
      elapsedMedian: timed(
        this.#ratios.quantile(0.5),
        'median over answers of elapsed seconds over seconds of audio',
        untimed,
      ),
      ...this.#pricePerHour(n),
      answers: this.#timed,
    };
  }

  /** What an hour of audio costs: from the prices that came with answers, else as declared; null where nobody says. */
  #pricePerHour(n: Estimate['n']): { readonly pricePerHour: Estimate | null; readonly currency: string | null } {
    const [commonest] = [...this.#prices].sort(
      ([a, one], [b, other]) => other.answers - one.answers || (a < b ? -1 : 1),
    );
    if (commonest) {
      const [currency, { amount, soundSeconds, answers }] = commonest;
      const method = `prices that came with ${answers} of ${this.#answers} answers`;
      const hour = (3600 * amount) / soundSeconds;
      return { pricePerHour: measured(hour, n, { code: 'not-sampled' }, method), currency };
    }
    const { pricePerMinute } = this.#recognizer;
    if (pricePerMinute === null) return { pricePerHour: null, currency: null };
    const { amount, currency } = pricePerMinute;
    const declared = measured(60 * amount, n, { code: 'not-sampled' }, 'as declared');
    return { pricePerHour: declared, currency };
  }

  /** Cells of `streamColumns`; null where nothing was streamed. */
  streamRow(speakers: number) {
    if (this.#latencies.size === 0) return null;
    const n = { utterances: this.#utterances, speakers };
    const timed = (value: number | null, method: string) =>
      measured(value, n, value === null ? { code: 'no-latency' } : notSampled, method);
    const ofFirst = 'seconds from the start of the audio to the first words shown';
    const ofFinal = 'seconds from the end of the audio to the final transcript';
    const none = this.#finalWords === 0;
    return {
      recognizer: this.#recognizer.name,
      firstMedian: timed(this.#firstPartials.quantile(0.5), `median of ${ofFirst}`),
      firstMost: timed(this.#firstPartials.quantile(0.9), `90 % quantile of ${ofFirst}`),
      finalMedian: timed(this.#latencies.quantile(0.5), `median of ${ofFinal}`),
      finalMost: timed(this.#latencies.quantile(0.9), `90 % quantile of ${ofFinal}`),
      takenBack: measured(
        none ? null : this.#takenBack / this.#finalWords,
        n,
        none ? { code: 'no-word' } : { code: 'not-sampled' },
        'words shown and taken back over words of final transcripts (unstable partial word ratio, Shangguan et al. 2020)',
      ),
      answers: this.#latencies.size,
    };
  }
}

type Row = ReturnType<Speed['row']>;

const speedColumns: readonly Column[] = [
  recognizerColumn,
  {
    ...{ key: 'processorSecondsPerSecond', label: 'Processor s per s', kind: 'ratio' },
    help: 'Seconds of the processor per second of audio, over all answers: what the recognition computed, however busy the machine was. Not known of services, servers, graphics processors, and on other systems than Linux of programs.',
  },
  {
    ...{ key: 'elapsedSecondsPerSecond', label: 'Elapsed s per s', kind: 'ratio' },
    help: 'Real-time factor: elapsed seconds until the answer per second of audio, over all answers; below 1 is faster than real time. A busy machine lengthens it. Of a service, waiting between two looks at a job (`pollSeconds`) is included.',
  },
  {
    ...{ key: 'elapsedMedian', label: 'Elapsed, median', kind: 'ratio' },
    help: 'Median over answers of elapsed seconds per second of audio.',
  },
  { key: 'pricePerHour', label: 'Price per hour of audio', kind: 'money' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'answers', label: 'Answers timed', kind: 'count' },
];

const streamColumns: readonly Column[] = [
  recognizerColumn,
  {
    ...{ key: 'firstMedian', label: 'First words after (s)', kind: 'number' },
    help: 'Median time from the start of the audio to the first partial transcript with a word.',
  },
  { key: 'firstMost', label: '90 %', kind: 'number', help: '90th percentile over answers that had one.' },
  {
    ...{ key: 'finalMedian', label: 'Final after the end (s)', kind: 'number' },
    help: 'Median time from the end of the audio to the final transcript.',
  },
  { key: 'finalMost', label: '90 %', kind: 'number', help: '90th percentile over answers.' },
  {
    ...{ key: 'takenBack', label: 'Unstable partial word ratio', kind: 'ratio' },
    help: 'Words of partial transcripts that were changed later, over words of final transcripts.',
  },
  { key: 'answers', label: 'Answers', kind: 'count' },
];

/** Speed and price of each recognizer: what differs from run to run, apart from everything else. */
export function timingPart(speeds: readonly Speed[], speakers: number): NonNullable<Finding['timing']> {
  const rows = speeds.map((speed) => speed.row(speakers));
  const streams = speeds.flatMap((speed) => speed.streamRow(speakers) ?? []);
  const prices = rows.flatMap(({ recognizer, pricePerHour, currency }): Statement[] => {
    if (pricePerHour === null) return [];
    const text = `${named(recognizer)}: price of an hour of audio in ${named(currency!)}.`;
    return [{ text, estimate: pricePerHour, kind: 'money' }];
  });
  const id = 'robustness-speed';
  const title = 'Speed and price';
  const tables: Table[] = [{ id, title, columns: speedColumns, rows }];
  if (streams.length > 0) {
    tables.push({ id: 'robustness-streaming', title: 'Streaming', columns: streamColumns, rows: streams });
  }
  return { answer: [...speedStatements(rows), ...prices], sections: [{ id, title, tables }] };
}

/** More recognizers than this have their speed in the table alone, but for the first. */
const maxSpeeds = 4;

/** How much each computes, from the least on; apart from those of whom elapsed time alone is known: the two are no measure of each other. */
function speedStatements(rows: readonly Row[]): Statement[] {
  const listed = (some: readonly Row[], of: 'processorSecondsPerSecond' | 'elapsedSecondsPerSecond') =>
    some
      .filter((row) => row[of].value !== null)
      .toSorted((a, b) => a[of].value! - b[of].value!)
      .slice(0, maxSpeeds)
      .map((row) => `${named(row.recognizer)} (${Number(row[of].value!.toPrecision(2))} s)`)
      .join(', ');
  const computed = listed(rows, 'processorSecondsPerSecond');
  const unknown = rows.filter(({ processorSecondsPerSecond: { value } }) => value === null);
  const waited = listed(unknown, 'elapsedSecondsPerSecond');
  const busy = `Elapsed time per second of audio, more on a busy machine (processor time is not known): ${waited}.`;
  return [
    ...(computed === '' ? [] : [{ text: `Processor time per second of audio: ${computed}.`, headline: true } as const]),
    ...(waited === '' ? [] : [{ text: busy, ...(computed === '' && ({ headline: true } as const)) }]),
  ];
}
