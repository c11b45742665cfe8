import type { Comparison, Estimate, SampleSize } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import {
  type PoweredGap,
  predictionPoweredGap,
  predictionPoweredRate,
} from '../../statistics/prediction-powered/prediction-powered.ts';
import { correctByHolm, toComparison } from '../shared/comparisons.ts';
import { measured, toEstimate } from '../shared/estimates.ts';
import type { GroupPair } from '../shared/group-pairs.ts';
import type { FewReferencesOptions, Group, SampleDesign } from './design.ts';
import { gather, type Verdicts } from './tally.ts';

/** An error rate of all recordings of a group, or of everybody. */
export interface RateResult {
  readonly recognizer: number;
  /** Null: everybody. */
  readonly group: Group | null;
  readonly sample: Estimate;
  readonly powered: Estimate;
  readonly weight: number | null;
  readonly pseudo: { readonly sample: number | null; readonly all: number | null };
  readonly varianceRatio: number | null;
  readonly recordings: number;
  readonly transcribed: number;
  /** By all references, where some are hidden: what the others can be held against. */
  readonly byAll: Estimate | null;
}

/** A gap between two groups over all recordings. */
export interface GapResult {
  readonly recognizer: number;
  readonly pair: GroupPair;
  readonly sample: Comparison;
  readonly powered: Comparison;
  readonly varianceRatio: number | null;
}

export interface Results {
  /** Recognizer by recognizer: everybody first, then the groups. */
  readonly rates: readonly RateResult[];
  readonly gaps: readonly GapResult[];
}

/**
 * Rates and gaps, from the sample alone and with pseudo verdicts. The weight of the verdicts is tuned on everybody and held for
 * groups, whose transcribed recordings are fewer. One correction (Holm) over all gaps of either kind.
 */
export function conclude(tally: Verdicts, design: SampleDesign, options: FewReferencesOptions): Results {
  const { level, minimumSpeakers: minimumClusters } = options;
  const rates: RateResult[] = [];
  const weights = design.recognizers.map((_, recognizer) => {
    const whole = rateOf(recognizer, null);
    rates.push(whole);
    for (const group of design.groups) rates.push(rateOf(recognizer, group, whole.weight ?? 0));
    return whole.weight ?? 0;
  });
  const raw = design.recognizers.flatMap((_, recognizer) =>
    design.pairs.map((pair) => {
      const [others, group] = [pair.comparedWith, pair.value].map((value) =>
        gather(tally.sums[recognizer]!, design.survey, { ...pair, value }, options),
      );
      const settings = { level, minimumClusters, weight: weights[recognizer]! };
      const found = predictionPoweredGap(others!.counts, group!.counts, settings);
      const n: SampleSize = {
        utterances: others!.n.utterances + group!.n.utterances,
        speakers: new Set([...others!.people, ...group!.people]).size,
        words: others!.n.words! + group!.n.words!,
      };
      const reason = others!.reason ?? group!.reason;
      return { recognizer, pair, found: reason === null ? found : refused(found, reason), n };
    }),
  );
  const corrected = (kind: 'sample' | 'powered') =>
    correctByHolm(
      raw.map(({ found }) => found[kind].pValue),
      'each is a t test of its own',
    );
  const [sample, powered] = [corrected('sample'), corrected('powered')];
  const gaps = raw.map(({ recognizer, pair, found, n }, place): GapResult => {
    const compared = (kind: 'sample' | 'powered', { adjusted, correction }: typeof sample): Comparison => {
      const tested = { pValue: found[kind].pValue, test: 't test over speakers (linearization)' };
      return toComparison(toEstimate(found[kind], n), tested, adjusted[place]!, correction);
    };
    return {
      recognizer,
      pair,
      sample: compared('sample', sample),
      powered: compared('powered', powered),
      varianceRatio: found.varianceRatio,
    };
  });
  return { rates, gaps };

  function rateOf(recognizer: number, group: Group | null, weight?: number): RateResult {
    const { counts, n, reason, recordings, every } = gather(tally.sums[recognizer]!, design.survey, group, options);
    const found = predictionPoweredRate(counts, {
      level,
      minimumClusters,
      ...(weight === undefined ? {} : { weight }),
    });
    const estimate = (interval: typeof found.powered) =>
      toEstimate(reason === null ? interval : { ...interval, value: null, low: null, high: null, reason }, n);
    return {
      recognizer,
      group,
      sample: estimate(found.sample),
      powered: estimate(found.powered),
      weight: found.weight,
      pseudo: found.pseudo,
      varianceRatio: found.varianceRatio,
      recordings,
      transcribed: n.utterances,
      byAll:
        options.share === 1
          ? null
          : measured(
              every.words > 0 ? every.errors / every.words : null,
              { utterances: every.utterances, speakers: every.speakers, words: every.words },
              every.words > 0 ? { code: 'held-against' } : { code: 'no-reference' },
              'all references, the hidden ones too',
            ),
    };
  }
}

function refused(found: PoweredGap, reason: Reason): PoweredGap {
  const none = { value: null, low: null, high: null, pValue: null, reason };
  return { sample: { ...found.sample, ...none }, powered: { ...found.powered, ...none }, varianceRatio: null };
}
