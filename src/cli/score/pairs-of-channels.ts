import { EarwitnessError } from '../../base/errors.ts';
import { channelKey, cutAtSilences } from '../../scoring/transcript-files/cut-to-segments.ts';
import type { CtmToken } from '../../scoring/transcript-files/read-ctm.ts';
import { shown, type TwoFiles, textOfTokens } from './pairs-of-segments.ts';
import { createLeftovers, type PairSource, type ScoringPair } from './scoring-pair.ts';

/**
 * Two ctm files: each file and channel of the reference with all that was recognized in it, cut where both are silent.
 *
 * @param silenceSeconds Infinity for channels as a whole
 */
export function pairsOfChannels(
  { reference, hypothesis, names }: TwoFiles<readonly CtmToken[], readonly CtmToken[]>,
  silenceSeconds: number,
): PairSource {
  const { missing, strangers, leftovers } = createLeftovers();
  const compared = () => `${names.reference} with ${names.hypothesis}, by channel`;
  return { pairs: readPairs(), leftovers, compared, hints: () => [], silenceSeconds };

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const references = byChannel(await reference());
    const hypotheses = byChannel(await hypothesis());
    for (const [key, [first]] of hypotheses)
      if (!references.has(key)) strangers.add(`${first!.file} ${first!.channel}`);
    const known = [...references.values()][0]?.[0];
    if (known === undefined) {
      throw new EarwitnessError('bad-input', `${names.reference}: expected at least one word, but the file has none`);
    }
    if (strangers.count > 0 && strangers.count === hypotheses.size) {
      throw new EarwitnessError(
        'bad-input',
        `${names.hypothesis}: expected the files and channels of ${names.reference} (such as ${shown(`${known.file} ${known.channel}`)}), but none of them is there (it has ${shown(strangers.first[0]!)}); do the files belong together?`,
      );
    }
    for (const [key, words] of references) {
      const { file, channel } = words[0]!;
      const found = hypotheses.get(key);
      if (found === undefined) missing.add(`${file}-${channel}`);
      const attributes: Record<string, string> = { file, channel };
      for (const stretch of cutAtSilences(words, found ?? [], silenceSeconds)) {
        const place = silenceSeconds < Number.POSITIVE_INFINITY ? `-${secondsOf(stretch)}` : '';
        yield {
          id: `${file}-${channel}${place}`,
          reference: textOfTokens(stretch.reference, names.reference),
          hypothesis: textOfTokens(stretch.hypothesis, names.hypothesis),
          ...(found === undefined ? { missing: true } : {}),
          values: (attribute) => (Object.hasOwn(attributes, attribute) ? [attributes[attribute]!] : []),
          attributes: () => attributes,
        };
      }
    }
  }
}

/** Sums of decimal times have digits that no file has. */
function secondsOf({
  beginSeconds,
  endSeconds,
}: {
  readonly beginSeconds: number;
  readonly endSeconds: number;
}): string {
  return `${Number(beginSeconds.toFixed(3))}-${Number(endSeconds.toFixed(3))}`;
}

function byChannel(tokens: readonly CtmToken[]): Map<string, CtmToken[]> {
  return Map.groupBy(tokens, channelKey);
}
