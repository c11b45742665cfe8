import { grouped } from '../base/number-format.ts';
import { counted } from '../base/wording.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import { type SpeakersFrom, slicedSamplingWarnings, speakerWarnings } from '../studies/shared/speaker-warnings.ts';
import { named, percent } from '../studies/shared/wording.ts';
import { failedTrials, type UnpairedQuestions } from './comparison-sections.ts';
import { type PairTally, pairSeries } from './tally-pairs.ts';

/** As in `CompareOptions`. */
interface Settings {
  readonly beforeLabel: string;
  readonly afterLabel: string;
  readonly recognizer?: string;
  readonly normalizer: Normalizer;
  readonly speakersFrom?: SpeakersFrom;
  readonly unpaired: UnpairedQuestions;
  readonly minimumSpeakers: number;
}

/**
 * What a reader must know before believing a comparison: who was asked on one side alone, failed, or is unknown, and how few spoke.
 *
 * @param isUnchanged of what is so, nobody takes a rate
 */
export function comparisonWarnings(tally: PairTally, options: Settings, isUnchanged: boolean): string[] {
  const warnings: string[] = [];
  const { onlyBefore, onlyAfter } = options.unpaired;
  const { all, slices, utterances, withoutReference, withoutSpeaker } = tally;
  const sideNamed = (label: string) =>
    options.recognizer === undefined ? named(label) : `${named(options.recognizer)} ${label}`;
  const unpaired = [
    [onlyBefore, sideNamed(options.beforeLabel)],
    [onlyAfter, sideNamed(options.afterLabel)],
  ] as const;
  const alone = unpaired.filter(([count]) => count > 0);
  if (alone.length > 0) {
    const asked = alone.map(
      ([count, label], place) =>
        `${place > 0 ? grouped(count) : `${counted(count, 'question')} ${count === 1 ? 'was' : 'were'} asked`} of ${label} alone`,
    );
    warnings.push(`${asked.join(', and ')}; ${onlyBefore + onlyAfter === 1 ? 'it is' : 'they are'} not compared.`);
  }
  if (withoutReference > 0) {
    warnings.push(
      `${counted(withoutReference, 'utterance')} without a reference ${withoutReference === 1 ? 'was' : 'were'} left out.`,
    );
  }
  const { failed, trials: asked } = failedTrials(all);
  if (failed > 0.01 * asked) {
    warnings.push(
      `${grouped(failed)} of ${counted(asked, 'trial')} (${percent(failed, asked)}) failed on one side or both and ${failed === 1 ? 'is' : 'are'} left out of the rates of both.`,
    );
  }
  if (isUnchanged) return warnings;
  const { minimumSpeakers, speakersFrom: from } = options;
  warnings.push(...speakerWarnings(slices, { utterances, withoutSpeaker, minimumSpeakers, ...(from && { from }) }));
  const sides = [
    { name: options.beforeLabel, series: pairSeries.allBefore },
    { name: options.afterLabel, series: pairSeries.allAfter },
  ];
  warnings.push(...slicedSamplingWarnings(slices, sides, minimumSpeakers, options.normalizer));
  return warnings;
}
