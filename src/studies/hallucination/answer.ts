import type { Statement } from '../../model/finding.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { named } from '../shared/wording.ts';
import type { Known } from './known.ts';

/** How much each recognizer makes up, and who makes up more. */
export function answerOf({ results, recognizers }: Known): Statement[] {
  const own = results.parts.filter(({ part }) => part.kind === 'all');
  const rates = own.flatMap(({ part, shareWithWords, wordsPerMinute }): Statement[] => {
    const name = named(recognizers[part.recognizer]!);
    const share = {
      text: `${name} writes something for this share of the sounds in which nobody speaks.`,
      estimate: shareWithWords,
    };
    if (wordsPerMinute.value === null) return [share];
    const text = `${name} makes up this many words in a minute without speech.`;
    return [share, { text, estimate: wordsPerMinute, kind: 'number' }];
  });
  const compared = results.comparisons.map(({ first, second, comparison }): Statement => {
    const [one, other] = [named(recognizers[first]!), named(recognizers[second]!)];
    const text =
      comparison.verdict === 'cannot tell'
        ? `For how many sounds ${one} and ${other} write something cannot be told apart.${whyOpen(comparison)}`
        : `${other} writes something for ${comparison.verdict === 'better' ? 'fewer' : 'more'} of the sounds than ${one}.`;
    return { text, verdict: comparison.verdict, comparison, kind: 'difference' };
  });
  if (rates.length === 0) return [{ text: 'Nothing was answered, so nothing can be said.' }];
  return [...rates, ...compared];
}
