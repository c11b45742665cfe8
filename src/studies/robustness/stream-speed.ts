import type { Column, Estimate, Table } from '../../model/finding.ts';
import type { StreamTiming, Transcript } from '../../model/observation.ts';
import { measured } from '../shared/estimates.ts';
import { recognizerColumn } from '../shared/tables.ts';

/** Steps of the histogram: each is larger than the last by this factor, so that a quantile is right to half a percent. */
const step = 1.01;
const least = 1e-7;
const bins = 3300;

/** Counts of positive values in steps that grow with them: quantiles of any number of values in flat memory. */
export class LogHistogram {
  readonly #counts = new Uint32Array(bins);
  #size = 0;

  add(value: number): void {
    const bin = Math.round(Math.log(Math.max(value, least) / least) / Math.log(step));
    this.#counts[Math.min(bins - 1, bin)]! += 1;
    this.#size++;
  }

  get size(): number {
    return this.#size;
  }

  /** The value that so large a share of them reach at most; null where there are none. */
  quantile(share: number): number | null {
    if (this.#size === 0) return null;
    let below = 0;
    for (let bin = 0; bin < bins; bin++) {
      below += this.#counts[bin]!;
      if (below >= share * this.#size) return least * step ** bin;
    }
    return null;
  }
}

/** How soon words came while they were spoken, over the answers of one recognizer in streaming mode. Flat in memory. */
export class StreamSpeed {
  readonly #firstPartials = new LogHistogram();
  readonly #latencies = new LogHistogram();
  #takenBack = 0;
  #finalWords = 0;

  add({ firstPartialSeconds, finalLatencySeconds }: StreamTiming, { text, details }: Transcript): void {
    if (firstPartialSeconds !== null) this.#firstPartials.add(firstPartialSeconds);
    this.#latencies.add(finalLatencySeconds);
    const streaming = details?.streaming as { readonly wordsTakenBack?: unknown } | undefined;
    if (typeof streaming?.wordsTakenBack !== 'number') return;
    this.#takenBack += streaming.wordsTakenBack;
    this.#finalWords += text.split(/\s+/).filter(Boolean).length;
  }

  /** Answers that came in streaming mode. */
  get answers(): number {
    return this.#latencies.size;
  }

  /** A row of the table; null where nothing was streamed. */
  row(recognizer: string, utterances: number, speakers: number): Table['rows'][number] | null {
    if (this.answers === 0) return null;
    const timed = (value: number | null, method: string): Estimate => {
      const reason =
        value === null ? 'no answer had one' : 'time was measured on the machine of this run, and not sampled';
      return measured(value, { utterances, speakers }, reason, method);
    };
    const ofFirst = 'seconds from the start of the audio to the first words shown';
    const ofFinal = 'seconds from the end of the audio to the final transcript';
    return {
      recognizer,
      firstMedian: timed(this.#firstPartials.quantile(0.5), `median of ${ofFirst}`),
      firstMost: timed(this.#firstPartials.quantile(0.9), `90 % quantile of ${ofFirst}`),
      finalMedian: timed(this.#latencies.quantile(0.5), `median of ${ofFinal}`),
      finalMost: timed(this.#latencies.quantile(0.9), `90 % quantile of ${ofFinal}`),
      takenBack: measured(
        this.#finalWords === 0 ? null : this.#takenBack / this.#finalWords,
        { utterances, speakers },
        this.#finalWords === 0 ? 'no answer has a word' : 'counted over all answers together',
        'words shown and taken back over words of final transcripts (unstable partial word ratio, Shangguan et al. 2020)',
      ),
      answers: this.answers,
    };
  }
}

/** Columns of the rows. */
export const streamColumns: readonly Column[] = [
  recognizerColumn,
  {
    key: 'firstMedian',
    label: 'First words after (s)',
    kind: 'number',
    help: 'Median time from the start of the audio to the first partial transcript with a word.',
  },
  { key: 'firstMost', label: '90 %', kind: 'number', help: '90th percentile over answers that had one.' },
  {
    key: 'finalMedian',
    label: 'Final after the end (s)',
    kind: 'number',
    help: 'Median time from the end of the audio to the final transcript.',
  },
  { key: 'finalMost', label: '90 %', kind: 'number', help: '90th percentile over answers.' },
  {
    key: 'takenBack',
    label: 'Unstable partial word ratio',
    kind: 'ratio',
    help: 'Words of partial transcripts that were changed later, over words of final transcripts.',
  },
  { key: 'answers', label: 'Answers', kind: 'count' },
];
