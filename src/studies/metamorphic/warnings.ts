import { failureWarnings } from '../shared/failure-warnings.ts';
import { fewUnits } from '../shared/speaker-warnings.ts';
import { counted, named } from '../shared/wording.ts';
import type { Design } from './design.ts';
import type { FirstAnswers } from './first-answers.ts';
import { namedTrials } from './named-trials.ts';
import type { SimilarityCounts } from './similarity.ts';
import type { Tally } from './tally.ts';

/** What a reader must know before believing the numbers. */
export function warningsOf(
  tally: Tally,
  design: Design,
  first: FirstAnswers,
  similarity: SimilarityCounts | null,
  minimumSpeakers: number,
): string[] {
  const { clusters, utterances, withoutSpeaker, trials } = tally;
  const warnings: string[] = [];
  if (utterances === 0) warnings.push('The corpus has no utterances, so nothing was asked.');
  if (design.recognitions < 2) {
    warnings.push('There is no identity control: some violations may come without any change.');
  }
  design.recognizers.forEach(({ name }, recognizer) => {
    if (first.contradicted[recognizer]) {
      warnings.push(
        `${named(name)} declares itself deterministic, but gave different transcripts of the same sound; every clip was checked.`,
      );
    }
    for (const id of design.appended) {
      if (first.appendedText(id, recognizer) === null) {
        warnings.push(
          `${named(name)}: the appended utterance ${named(id)} has no transcript, so its relations have no cases.`,
        );
      }
    }
  });
  warnings.push(...failureWarnings(namedTrials({ trials }, design), 'these cases are left out'));
  if (withoutSpeaker > 0) {
    const which = withoutSpeaker === utterances ? 'all utterances' : counted(withoutSpeaker, 'utterance');
    warnings.push(
      `The speakers of ${which} are unknown: such utterances are taken to be independent of each other, and intervals are too narrow where one person spoke several.`,
    );
  }
  if (utterances > 0) warnings.push(...fewUnits(clusters, minimumSpeakers));
  for (const { reason, count: pairs } of similarity?.missing ?? []) {
    warnings.push(`${counted(pairs, 'case')} without a similarity of meaning: ${named(reason)}.`);
  }
  return warnings;
}
