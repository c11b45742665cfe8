import { EarwitnessError } from '../../base/errors.ts';
import { channelKey } from '../../scoring/transcript-files/cut-to-segments.ts';
import type { CtmToken } from '../../scoring/transcript-files/read-ctm.ts';
import { shown, type TwoFiles, textOfTokens } from './pairs-of-segments.ts';
import { createLeftovers, type PairSource, type ScoringPair } from './scoring-pair.ts';

/** Two ctm files: each file and channel of the reference, whole, with all that was recognized in it. */
export function pairsOfChannels({
  reference,
  hypothesis,
  names,
}: TwoFiles<readonly CtmToken[], readonly CtmToken[]>): PairSource {
  const { missing, strangers, leftovers } = createLeftovers();
  return { pairs: readPairs(), leftovers };

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
      const id = `${file}-${channel}`;
      const found = hypotheses.get(key);
      if (found === undefined) missing.add(id);
      const attributes: Record<string, string> = { file, channel };
      yield {
        id,
        reference: textOfTokens(words, names.reference),
        hypothesis: textOfTokens(found ?? [], names.hypothesis),
        ...(found === undefined ? { missing: true } : {}),
        values: (attribute) => (Object.hasOwn(attributes, attribute) ? [attributes[attribute]!] : []),
        attributes: () => attributes,
      };
    }
  }
}

function byChannel(tokens: readonly CtmToken[]): Map<string, CtmToken[]> {
  const channels = Map.groupBy(tokens, channelKey);
  for (const words of channels.values()) words.sort((a, b) => a.beginSeconds - b.beginSeconds);
  return channels;
}
