import { failuresToWarnOf } from '../shared/failure-warnings.ts';
import { counted, listed, named, percent } from '../shared/wording.ts';
import type { ChosenClips } from './clips.ts';
import type { ThresholdOptions } from './options.ts';
import type { ThresholdResults } from './results.ts';
import { groupInWords } from './wording.ts';

/** What a reader must know before believing the thresholds. */
export function warningsOf({ searches }: ThresholdResults, clips: ChosenClips, options: ThresholdOptions): string[] {
  const warnings: string[] = [];
  const { skipped, withoutSpeaker, manyValued, parts } = clips;
  const everybody = parts[0]!.clips.length;
  if (skipped.withoutReference > 0)
    warnings.push(`${counted(skipped.withoutReference, 'utterance')} without a reference could not be used.`);
  if (skipped.withoutWords > 0)
    warnings.push(`${counted(skipped.withoutWords, 'utterance')} without words in the reference could not be used.`);
  if (everybody === 0) warnings.push('No utterance has words in its reference, so nothing was asked.');
  if (withoutSpeaker > 0) {
    warnings.push(
      `The speakers of ${counted(withoutSpeaker, 'clip')} are unknown: such clips are taken to be independent of each other, and intervals are too narrow where one person spoke several.`,
    );
  }
  if (manyValued.length > 0) warnings.push(`Not searched by group, because of too many values: ${listed(manyValued)}.`);
  for (const attribute of options.groupBy) {
    if (!manyValued.includes(attribute) && !parts.some(({ group }) => group?.attribute === attribute))
      warnings.push(`Not searched by ${named(attribute)}: fewer than two values of it are known.`);
  }
  for (const result of searches) {
    const { search } = result;
    const where = `${named(search.axis.name)}, ${groupInWords(result)}, ${named(search.recognizer)}`;
    const failed = search.asked - search.answered.length;
    if (search.asked > 0 && failed / search.asked > failuresToWarnOf) {
      warnings.push(
        `${where}: ${failed} of ${counted(search.asked, 'recognition')} failed (${percent(failed, search.asked)}); they are left out, which may flatter it.`,
      );
    }
    if (options.design === 'adaptive' && search.asked > search.listeners.clips.length && everybody > 0) {
      warnings.push(
        `${where}: there are ${counted(search.listeners.clips.length, 'clip')} for ${counted(search.asked, 'question')}, so that some were heard at several levels; more clips would tell more.`,
      );
    }
  }
  return warnings;
}
