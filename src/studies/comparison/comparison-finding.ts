import type { Finding } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import { asJson } from '../shared/as-json.ts';
import { slicedSamplingWarnings } from '../shared/sampling-warnings.ts';
import { speakerWarnings } from '../shared/speaker-warnings.ts';
import { counted, named, percent } from '../shared/wording.ts';
import type { CompareOptions } from './answer-pair.ts';
import { comparisonAnswer } from './comparison-answer.ts';
import { type Change, concludePairs } from './comparison-results.ts';
import { comparisonSections } from './comparison-sections.ts';
import { type PairTally, pairSeries } from './tally-pairs.ts';

/** Puts counts into sentences, tables and plain rows. */
export function comparisonFinding(tally: PairTally, options: Required<CompareOptions>): Finding {
  const { beforeLabel, afterLabel, level, resamples, minimumSpeakers, unpaired } = options;
  const labels = { before: beforeLabel, after: afterLabel };
  const results = concludePairs(tally, options);
  const row = ({ condition, ...change }: Change) => ({
    condition: condition === null ? null : tally.conditions[condition]!.name,
    ...change,
  });
  return {
    study: { name: 'comparison', version: 6 },
    title: `${named(afterLabel)} compared with ${named(beforeLabel)}`,
    settings: {
      before: beforeLabel,
      after: afterLabel,
      normalizer: normalizerIdentity(options.normalizer),
      level,
      resamples,
      minimumSpeakers,
    },
    answer: comparisonAnswer(results, tally, labels),
    sections: comparisonSections(results, tally, labels, level),
    warnings: comparisonWarnings(tally, options),
    data: asJson({
      utterances: {
        compared: tally.utterances,
        withoutReference: tally.withoutReference,
        withoutSpeaker: tally.withoutSpeaker,
      },
      unpaired,
      clusters: { count: tally.slices.clusters.count, merged: tally.slices.clusters.merged },
      overall: row(results.overall),
      conditions: results.conditions.map(row),
      groups: results.groups.map(row),
      changes: {
        all: tally.all,
        conditions: tally.conditions.map(({ name, changes }) => ({ condition: name, ...changes })),
      },
      changedUtterances: { ...tally.watch.utterances },
      failures: [...tally.failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, sides]) => ({ kind, ...sides })),
    }),
  };
}

function comparisonWarnings(tally: PairTally, options: Required<CompareOptions>): string[] {
  const warnings: string[] = [];
  const { onlyBefore, onlyAfter } = options.unpaired;
  const { all, slices, utterances, withoutReference, withoutSpeaker } = tally;
  if (onlyBefore > 0 || onlyAfter > 0) {
    warnings.push(
      `${counted(onlyBefore, 'question')} ${onlyBefore === 1 ? 'was' : 'were'} asked of ${named(options.beforeLabel)} alone and ${onlyAfter} of ${named(options.afterLabel)} alone; they take no part.`,
    );
  }
  if (withoutReference > 0) {
    warnings.push(
      `${counted(withoutReference, 'utterance')} without a reference ${withoutReference === 1 ? 'was' : 'were'} left out.`,
    );
  }
  const failed = all.failuresCame + all.failuresWent + all.failedTwice;
  const asked = all.pairs + failed;
  if (failed > 0.01 * asked) {
    warnings.push(
      `${failed} of ${counted(asked, 'trial')} (${percent(failed, asked)}) failed on one side or both and ${failed === 1 ? 'is' : 'are'} left out of the rates of both.`,
    );
  }
  const { minimumSpeakers } = options;
  warnings.push(...speakerWarnings(slices, { utterances, withoutSpeaker, minimumSpeakers }));
  const sides = [
    { name: options.beforeLabel, series: pairSeries.allBefore },
    { name: options.afterLabel, series: pairSeries.allAfter },
  ];
  warnings.push(...slicedSamplingWarnings(slices, sides, minimumSpeakers));
  return warnings;
}
