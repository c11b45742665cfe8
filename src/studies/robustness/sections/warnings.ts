import { failureWarnings } from '../../shared/failure-warnings.ts';
import { slicedSamplingWarnings } from '../../shared/sampling-warnings.ts';
import { speakerWarnings } from '../../shared/speaker-warnings.ts';
import { counted, named } from '../../shared/wording.ts';
import type { Design } from '../design.ts';
import { namedTrials } from '../named-trials.ts';
import type { RobustnessOptions } from '../options.ts';
import type { Tally } from '../tally.ts';

/** What a reader must know before believing the numbers. */
export function warningsOf(
  tally: Tally,
  design: Design,
  { minimumSpeakers, profile, corpusBy }: RobustnessOptions,
  normalizer: string,
): string[] {
  const warnings: string[] = [];
  const { slices, utterances, withoutSpeaker, withoutWords } = tally;
  const { skipped, merged } = design.survey;
  if (skipped > 0) {
    warnings.push(
      `${counted(skipped, 'utterance')} without a reference ${skipped === 1 ? 'was' : 'were'} not asked about.`,
    );
  }
  if (utterances === 0) warnings.push('No utterance has a reference, so nothing was scored.');
  if (withoutWords > 0) {
    warnings.push(
      `${counted(withoutWords, 'utterance')} ${withoutWords === 1 ? 'has' : 'have'} no words in the reference: what is recognized there counts as added words.`,
    );
  }
  if (merged) {
    warnings.push(`There are too many corpora by ${named(corpusBy)} to be kept apart; they are pooled.`);
  }
  if (profile !== 'sound' && normalizer !== 'srb') {
    warnings.push(
      `The averages are those of Speech Robust Bench (${profile}), but not the words: set normalizer: srb to count errors as it does.`,
    );
  }
  warnings.push(...failureWarnings(namedTrials(tally, design), 'they are left out of its rates, which may flatter it'));
  // Of all speakers together the next ones say it.
  if (slices.clusters.count >= minimumSpeakers) warnings.push(...design.survey.shortages);
  warnings.push(...speakerWarnings(slices, { utterances, withoutSpeaker, minimumSpeakers }));
  const clean = design.recognizers.map(({ name }, recognizer) => ({ name, series: tally.series.words(recognizer, 0) }));
  warnings.push(...slicedSamplingWarnings(slices, clean, minimumSpeakers));
  return warnings;
}
