import type { Reason } from '../../model/reason.ts';
import type { Answer, Batch, StudyContext } from '../contract.ts';

import type { Design } from './design.ts';

/** The rate in Hz of the sounds that difficulties were published for. */
export const publishedRateHz = 16_000;

/** A clip that ends here was recorded by telephone or at 8 kHz, whatever its file's rate says. */
const narrowHz = 4200;

interface Bands {
  clips: number;
  /** Files of a lower rate, by that rate. */
  readonly low: Map<number, number>;
  bandwidths: number;
  narrow: number;
}

/**
 * Looks at what the data sets' clips sound like before anything is done to them: the published difficulties are of clips that have sound
 * up to half of 16 kHz. Rates are those of files; where the config names the measure `bandwidth`, a corpus that was brought to a higher
 * rate is seen too.
 *
 * @returns by data set: why the published difficulties do not apply to it; null where they do, or nobody hears anything
 */
export async function* publishedFor(
  design: Design,
  context: StudyContext,
): AsyncGenerator<Batch, (Reason | null)[], AsyncIterable<Answer>> {
  const { datasets, datasetOf } = design.survey;
  const bands = datasets.map((): Bands => ({ clips: 0, low: new Map(), bandwidths: 0, narrow: 0 }));
  if (context.recognizers.every(({ input }) => input === 'names')) return bands.map(() => null);
  const quality = (context.quality ?? []).some(({ name }) => name === 'bandwidth') ? ['bandwidth'] : [];
  const condition = design.conditions[0]!;
  const answers = yield {
    about: '',
    size: null,
    async *questions() {
      for await (const utterance of context.utterances()) {
        if (utterance.reference === undefined || utterance.sound === undefined) continue;
        yield { ask: 'measurement', utterance, condition, draw: 0, ...(quality.length > 0 && { quality }) };
      }
    },
  };
  for await (const answer of answers) {
    if (answer.ask !== 'measurement' || answer.measurement === null) continue;
    const found = bands[datasetOf(answer.utterance)]!;
    const { sampleRate } = answer.measurement;
    found.clips++;
    if (sampleRate < publishedRateHz) found.low.set(sampleRate, (found.low.get(sampleRate) ?? 0) + 1);
    const bandwidth = answer.measurement.quality?.bandwidth?.values.bandwidthHz ?? null;
    if (bandwidth === null) continue;
    found.bandwidths++;
    if (bandwidth <= narrowHz) found.narrow++;
  }
  return bands.map(whyNot);
}

function whyNot({ clips, low, bandwidths, narrow }: Bands): Reason | null {
  const about = { code: 'difficulty-of-wider-clips', upToKilohertz: publishedRateHz / 2000 } as const;
  const lower = [...low.values()].reduce((sum, count) => sum + count, 0);
  if (lower > 0) {
    const kilohertz = [...low.keys()].sort((a, b) => a - b).map((rate) => rate / 1000);
    return { ...about, clips, narrow: lower, kilohertz };
  }
  return narrow > bandwidths / 2
    ? { ...about, clips: bandwidths, narrow, kilohertz: [], endBelow: narrowHz / 1000 }
    : null;
}
