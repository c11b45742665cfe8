import { speakerWarnings } from '../../shared/speaker-warnings.ts';
import { counted, named, percent } from '../../shared/wording.ts';
import type { Design } from '../design.ts';
import type { RobustnessOptions } from '../options.ts';
import type { Tally } from '../tally.ts';

/** A larger share of failed trials in some condition is worth a warning. */
const failuresToWarnOf = 0.01;

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
  warnings.push(...failureWarnings(tally, design));
  warnings.push(...speakerWarnings(slices, { utterances, withoutSpeaker, minimumSpeakers }));
  return warnings;
}

function failureWarnings(tally: Tally, design: Design): string[] {
  return design.recognizers.flatMap(({ name }, recognizer) => {
    const counts = design.conditions.map((_, condition) => tally.trials.at(tally.series.words(recognizer, condition)));
    const asked = counts.reduce((sum, one) => sum + one.asked, 0);
    const failed = counts.reduce((sum, one) => sum + one.failed, 0);
    const worst = counts.reduce((best, one, index) => (share(one) > share(counts[best]!) ? index : best), 0);
    if (share(counts[worst]!) <= failuresToWarnOf) return [];
    const where =
      design.conditions.length === 1
        ? ''
        : `, most in ${named(design.conditions[worst]!.name)} (${percent(counts[worst]!.failed, counts[worst]!.asked)})`;
    return [
      `${named(name)} failed in ${failed} of ${counted(asked, 'trial')} (${percent(failed, asked)})${where}; they are left out of its rates, which may flatter it.`,
    ];
  });
}

function share({ asked, failed }: { readonly asked: number; readonly failed: number }): number {
  return asked === 0 ? 0 : failed / asked;
}
